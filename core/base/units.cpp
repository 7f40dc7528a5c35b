#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace perflab {
namespace {

struct Suffix {
  std::string_view text;
  std::int64_t factor;
};
constexpr std::int64_t ki = 1024;
constexpr std::array<Suffix, 18> suffixes{{{"", 1},
                                           {"B", 1},
                                           {"K", ki},
                                           {"Ki", ki},
                                           {"KiB", ki},
                                           {"kB", 1000},
                                           {"KB", 1000},
                                           {"M", ki* ki},
                                           {"Mi", ki* ki},
                                           {"MiB", ki* ki},
                                           {"MB", 1000000},
                                           {"G", ki* ki* ki},
                                           {"Gi", ki* ki* ki},
                                           {"GiB", ki* ki* ki},
                                           {"GB", 1000000000},
                                           {"T", ki* ki* ki* ki},
                                           {"TiB", ki* ki* ki* ki},
                                           {"TB", 1000000000000}}};

std::string scaled(double value, const char* const* units, int count, double first_factor) {
  if (!std::isfinite(value)) return "?";
  double scale = first_factor;
  int unit = 0;
  while (unit + 1 < count && std::fabs(value) >= 999.5 * scale) {
    scale *= 1000;
    ++unit;
  }
  const double shown = value / scale;
  const int decimals = std::fabs(shown) >= 99.95 ? 0 : std::fabs(shown) >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", shown, decimals, units[unit]);
}

}  // namespace

std::int64_t parse_count(std::string_view text) {
  std::int64_t value = 0;
  bool too_large = false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) too_large = true;
  if (error == std::errc{}) {
    const std::string_view suffix = text.substr(std::size_t(end - text.data()));
    for (const Suffix& s : suffixes) {
      std::int64_t product = 0;
      if (s.text != suffix) continue;
      if (!__builtin_mul_overflow(value, s.factor, &product)) return product;
      too_large = true;
    }
  }
  if (too_large)
    fail(ErrorKind::usage, "'{}' is beyond what a count can be; want at most {}", text,
         std::numeric_limits<std::int64_t>::max());
  fail(ErrorKind::usage,
       "'{}' is no count; want a whole number with an optional suffix, as 4096, 64K, 2MiB or 3GB", text);
}

std::string format_bytes(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  return scaled(bytes, units, 5, 1);
}

std::string format_time(double seconds) {
  static constexpr const char* units[] = {"ns", "us", "ms", "s"};
  return scaled(seconds, units, 4, 1e-9);
}

std::string format_rate(double bytes_per_second) { return format_bytes(bytes_per_second) + "/s"; }

std::string format_number(double value) {
  PL_CHECK(std::isfinite(value), "format_number: the value is not finite; write an empty cell instead");
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), end);
}

double parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    fail(ErrorKind::data, "'{}' is no number; want digits with '.' as the decimal point", text);
  return value;
}

}  // namespace perflab

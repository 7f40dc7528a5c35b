#include "bench/import_gbench_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <type_traits>

#include "base/check.h"
#include "base/printable.h"

namespace perflab {
namespace {

constexpr char unprintable = '\x7f';
constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace

Json printable(const Json& value) {
  return value.visit([&](const auto& one) -> Json {
    using Kind = std::decay_t<decltype(one)>;
    if constexpr (std::is_same_v<Kind, std::string>) {
      return is_not_finite(value) ? value : Json(printable(std::string_view(one)));
    } else if constexpr (std::is_same_v<Kind, Json::Array>) {
      Json::Array list;
      for (const Json& each : one) list.push_back(printable(each));
      return list;
    } else if constexpr (std::is_same_v<Kind, Json::Object>) {
      Json::Object object;
      std::set<std::string> names;
      for (const auto& [name, each] : one) {
        std::string clean = printable(std::string_view(name));
        if (!names.insert(clean).second)
          fail(ErrorKind::data, "member '{}' stands twice but for control characters; nothing was imported",
               clean);
        object.emplace_back(std::move(clean), printable(each));
      }
      return object;
    } else {
      return value;
    }
  });
}

std::string without_bare_nan(std::string_view text) {
  constexpr std::array<std::string_view, 5> words = {"-Infinity", "Infinity", "-NaN", "NaN", "-nan"};
  std::string masked(text);
  bool in_string = false;
  for (std::size_t at = 0; at < masked.size(); ++at) {
    if (masked[at] == '"') in_string = !in_string;
    if (in_string && masked[at] == '\\') ++at;
    if (in_string) continue;
    for (const std::string_view word : words)
      if (std::string_view(masked).substr(at).starts_with(word)) {
        masked.replace(at, word.size(), word.size(), unprintable);
        masked[at] = masked[at + word.size() - 1] = '"';
        at += word.size() - 1;
        break;
      }
  }
  return masked;
}

bool is_not_finite(const Json& value) {
  return value.visit([](const auto& one) {
    if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::string>) {
      std::string text = lower(one);
      if (text.starts_with('-') || text.starts_with('+')) text.erase(0, 1);
      const bool masked = !text.empty() && text.find_first_not_of(unprintable) == std::string::npos;
      return masked || text == "nan" || text == "inf" || text == "infinity";
    }
    return false;
  });
}

bool is_number(const Json& value) {
  return value.visit([](const auto& one) { return std::is_same_v<std::decay_t<decltype(one)>, double>; });
}

GbenchRow::GbenchRow(const Json& json, std::size_t number, const std::string& source)
    : json_(json), number_(number), source_(source) {
  name_ = text("name");
  if (name_.empty()) broken("its name is empty");
}

const Json& GbenchRow::field(const char* name) const {
  const Json* found = json_.find(name);
  if (found == nullptr) broken(fmt::format("it has no '{}'", name));
  return *found;
}

std::string GbenchRow::text(const char* name) const {
  const Json& value = field(name);
  try {
    return value.text();
  } catch (const Error&) {
    broken(fmt::format("'{}' is no text", name));
  }
}

std::int64_t GbenchRow::whole(const char* name, std::int64_t least) const {
  const double value = finite(name);
  if (value != std::floor(value) || value < double(least) || value > largest_exact_integer)
    broken(fmt::format("'{}' is {}; want a whole number from {}", name, value, least));
  return std::int64_t(value);
}

double GbenchRow::finite(const char* name) const {
  const Json& value = field(name);
  if (is_not_finite(value)) broken(fmt::format("'{}' is NaN or infinite", name));
  if (!is_number(value)) broken(fmt::format("'{}' is no number", name));
  return value.number();
}

bool GbenchRow::flag(const char* name) const {
  if (json_.find(name) == nullptr) return false;
  try {
    return field(name).boolean();
  } catch (const Error&) {
    broken(fmt::format("'{}' is neither true nor false", name));
  }
}

double GbenchRow::time_ns(const char* name) const {
  const std::string unit = text("time_unit");
  const double factor = unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : unit == "s" ? 1e9 : 0;
  if (factor == 0) broken(fmt::format("'time_unit' is '{}'; want ns, us, ms or s", unit));
  const double value = finite(name);
  if (value < 0) broken(fmt::format("'{}' is {}; want a time", name, value));
  return value * factor;
}

void GbenchRow::broken(const std::string& what) const {
  fail(ErrorKind::data, "{}: benchmark {} ('{}'): {}; nothing was imported", source_, number_, name_, what);
}

}  // namespace perflab

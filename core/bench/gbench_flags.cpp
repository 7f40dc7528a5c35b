#include "bench/gbench_flags.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/check.h"
#include "base/nearest.h"

namespace perflab {
namespace {

constexpr std::string_view prefix = "--benchmark_";

// Without the prefix. Of the versions 1.7.1 to 1.9; the library itself knows which of them it has.
const std::vector<std::string> known_flags = {
    "filter",
    "list_tests",
    "min_time",
    "min_warmup_time",
    "repetitions",
    "dry_run",
    "enable_random_interleaving",
    "report_aggregates_only",
    "display_aggregates_only",
    "format",
    "out",
    "out_format",
    "color",
    "counters_tabular",
    "context",
    "time_unit",
    "perf_counters",
};

template <typename Number>
bool is_number(std::string_view text, Number least) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= least;
}

// Seconds as 0.5 or 0.5s, or a number of iterations as 10x.
bool is_min_time(std::string_view text) {
  if (text.ends_with('x')) return is_number<std::int64_t>(text.substr(0, text.size() - 1), 1);
  if (text.ends_with('s')) text.remove_suffix(1);
  return is_number<double>(text, 0.0);
}

bool is_format(std::string_view text) { return text == "console" || text == "json" || text == "csv"; }

bool is_time_unit(std::string_view text) {
  return text == "ns" || text == "us" || text == "ms" || text == "s";
}

void check_writable(const std::string& file) {
  errno = 0;
  if (!std::ofstream(file, std::ios::app))
    fail(ErrorKind::usage, "--benchmark_out={}: cannot be written: {}", file, std::strerror(errno));
}

}  // namespace

SplitWords split_benchmark_flags(const std::vector<std::string>& argv) {
  SplitWords words;
  for (const std::string& word : argv)
    (word.starts_with(prefix) ? words.benchmark : words.ours).push_back(word);
  return words;
}

std::string benchmark_flag(const std::vector<std::string>& flags, std::string_view name) {
  const std::string start = fmt::format("{}{}=", prefix, name);
  for (auto flag = flags.rbegin(); flag != flags.rend(); ++flag)
    if (flag->starts_with(start)) return flag->substr(start.size());
  std::string variable = fmt::format("BENCHMARK_{}", name);
  for (char& letter : variable) letter = char(std::toupper(static_cast<unsigned char>(letter)));
  const char* value = std::getenv(variable.c_str());
  return value == nullptr ? "" : value;
}

void check_benchmark_flags(const std::vector<std::string>& flags) {
  const auto check = [&](const char* name, const auto& holds, const char* wanted) {
    const std::string value = benchmark_flag(flags, name);
    if (!value.empty() && !holds(value))
      fail(ErrorKind::usage, "{}{}={}: want {}", prefix, name, value, wanted);
  };
  const char* formats = "console, json or csv";
  check("min_time", is_min_time, "seconds, as 0.5 (1.8 and later also 0.5s, or 10x for ten iterations)");
  check(
      "repetitions", [](const std::string& text) { return is_number<std::int32_t>(text, 1); },
      "a number from 1");
  check("format", is_format, formats);
  check("out_format", is_format, formats);
  check("time_unit", is_time_unit, "ns, us, ms or s");
  if (const std::string file = benchmark_flag(flags, "out"); !file.empty()) check_writable(file);
}

std::string unknown_benchmark_flag(std::string_view flag, std::string_view library_version) {
  const std::string name(flag.substr(prefix.size(), flag.find('=') - prefix.size()));
  if (std::find(known_flags.begin(), known_flags.end(), name) == known_flags.end())
    return fmt::format("unknown flag {}{}; did you mean {}{}?", prefix, name, prefix,
                       nearest(name, known_flags, 1).front());
  return fmt::format(
      "{}: the installed Google Benchmark {} has no such flag, or takes another form of value; want "
      "{}{}=VALUE as "
      "its version documents it",
      flag, library_version, prefix, name);
}

}  // namespace perflab

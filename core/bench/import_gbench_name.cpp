// What a benchmark's name and its library's version say.

#include <algorithm>
#include <array>
#include <charconv>

#include "bench/import_gbench.h"

namespace perflab {
namespace {

// What the library appends to a name to say how it measured.
bool is_setting(std::string_view part) {
  constexpr std::array<std::string_view, 3> clocks = {"real_time", "process_time", "manual_time"};
  constexpr std::array<std::string_view, 5> settings = {
      "min_time:", "min_warmup_time:", "iterations:", "repeats:", "threads:"};
  return std::find(clocks.begin(), clocks.end(), part) != clocks.end() ||
         std::any_of(settings.begin(), settings.end(),
                     [&](std::string_view setting) { return part.starts_with(setting); });
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

}  // namespace

GbenchName split_gbench_name(const std::string& name) {
  const std::vector<std::string> parts = split(name, '/');
  const GbenchName plain{parts.front(), name, "benchmark", {}};
  std::size_t end = parts.size();
  while (end > 1 && is_setting(parts[end - 1])) --end;
  if (end < 3 || parts.front().empty() || parts[end - 1].empty() ||
      parts[end - 1].find('=') != std::string::npos)
    return plain;
  GbenchName ours{parts.front(), parts.front(), parts[end - 1], {}};
  for (std::size_t i = 1; i + 1 < end; ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos || equals == 0) return plain;
    ours.case_id += '/' + parts[i];
    if (!ours.axes.emplace(parts[i].substr(0, equals), parts[i].substr(equals + 1)).second) return plain;
  }
  for (std::size_t i = end; i < parts.size(); ++i)
    if (parts[i].starts_with("threads:")) ours.variant += '/' + parts[i];
  return ours;
}

std::string threaded_real_time(std::string_view version) {
  if (version.starts_with('v')) version.remove_prefix(1);
  std::array<int, 3> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), numbers[i]);
    if (error != std::errc{} || numbers[i] < 0) return "";
    version.remove_prefix(std::size_t(end - version.data()));
    if (i + 1 == numbers.size()) break;
    if (!version.starts_with('.')) return "";
    version.remove_prefix(1);
  }
  if (numbers == std::array<int, 3>{0, 0, 0}) return "";  // built from an archive without version control
  if (numbers >= std::array<int, 3>{1, 9, 0}) return "wall";
  return version.empty() ? "divided" : "";  // "1.8.5-12-gabc" may hold the change already
}

}  // namespace perflab

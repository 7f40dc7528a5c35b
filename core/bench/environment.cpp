#include "bench/environment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "base/check.h"
#include "base/file.h"
#include "bench/environment_parts.h"

namespace perflab {
namespace {

const char* status_text(EnvStatus status) {
  switch (status) {
    case EnvStatus::pass:
      return "PASS";
    case EnvStatus::warn:
      return "WARN";
    case EnvStatus::unknown:
      break;
  }
  return "UNKNOWN";
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t from = text.find_first_not_of(blank);
  if (from == std::string_view::npos) return "";
  return std::string(text.substr(from, text.find_last_not_of(blank) - from + 1));
}

std::optional<double> start_value(const Json& start, std::string_view name) {
  const Json* item = start.find(name);
  const Json* value = item == nullptr ? nullptr : item->find("value");
  if (value == nullptr || value->is_null()) return std::nullopt;
  return value->number();
}

// Growth of a counter since the run began; nothing if it was unknown at either end.
std::optional<double> growth(const Json& start, std::string_view name,
                             const std::optional<std::int64_t>& now) {
  const std::optional<double> before = start_value(start, name);
  if (!before || !now) return std::nullopt;
  return double(*now) - *before;
}

}  // namespace

std::optional<std::string> SystemFiles::text(const std::string& path) const {
  std::error_code error;
  if (!std::filesystem::exists(at(path), error)) return std::nullopt;
  try {
    const std::string content = trimmed(read_file(at(path)));
    if (!content.empty()) return content;
  } catch (const Error&) {  // present but not readable: as unknown as an absent one
  }
  return std::nullopt;
}

std::optional<std::string> SystemFiles::line_value(const std::string& path, std::string_view key) const {
  const std::optional<std::string> content = text(path);
  if (!content) return std::nullopt;
  std::string_view rest = *content;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!line.starts_with(key)) continue;
    const std::string_view after = line.substr(key.size());
    const std::size_t separator = after.find_first_of(":=");
    if (separator == std::string_view::npos || !trimmed(after.substr(0, separator)).empty()) continue;
    return trimmed(after.substr(separator + 1));
  }
  return std::nullopt;
}

std::optional<std::int64_t> SystemFiles::number(const std::string& path) const {
  const std::optional<std::string> content = text(path);
  std::int64_t value = 0;
  if (!content) return std::nullopt;
  const auto [end, error] = std::from_chars(content->data(), content->data() + content->size(), value);
  if (error != std::errc() || end != content->data() + content->size()) return std::nullopt;
  return value;
}

bool SystemFiles::exists(const std::string& path) const {
  std::error_code error;
  return std::filesystem::exists(at(path), error);
}

std::vector<std::string> SystemFiles::entries(const std::string& folder, std::string_view prefix) const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(at(folder), error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with(prefix))
      names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<EnvItem> read_environment(const std::filesystem::path& results_folder,
                                      const std::filesystem::path& root) {
  const SystemFiles files(root);
  std::vector<EnvItem> items;
  read_system(files, items);
  read_cpu(files, items);
  read_frequency(files, items);
  read_memory(files, items);
  read_machine(files, items);
  add_counters(read_counters(files), items);
  read_software(items);
  read_locale(items);
  read_disk(results_folder, files, items);
  return items;
}

std::vector<EnvItem> read_environment_end(const Json& start, const std::filesystem::path& root) {
  const SystemFiles files(root);
  const Counters now = read_counters(files);
  std::vector<EnvItem> items;
  const std::optional<double> load = load_average(files);
  const std::optional<double> cpus = start_value(start, "effective_cpus");
  items.push_back(env_item("load_average_end", load, "/proc/loadavg", load && cpus && *load > *cpus));

  const std::optional<double> stolen = growth(start, "steal_ticks", now.steal_ticks);
  const std::optional<double> total = growth(start, "total_ticks", now.total_ticks);
  std::optional<double> stolen_pct;
  if (stolen && total && *total > 0) stolen_pct = 100 * *stolen / *total;
  items.push_back(env_item("steal_pct_over_run", stolen_pct, "/proc/stat", stolen_pct && *stolen_pct > 1));

  const auto add = [&](const char* name, const char* counter, const std::optional<std::int64_t>& value,
                       const char* source) {
    const std::optional<double> grown = growth(start, counter, value);
    items.push_back(env_item(name, grown, source, grown && *grown > 0));
  };
  add("cfs_nr_throttled_over_run", "cfs_nr_throttled", now.cfs_nr_throttled, "cgroup cpu.stat");
  add("cfs_throttled_us_over_run", "cfs_throttled_us", now.cfs_throttled_us, "cgroup cpu.stat");
  add("core_throttle_count_over_run", "core_throttle_count", now.core_throttle_count,
      "thermal_throttle/core_throttle_count");
  return items;
}

Json environment_json(const std::vector<EnvItem>& items) {
  Json json{Json::Object{}};
  for (const EnvItem& item : items)
    json.set(
        item.name,
        Json::Object{{"value", item.value}, {"source", item.source}, {"status", status_text(item.status)}});
  return json;
}

bool is_recorded_variable(std::string_view name) {
  constexpr std::array prefixes = {"OMP_",  "GOMP_", "KMP_", "OPENBLAS_", "MKL_",
                                   "CUDA_", "NCCL_", "LC_",  "PYTHON"};
  if (name == "LANG") return true;
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return name.starts_with(prefix); });
}

}  // namespace perflab

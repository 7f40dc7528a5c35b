#pragma once
// The pieces that environment.cpp puts together. Each appends its items; private to core/bench.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/environment.h"

namespace perflab {

// Reads small files under a root and turns them into items.
class SystemFiles {
 public:
  explicit SystemFiles(std::filesystem::path root) : root_(std::move(root)) {}
  std::optional<std::string> text(const std::string& path) const;  // trimmed; nothing if absent or empty
  std::optional<std::string> line_value(const std::string& path,
                                        std::string_view key) const;  // "key : value" -> value
  std::optional<std::int64_t> number(const std::string& path) const;
  bool exists(const std::string& path) const;
  std::vector<std::string> entries(const std::string& folder, std::string_view prefix) const;  // sorted names
  std::filesystem::path root() const { return root_; }
  std::filesystem::path at(const std::string& path) const { return root_ / path.substr(1); }

 private:
  std::filesystem::path root_;
};

// PASS, or WARN where `worry` holds; UNKNOWN and null without a value.
template <typename T>
EnvItem env_item(std::string name, const std::optional<T>& value, std::string source, bool worry = false) {
  if (!value) return {std::move(name), Json(), std::move(source), EnvStatus::unknown};
  return {std::move(name), Json(*value), std::move(source), worry ? EnvStatus::warn : EnvStatus::pass};
}

void read_cpu(const SystemFiles& files, std::vector<EnvItem>& items);
void read_frequency(const SystemFiles& files, std::vector<EnvItem>& items);
void read_system(const SystemFiles& files, std::vector<EnvItem>& items);
void read_memory(const SystemFiles& files, std::vector<EnvItem>& items);
void read_software(std::vector<EnvItem>& items);
void read_machine(const SystemFiles& files, std::vector<EnvItem>& items);
void read_locale(std::vector<EnvItem>& items);
void read_disk(const std::filesystem::path& results_folder, const SystemFiles& files,
               std::vector<EnvItem>& items);

// Ever-growing counts: load and throttling are told from their growth.
struct Counters {
  std::optional<std::int64_t> steal_ticks, total_ticks, cfs_nr_throttled, cfs_throttled_us,
      core_throttle_count;
};
Counters read_counters(const SystemFiles& files);
void add_counters(const Counters& counters, std::vector<EnvItem>& items);
// "docker", "podman" ...; "none found"; nothing if it cannot be told.
std::optional<std::string> container_name(const SystemFiles& files);
// The filesystem that holds the folder: "ext4", "overlay" ...
std::optional<std::string> mounted_type(const SystemFiles& files, const std::string& folder);
std::optional<double> load_average(const SystemFiles& files);

}  // namespace perflab

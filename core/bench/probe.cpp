#include "bench/probe.h"

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <string>
#include <vector>

#include "base/process_stat.h"
#include "device/cgroup.h"

namespace perflab {
namespace {

// One small /sys or /proc file, opened at every read: the kernel fills it anew.
std::optional<std::string> first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line)) return std::nullopt;
  return line;
}

std::optional<std::int64_t> integer_in(const std::string& path) {
  const std::optional<std::string> line = first_line(path);
  std::int64_t value = 0;
  if (!line || std::from_chars(line->data(), line->data() + line->size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

// The "cpu" line of /proc/stat: user nice system idle iowait irq softirq steal guest guest_nice, in ticks.
// Guest time is part of user time already.
std::optional<Probe::Busy> busy_in(std::istream& stat) {
  std::string word;
  if (!(stat >> word) || word != "cpu") return std::nullopt;
  std::int64_t busy_ticks = 0;
  for (int column = 0; column < 8; ++column) {
    std::int64_t ticks = 0;
    if (!(stat >> ticks)) return std::nullopt;
    const bool idle = column == 3 || column == 4;
    if (!idle) busy_ticks += ticks;
  }
  int processors = 0;
  for (std::string line; std::getline(stat, line);)
    if (line.starts_with("cpu")) ++processors;
  if (processors == 0) return std::nullopt;
  return Probe::Busy{busy_ticks * (1'000'000'000 / sysconf(_SC_CLK_TCK)), processors};
}

// How often each core was slowed down by heat. A lab may run on any of them, and the first ones are enough of
// a large machine: they share its heat, and each costs microseconds at every sample.
std::vector<std::string> find_throttle_counts(const std::string& root) {
  constexpr int most_cpus = 16;
  std::vector<std::string> paths;
  for (int cpu = 0; cpu < most_cpus; ++cpu) {
    const std::string path =
        root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/thermal_throttle/core_throttle_count";
    if (integer_in(path)) paths.push_back(path);
  }
  return paths;
}

class SystemProbe : public Probe {
 public:
  explicit SystemProbe(const std::filesystem::path& root)
      : root_(root == "/" ? "" : root.string()),
        throttling_files_(throttling_files(root)),
        throttle_paths_(find_throttle_counts(root_)),
        frequency_path_(root_ + "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq") {
    if (!integer_in(frequency_path_)) frequency_path_.clear();
  }

  ProbeReading read() override {
    ProbeReading reading;
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
      reading.involuntary_switches = usage.ru_nivcsw;
      reading.major_faults = usage.ru_majflt;
    }
    reading.cfs_throttled = counted_in(throttling_files_, "nr_throttled");
    for (const std::string& path : throttle_paths_)
      if (const auto count = integer_in(path))
        reading.core_throttle = reading.core_throttle.value_or(0) + *count;
    if (!frequency_path_.empty())
      if (const auto khz = integer_in(frequency_path_)) reading.cpu_mhz = double(*khz) / 1000;
    return reading;
  }

  std::optional<Busy> busy() override {
    std::ifstream stat(root_ + "/proc/stat");
    return busy_in(stat);
  }

  std::int64_t children_cpu_ns() override { return descendants_cpu_ns(::getpid()); }

 private:
  std::string root_;
  std::vector<std::filesystem::path> throttling_files_;
  std::vector<std::string> throttle_paths_;
  std::string frequency_path_;
};

}  // namespace

std::unique_ptr<Probe> system_probe(const std::filesystem::path& root) {
  return std::make_unique<SystemProbe>(root);
}

}  // namespace perflab

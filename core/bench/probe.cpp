#include "bench/probe.h"

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <string>

#include "base/process_stat.h"

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

// nr_throttled of this process's cgroup; the folder is found once.
std::string find_cgroup_stat() {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t second = line.find(':', line.find(':') + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(line.find(':') + 1, second - line.find(':') - 1);
    const std::string folder = line.substr(second + 1);
    const bool v2 = controllers.empty();
    if (!v2 && controllers.find("cpu") == std::string::npos) continue;
    for (const std::string& root : {std::string("/sys/fs/cgroup"), std::string("/sys/fs/cgroup/cpu")})
      for (const std::string& place : {folder, std::string()})
        if (std::ifstream(root + place + "/cpu.stat").good()) return root + place + "/cpu.stat";
  }
  return "";
}

class SystemProbe : public Probe {
 public:
  SystemProbe() {
    if (!integer_in(throttle_path_)) throttle_path_.clear();
    if (!integer_in(frequency_path_)) frequency_path_.clear();
  }

  ProbeReading read() override {
    ProbeReading reading;
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
      reading.involuntary_switches = usage.ru_nivcsw;
      reading.major_faults = usage.ru_majflt;
    }
    reading.cfs_throttled = throttled_periods();
    if (!throttle_path_.empty()) reading.core_throttle = integer_in(throttle_path_);
    if (!frequency_path_.empty())
      if (const auto khz = integer_in(frequency_path_)) reading.cpu_mhz = double(*khz) / 1000;
    return reading;
  }

  std::optional<Busy> busy() override {
    std::ifstream stat("/proc/stat");
    return busy_in(stat);
  }

  std::int64_t children_cpu_ns() override { return descendants_cpu_ns(::getpid()); }

 private:
  std::optional<std::int64_t> throttled_periods() const {
    if (cgroup_stat_.empty()) return std::nullopt;
    std::ifstream stat(cgroup_stat_);
    std::string key;
    std::int64_t value = 0;
    while (stat >> key >> value)
      if (key == "nr_throttled") return value;
    return std::nullopt;
  }

  std::string cgroup_stat_ = find_cgroup_stat();
  std::string throttle_path_ = "/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count";
  std::string frequency_path_ = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq";
};

}  // namespace

std::unique_ptr<Probe> system_probe() { return std::make_unique<SystemProbe>(); }

}  // namespace perflab

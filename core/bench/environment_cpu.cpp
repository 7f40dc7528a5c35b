// Processors, their frequency and the limits put on them.
#include <algorithm>
#include <charconv>
#include <string>

#include "bench/environment_parts.h"
#include "device/cgroup.h"
#include "device/topology.h"

namespace perflab {
namespace {

const std::string cpu_folder = "/sys/devices/system/cpu";

// 0 and "" mean unknown in a Topology.
template <typename T>
std::optional<T> known(const T& value) {
  if (value == T{}) return std::nullopt;
  return value;
}

std::optional<std::int64_t> sum_over_cpus(const SystemFiles& files, const std::string& file) {
  std::optional<std::int64_t> sum;
  for (const std::string& cpu : files.entries(cpu_folder, "cpu"))
    if (const auto value = files.number(cpu_folder + "/" + cpu + file)) sum = sum.value_or(0) + *value;
  return sum;
}

std::optional<double> mhz(const std::optional<std::int64_t>& khz) {
  if (!khz) return std::nullopt;
  return double(*khz) / 1000;
}

}  // namespace

void read_cpu(const SystemFiles& files, std::vector<EnvItem>& items) {
  const Topology topology = read_topology(files.root());
  items.push_back(env_item("cpu_model", known(topology.cpu_model), "/proc/cpuinfo"));
  items.push_back(env_item("microcode", files.line_value("/proc/cpuinfo", "microcode"), "/proc/cpuinfo"));
  items.push_back(env_item("sockets", known(topology.sockets), cpu_folder));
  items.push_back(env_item("physical_cores", known(topology.physical_cores), cpu_folder));
  items.push_back(env_item("logical_cpus", known(topology.logical_cpus), cpu_folder));
  items.push_back(
      env_item("smt_active", files.number(cpu_folder + "/smt/active"), cpu_folder + "/smt/active"));
  const auto allowed = files.line_value("/proc/self/status", "Cpus_allowed_list");
  items.push_back(env_item("affinity_list", allowed, "/proc/self/status"));
  items.push_back(env_item("affinity_cpus", known(topology.affinity_cpus), "sched_getaffinity"));
  items.push_back(env_item("one_cpu_per_core", known(cpu_list_text(topology.cpu_of_each_core)),
                           "thread_siblings_list of the mask's CPUs"));
  const bool quota = topology.quota_cpus > 0;
  items.push_back(
      env_item("cgroup_quota_cpus", known(topology.quota_cpus), "cgroup cpu.max or cpu.cfs_quota_us", quota));
  items.push_back(env_item("effective_cpus", known(topology.effective_cpus), "min(affinity, floor(quota))",
                           topology.effective_cpus < topology.logical_cpus));
  for (const CacheLevel& cache : topology.caches)
    items.push_back(env_item("cache_L" + std::to_string(cache.level) + "_bytes", known(cache.bytes),
                             cpu_folder + "/cpu0/cache"));
  for (const CacheLevel& cache : topology.caches)
    items.push_back(env_item("cache_L" + std::to_string(cache.level) + "_instances", known(cache.instances),
                             cpu_folder + "/cpu0/cache"));
  items.push_back(env_item("usable_memory_bytes", known(topology.memory_bytes),
                           "min(/proc/meminfo, cgroup memory.max or memory.limit_in_bytes)"));
  items.push_back(env_item("numa_nodes", known(topology.numa_nodes), "/sys/devices/system/node"));
  const std::string distance = "/sys/devices/system/node/node0/distance";
  items.push_back(env_item("numa_distances_node0", files.text(distance), distance));
  const std::string balancing = "/proc/sys/kernel/numa_balancing";
  const auto balances = files.number(balancing);
  items.push_back(
      env_item("numa_balancing", balances, balancing, balances.value_or(0) != 0 && topology.numa_nodes > 1));
  const bool told = files.line_value("/proc/cpuinfo", "flags").has_value();  // on ARM nobody does
  items.push_back(env_item("hypervisor", told ? std::optional(topology.hypervisor) : std::nullopt,
                           "/proc/cpuinfo flags", topology.hypervisor));
}

void read_frequency(const SystemFiles& files, std::vector<EnvItem>& items) {
  const std::string folder = cpu_folder + "/cpu0/cpufreq/";
  items.push_back(
      env_item("cpufreq_driver", files.text(folder + "scaling_driver"), folder + "scaling_driver"));
  const auto governor = files.text(folder + "scaling_governor");
  items.push_back(
      env_item("cpufreq_governor", governor, folder + "scaling_governor", governor != "performance"));
  const std::string boost = cpu_folder + "/cpufreq/boost", no_turbo = cpu_folder + "/intel_pstate/no_turbo";
  std::optional<bool> boosts;
  if (const auto on = files.number(boost)) boosts = *on != 0;
  if (const auto off = files.number(no_turbo)) boosts = *off == 0;
  items.push_back(env_item("cpu_boost", boosts, boost + " or " + no_turbo, boosts.value_or(false)));
  items.push_back(
      env_item("cpu_min_mhz", mhz(files.number(folder + "cpuinfo_min_freq")), folder + "cpuinfo_min_freq"));
  items.push_back(
      env_item("cpu_max_mhz", mhz(files.number(folder + "cpuinfo_max_freq")), folder + "cpuinfo_max_freq"));
  items.push_back(
      env_item("cpu_now_mhz", mhz(files.number(folder + "scaling_cur_freq")), folder + "scaling_cur_freq"));
  // In a virtual machine or a container nobody can set a frequency, whatever the files show.
  const bool virtual_machine = read_topology(files.root()).hypervisor;
  std::optional<std::string> control;
  const auto inside = container_name(files);
  if (virtual_machine) control = "unavailable: virtual machine";
  else if (inside && inside != "none found") control = "unavailable: container";
  else if (files.exists(folder + "scaling_governor")) control = "available";
  items.push_back(env_item("frequency_control", control, "/proc/cpuinfo flags and " + folder,
                           control && control != "available"));
  std::optional<double> hottest;
  for (const std::string& zone : files.entries("/sys/class/thermal", "thermal_zone"))
    if (const auto milli = files.number("/sys/class/thermal/" + zone + "/temp"))
      hottest = std::max(hottest.value_or(-273), double(*milli) / 1000);
  items.push_back(env_item("temperature_c", hottest, "/sys/class/thermal", hottest.value_or(0) > 90));
}

Counters read_counters(const SystemFiles& files) {
  Counters counters;
  // The first line: "cpu  user nice system idle iowait irq softirq steal ...", in ticks; guest time is part
  // of user time.
  if (const auto stat = files.text("/proc/stat"); stat && stat->starts_with("cpu ")) {
    const char* at = stat->data() + 3;
    const char* end = stat->data() + std::min(stat->find('\n'), stat->size());
    std::int64_t total = 0, value = 0;
    for (int field = 0; field < 8; ++field, total += value) {
      while (at < end && *at == ' ') ++at;
      const auto [next, error] = std::from_chars(at, end, value);
      if (error != std::errc()) break;
      at = next;
      if (field == 7) counters.steal_ticks = value;
    }
    if (counters.steal_ticks) counters.total_ticks = total;
  }
  const std::vector<std::filesystem::path> throttling = throttling_files(files.root());
  counters.cfs_nr_throttled = counted_in(throttling, "nr_throttled");
  counters.cfs_throttled_us = counted_in(throttling, "throttled_usec");
  if (const auto ns = counted_in(throttling, "throttled_time"))  // cgroup v1
    counters.cfs_throttled_us = counters.cfs_throttled_us.value_or(0) + *ns / 1000;
  counters.core_throttle_count = sum_over_cpus(files, "/thermal_throttle/core_throttle_count");
  return counters;
}

void add_counters(const Counters& counters, std::vector<EnvItem>& items) {
  items.push_back(env_item("steal_ticks", counters.steal_ticks, "/proc/stat"));
  items.push_back(env_item("total_ticks", counters.total_ticks, "/proc/stat"));
  items.push_back(env_item("cfs_nr_throttled", counters.cfs_nr_throttled, "cgroup cpu.stat"));
  items.push_back(env_item("cfs_throttled_us", counters.cfs_throttled_us, "cgroup cpu.stat"));
  items.push_back(
      env_item("core_throttle_count", counters.core_throttle_count, "thermal_throttle/core_throttle_count"));
}

}  // namespace perflab

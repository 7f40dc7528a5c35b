#include "device/topology.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "base/random.h"
#include "device/cgroup.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto at = text.find(by);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// A whole number, nothing around it; nothing for "max", "-1" and noise.
std::optional<std::int64_t> count_of(std::string_view text) {
  text = trimmed(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// "32K", "1024K", "8M" as in cache/index*/size.
std::int64_t cache_size(std::string_view text) {
  text = trimmed(text);
  std::int64_t unit = 1;
  if (!text.empty() && (text.back() == 'K' || text.back() == 'M')) {
    unit = text.back() == 'K' ? 1024 : 1024 * 1024;
    text.remove_suffix(1);
  }
  return count_of(text).value_or(0) * unit;
}

// The value behind "key : value" or "key:value" lines; one entry per occurrence.
std::vector<std::string> values_of(const std::string& text, std::string_view key) {
  std::vector<std::string> values;
  for (const std::string_view line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == key)
      values.emplace_back(trimmed(line.substr(colon + 1)));
  }
  return values;
}

int count_distinct(const std::vector<std::string>& values) {
  return int(std::set<std::string>(values.begin(), values.end()).size());
}

void read_cpuinfo(const fs::path& root, Topology& machine) {
  const std::string text = text_of(root / "proc/cpuinfo");
  if (const auto models = values_of(text, "model name"); !models.empty()) machine.cpu_model = models.front();
  machine.logical_cpus = int(values_of(text, "processor").size());
  const auto packages = values_of(text, "physical id");
  machine.sockets = count_distinct(packages);
  const auto cores = values_of(text, "core id");
  if (cores.size() == packages.size()) {
    std::vector<std::string> both;
    for (std::size_t i = 0; i < cores.size(); ++i) both.push_back(packages[i] + "/" + cores[i]);
    machine.physical_cores = count_distinct(both);
  }
  if (const auto flags = values_of(text, "flags"); !flags.empty()) {
    const auto words = split(flags.front(), ' ');
    machine.hypervisor = std::find(words.begin(), words.end(), "hypervisor") != words.end();
  }
}

void read_caches(const fs::path& cpu_folder, std::vector<CacheLevel>& caches) {
  for (int index = 0; fs::exists(cpu_folder / fmt::format("cache/index{}", index)); ++index) {
    const fs::path folder = cpu_folder / fmt::format("cache/index{}", index);
    const auto level = count_of(text_of(folder / "level"));
    const std::int64_t bytes = cache_size(text_of(folder / "size"));
    if (!level || bytes == 0 || trimmed(text_of(folder / "type")) == "Instruction") continue;
    const int sharers = int(cpu_list(text_of(folder / "shared_cpu_list")).size());
    const auto known =
        std::find_if(caches.begin(), caches.end(), [&](const auto& c) { return c.level == *level; });
    if (known == caches.end()) caches.push_back({int(*level), bytes, sharers, 1});
    else if (bytes > known->bytes) *known = {int(*level), bytes, sharers, 1};
  }
}

// /sys knows more than cpuinfo (siblings on every architecture, caches) and wins where both speak.
void read_sys_cpus(const fs::path& root, Topology& machine) {
  const fs::path folder = root / "sys/devices/system/cpu";
  const std::vector<int> online = cpu_list(text_of(folder / "online"));
  if (!online.empty()) machine.logical_cpus = int(online.size());
  std::vector<std::string> cores, packages;
  for (const int cpu : online) {
    const fs::path one = folder / fmt::format("cpu{}", cpu);
    const std::string siblings = text_of(one / "topology/thread_siblings_list");
    const std::string package = text_of(one / "topology/physical_package_id");
    if (!siblings.empty()) cores.push_back(siblings);
    if (!package.empty()) packages.push_back(package);
    read_caches(one, machine.caches);
  }
  if (!cores.empty() && cores.size() == online.size()) machine.physical_cores = count_distinct(cores);
  if (!packages.empty()) machine.sockets = count_distinct(packages);
  std::sort(machine.caches.begin(), machine.caches.end(),
            [](const auto& a, const auto& b) { return a.level < b.level; });
  for (CacheLevel& cache : machine.caches)
    if (cache.shared_by_cpus > 0)
      cache.instances = std::max(1, (machine.logical_cpus + cache.shared_by_cpus - 1) / cache.shared_by_cpus);
}

std::vector<int> affinity_of(const fs::path& root) {
  std::vector<int> cpus;
  if (root != "/") {
    const auto lists = values_of(text_of(root / "proc/self/status"), "Cpus_allowed_list");
    return lists.empty() ? cpus : cpu_list(lists.front());
  }
  // The kernel's mask may be longer than cpu_set_t; grow until it fits.
  for (int most = CPU_SETSIZE; most <= 1 << 20; most *= 2) {
    cpu_set_t* mask = CPU_ALLOC(std::size_t(most));
    const std::size_t mask_bytes = CPU_ALLOC_SIZE(std::size_t(most));
    const bool read = sched_getaffinity(0, mask_bytes, mask) == 0;
    for (int cpu = 0; read && cpu < most; ++cpu)
      if (CPU_ISSET_S(std::size_t(cpu), mask_bytes, mask)) cpus.push_back(cpu);
    CPU_FREE(mask);
    if (read) break;
  }
  return cpus;
}

// The first CPU of each core. Empty = unknown: not every CPU says whom it shares its core with.
std::vector<int> first_of_each_core(const fs::path& root, const std::vector<int>& cpus) {
  std::set<std::string> cores;
  std::vector<int> firsts;
  for (const int cpu : cpus) {
    const std::string siblings =
        text_of(root / fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    if (siblings.empty()) return {};
    if (cores.insert(siblings).second) firsts.push_back(cpu);
  }
  return firsts;
}

void lower(double& limit, double candidate) { limit = limit == 0 ? candidate : std::min(limit, candidate); }

// What this process's control groups allow; 0 = no limit.
struct Limits {
  double cpus = 0, memory_bytes = 0;
};

Limits limits_of(const fs::path& root) {
  Limits limits;
  for (const fs::path& folder : cgroup_folders("cpu", root)) {
    const std::string cpu_max = text_of(folder / "cpu.max");
    if (const auto words = split(trimmed(cpu_max), ' '); words.size() == 2) {
      const auto limit = count_of(words[0]), period = count_of(words[1]);
      if (limit && period && *limit > 0 && *period > 0) lower(limits.cpus, double(*limit) / double(*period));
    }
    const auto limit = count_of(text_of(folder / "cpu.cfs_quota_us"));
    const auto period = count_of(text_of(folder / "cpu.cfs_period_us"));
    if (limit && period && *limit > 0 && *period > 0) lower(limits.cpus, double(*limit) / double(*period));
  }
  for (const fs::path& folder : cgroup_folders("memory", root))
    for (const char* name : {"memory.max", "memory.limit_in_bytes"})
      if (const auto bytes = count_of(text_of(folder / name)); bytes && *bytes > 0)
        lower(limits.memory_bytes, double(*bytes));
  return limits;
}

std::int64_t memory_of(const fs::path& root) {
  const auto totals = values_of(text_of(root / "proc/meminfo"), "MemTotal");
  if (totals.empty()) return 0;
  return count_of(split(totals.front(), ' ').front()).value_or(0) * 1024;
}

}  // namespace

std::vector<int> cpu_list(std::string_view text) {
  std::vector<int> cpus;
  for (const std::string_view part : split(trimmed(text), ',')) {
    const auto dash = part.find('-');
    const auto first = count_of(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : count_of(part.substr(dash + 1));
    if (!first || !last || *last > 1'000'000) continue;
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(int(cpu));
  }
  return cpus;
}

std::string cpu_list_text(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i;
    while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[i]);
    if (end > i) text += fmt::format("-{}", cpus[end]);
    i = end + 1;
  }
  return text;
}

std::int64_t Topology::cache_bytes(int level) const {
  for (const CacheLevel& cache : caches)
    if (cache.level == level) return cache.bytes;
  return 0;
}

std::int64_t Topology::last_level_total_bytes() const {
  std::int64_t largest = 0;
  for (const CacheLevel& cache : caches) largest = std::max(largest, cache.bytes * cache.instances);
  return largest;
}

std::string Topology::fingerprint() const {
  const double memory_GiB = std::round(double(memory_bytes) / double(1 << 30));
  std::string text = fmt::format("{}|{}|{}|{}", cpu_model, physical_cores, effective_cpus, memory_GiB);
  for (const CacheLevel& cache : caches) text += fmt::format("|L{}:{}", cache.level, cache.bytes);
  return fmt::format("{:016x}", derive_seed(0, text));
}

Topology read_topology(const fs::path& root) {
  Topology machine;
  read_cpuinfo(root, machine);
  read_sys_cpus(root, machine);
  const std::vector<int> mask = affinity_of(root);
  machine.affinity_cpus = int(mask.size());
  machine.cpu_of_each_core = first_of_each_core(root, mask);
  machine.affinity_cores = int(machine.cpu_of_each_core.size());
  const Limits limits = limits_of(root);
  machine.quota_cpus = limits.cpus;
  machine.memory_bytes = memory_of(root);
  if (limits.memory_bytes > 0)
    machine.memory_bytes =
        std::min(machine.memory_bytes, std::int64_t(std::min(limits.memory_bytes, 0x1p62)));
  if (root == "/") machine.page_bytes = std::max<std::int64_t>(0, sysconf(_SC_PAGESIZE));
  machine.numa_nodes = int(cpu_list(text_of(root / "sys/devices/system/node/online")).size());

  // Without a readable mask the CPUs that exist are still an upper limit.
  int effective = machine.affinity_cpus > 0 ? machine.affinity_cpus : machine.logical_cpus;
  if (machine.quota_cpus > 0) {
    const int whole = int(std::min(1e6, std::floor(machine.quota_cpus)));
    effective = effective > 0 ? std::min(effective, whole) : whole;
  }
  machine.effective_cpus = std::max(1, effective);
  return machine;
}

const Topology& this_machine() {
  static const Topology machine = read_topology();
  return machine;
}

std::vector<int> thread_counts(const Topology& topology) {
  const int cores = topology.affinity_cores > 0 ? topology.affinity_cores : topology.physical_cores;
  const int most =
      std::max(1, cores > 0 ? std::min(topology.effective_cpus, cores) : topology.effective_cpus);
  std::vector<int> counts;
  for (int threads = 1; threads < most; threads *= 2) counts.push_back(threads);
  counts.push_back(most);
  return counts;
}

}  // namespace perflab

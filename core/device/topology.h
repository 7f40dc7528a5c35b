#pragma once
// Topology — processors, caches and quotas of this machine, read from /proc, /sys and the affinity mask;
// never changed.
//
// `root` is prefixed to every path, so that tests read a made-up machine; the affinity mask and the page size
// are asked of the kernel only for the real root. A value that cannot be read is 0 or empty ("unknown"),
// never guessed. effective_cpus = min(affinity mask, floor(cgroup quota)), at least 1.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace perflab {

struct CacheLevel {
  int level;           // 1, 2, 3: data or unified caches only
  std::int64_t bytes;  // one instance; the largest where the cores differ
  int shared_by_cpus;  // logical CPUs that share the instance; 0 = unknown
  int instances = 1;   // of this size on the machine; 1 where sharing is unknown
};

struct Topology {
  std::string cpu_model;
  int sockets = 0, physical_cores = 0, logical_cpus = 0;
  int affinity_cpus = 0;   // CPUs in this process's mask, which a cpuset narrows too
  int affinity_cores = 0;  // cores that these CPUs belong to: fewer where hardware threads share one
  std::vector<int> cpu_of_each_core;  // the first of the mask's CPUs on each of these cores; empty: unknown
  double quota_cpus = 0;              // cgroup quota in CPUs; 0 = none
  int effective_cpus = 1;
  std::vector<CacheLevel> caches;  // by level
  std::int64_t memory_bytes = 0;   // of the machine, or what the control group allows if that is less
  std::int64_t page_bytes = 0;
  int numa_nodes = 0;
  bool hypervisor = false;  // the CPU reports one

  std::int64_t cache_bytes(int level) const;  // 0 if the level does not exist or is unknown
  // All instances of the last level together: what data must exceed several times to be sure to come from
  // memory, whichever cores read it. 0 if unknown.
  std::int64_t last_level_total_bytes() const;
  // Names this hardware for stored ceilings: model, cores, effective CPUs, caches, memory in GiB. 16 hex
  // digits.
  std::string fingerprint() const;
};

Topology read_topology(const std::filesystem::path& root = "/");
const Topology& this_machine();  // read once

// "0-3,8" -> {0, 1, 2, 3, 8}, the kernel's list format; what is no number is left out.
std::vector<int> cpu_list(std::string_view text);
std::string cpu_list_text(const std::vector<int>& cpus);  // the other way round; ascending numbers

// Thread counts worth measuring: 1, 2, 4 ... and the largest useful one, min(effective CPUs, cores in the
// mask if known).
std::vector<int> thread_counts(const Topology& topology);

}  // namespace perflab

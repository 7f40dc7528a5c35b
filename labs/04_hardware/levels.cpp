#include "levels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/units.h"

namespace perflab::hardware {
namespace {

constexpr double largest_share_of_memory = 0.3;

// A core's part of a cache that several cores share; hardware threads of one core count once.
std::int64_t bytes_per_core(const Topology& machine, int level) {
  for (const CacheLevel& cache : machine.caches) {
    if (cache.level != level) continue;
    const int threads_per_core =
        machine.physical_cores > 0 ? std::max(1, machine.logical_cpus / machine.physical_cores) : 1;
    return cache.bytes / std::max(1, cache.shared_by_cpus / threads_per_core);
  }
  return 0;
}

LevelSize unknown(std::string_view level) {
  return {0, "unknown_cache_size",
          fmt::format("the system does not say how large the caches are; {} needs it", level)};
}

LevelSize dram(const Topology& machine) {
  const std::int64_t bytes = 4 * machine.last_level_total_bytes();
  if (bytes == 0) return unknown("DRAM");
  if (machine.memory_bytes > 0 && double(bytes) > largest_share_of_memory * double(machine.memory_bytes))
    return {0, "too_little_memory",
            fmt::format("four times all last-level caches are {}, too much for {} of memory",
                        format_bytes(double(bytes)), format_bytes(double(machine.memory_bytes)))};
  return {bytes, "", ""};
}

}  // namespace

LevelSize level_size(const Topology& machine, std::string_view level, int threads) {
  PL_CHECK(threads >= 1, "level: {} threads; want at least 1", threads);
  if (level == "DRAM") return dram(machine);
  const int number = level == "L1" ? 1 : level == "L2" ? 2 : level == "L3" ? 3 : 0;
  if (number == 0) fail(ErrorKind::usage, "level '{}'; want L1, L2, L3 or DRAM", level);
  const std::int64_t own = bytes_per_core(machine, number);
  if (own == 0) {
    if (machine.caches.empty()) return unknown(level);
    return {0, "no_such_cache", fmt::format("this machine has no {} cache", level)};
  }
  if (number == 1) return {own / 2 * threads, "", ""};
  const std::int64_t inner = bytes_per_core(machine, number - 1);
  // Beyond twice the inner level it misses there nearly always.
  const std::int64_t wanted =
      number == 2 ? own / 2 * threads : std::max(machine.cache_bytes(number) / 4, 2 * inner * threads);
  if (wanted < 2 * inner * threads || wanted > std::max(machine.cache_bytes(number), own * threads) * 3 / 4)
    return {0, "cache_too_small",
            fmt::format("{} is not larger enough than the level above it to be told apart", level)};
  return {wanted, "", ""};
}

}  // namespace perflab::hardware

#pragma once
// ProcessStat — what /proc says about one process, and what a process's descendants have used of the CPUs.
//
// `proc` is /proc, or a made-up one in tests. CPU times have the grain of the kernel's ticks, some 10 ms.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace perflab {

struct ProcessStat {
  long pid = 0, parent = 0;
  char state = '?';            // R S D Z ...; Z: it has ended and nobody has waited for it yet
  long start_ticks = 0;        // since boot: pids come round again, pairs do not
  std::int64_t cpu_ns = 0;     // of all its threads, user and system
  std::int64_t reaped_ns = 0;  // of those of its descendants that were waited for
};

std::optional<ProcessStat> read_process_stat(long pid, const std::filesystem::path& proc = "/proc");

// CPU time of everybody whom the process started, directly or not, ended ones included; without its own.
std::int64_t descendants_cpu_ns(long pid, const std::filesystem::path& proc = "/proc");

}  // namespace perflab

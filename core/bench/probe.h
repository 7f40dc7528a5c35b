#pragma once
// Probe — what the operating system says about disturbances around a sample. Replaceable in tests. Missing =
// unknown.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace perflab {

struct ProbeReading {
  std::optional<std::int64_t> involuntary_switches{}, major_faults{};  // of this process, so far
  std::optional<std::int64_t> cfs_throttled{}, core_throttle{};  // counters of the cgroup and of the CPU
  std::optional<double> cpu_mhz{}, temp_c{};
  double clock_share = 1.0;  // of the nominal clock, for devices that report it; below 0.75 = throttled
};

class Probe {
 public:
  virtual ~Probe() = default;
  virtual ProbeReading read() = 0;
  // CPU time that the whole machine was busy, all processes and processors, stolen time included; its grain
  // is a tick of some 10 ms. The number of processors it is spread over comes with it.
  struct Busy {
    std::int64_t busy_ns;
    int processors;
  };
  virtual std::optional<Busy> busy() { return std::nullopt; }
  // CPU time of the processes that this one started, ended ones included: peers work for us.
  virtual std::int64_t children_cpu_ns() { return 0; }
};
// `root` is prefixed to every path, for tests with a made-up machine.
std::unique_ptr<Probe> system_probe(const std::filesystem::path& root = "/");

}  // namespace perflab

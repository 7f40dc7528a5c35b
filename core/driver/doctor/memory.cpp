#include <fmt/format.h>

#include <array>

#include "base/units.h"
#include "driver/doctor/rules.h"

namespace perflab {
namespace {

Finding memory(const DoctorFacts& facts) {
  const auto all = facts.environment.number("memory_bytes"),
             usable = facts.environment.number("usable_memory_bytes"),
             available = facts.environment.number("memory_available_bytes");
  if (!available) return unknown("not told here");
  std::string value = fmt::format("{} available of {}", format_bytes(*available),
                                  all ? format_bytes(*all) : std::string("?"));
  const bool limited = usable && all && *usable < *all;
  if (limited) value += fmt::format(", but this control group may use {} only", format_bytes(*usable));
  const bool little = facts.environment.warns("memory_available_bytes") || (limited && *usable < 0x1p30);
  if (!little) return pass(value);
  return warn(value, "close programs, or give the container more memory");
}

Finding swap(const DoctorFacts& facts) {
  const auto used = facts.environment.number("swap_used_bytes");
  if (!used) return unknown("not told here");
  if (*used <= 0) return pass("not in use");
  if (facts.in_container())
    return beware(format_bytes(*used) + " in use on the host",
                  "a page that comes back from disk costs a million cycles");
  return warn(format_bytes(*used) + " in use",
              "close what fills the memory, then: sudo swapoff -a && sudo swapon -a",
              "a page that comes back from disk costs a million cycles");
}

Finding hugepages(const DoctorFacts& facts) {
  const std::string setting = facts.environment.text("transparent_huge_pages");
  if (setting.empty()) return unknown("not told here");
  return pass(fmt::format("transparent huge pages: {}", setting),
              setting == "never" ? "large arrays miss the TLB more often than elsewhere; recorded" : "");
}

Finding numa(const DoctorFacts& facts) {
  const Items& env = facts.environment;
  const auto nodes = env.number("numa_nodes"), balancing = env.number("numa_balancing");
  if (!nodes) return unknown("not told here");
  if (*nodes <= 1) return pass("one node: local against remote bandwidth is not testable (one_numa_node)");
  const std::string policy = env.text("memory_policy");
  const bool bound = policy.starts_with("bind") || policy.starts_with("prefer");
  const std::string value =
      fmt::format("{} nodes ({}), balancing {}, memory policy {}", *nodes, env.text("numa_node_cpus"),
                  !balancing       ? "unknown"
                  : *balancing > 0 ? "on"
                                   : "off",
                  policy.empty() ? "unknown" : policy);
  if (bound || (balancing && *balancing == 0)) return pass(value);
  return warn(value, "bind both: numactl --cpunodebind=0 --membind=0 ./perflab run",
              "data on the far node is slower, and the kernel may move it while a lab runs");
}

Finding clock_quality(const DoctorFacts& facts) {
  const std::string source = facts.environment.text("clock_source");
  const auto resolution = facts.environment.number("clock_resolution_ns"),
             overhead = facts.environment.number("clock_overhead_ns");
  if (!resolution)
    return {Health::fail, "the steady clock does not move", "use another machine or another virtual machine",
            ""};
  const std::string value =
      fmt::format("{}, resolution {} ns, one reading costs {} ns", source.empty() ? "source unknown" : source,
                  *resolution, overhead.value_or(0));
  const bool slow =
      facts.environment.warns("clock_resolution_ns") || facts.environment.warns("clock_overhead_ns");
  if (slow) return beware(value, "samples are made longer to hide it; short cases take more time");
  return source.empty() ? unknown(value) : pass(value);
}

Finding aslr(const DoctorFacts& facts) {
  const auto state = facts.environment.number("aslr");
  if (!state) return unknown("not told here");
  return pass(*state > 0 ? "addresses are random (recorded, never changed; launches average over them)"
                         : "addresses are the same in every launch (recorded, never changed)");
}

constexpr std::array checks = {
    Check{"memory", "Memory and clock", memory},       Check{"swap", "Memory and clock", swap},
    Check{"hugepages", "Memory and clock", hugepages}, Check{"numa", "Memory and clock", numa},
    Check{"clock", "Memory and clock", clock_quality}, Check{"aslr", "Memory and clock", aslr}};

}  // namespace

std::span<const Check> memory_checks() { return checks; }

}  // namespace perflab

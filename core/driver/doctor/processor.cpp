#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "device/topology.h"
#include "driver/doctor/rules.h"

namespace perflab {
namespace {

// Where nobody can set a frequency; the advice can be followed there.
Finding not_ours(std::string value) {
  return {Health::unknown, std::move(value), "for closer answers take more blocks: --profile reproduce",
          "variants are interleaved, so slow changes of speed hit all alike"};
}

Finding cpu(const DoctorFacts& facts) {
  const Items& env = facts.environment;
  const std::string model = env.text("cpu_model");
  const double cores = env.number("physical_cores").value_or(0);
  const std::string count = cores > 0 ? counted(cores, "core") : "cores unknown";
  const std::string rest =
      fmt::format("{}, {}", count, counted(env.number("logical_cpus").value_or(0), "logical CPU"));
  if (model.empty()) return unknown("model unknown, " + rest);
  return pass(model + ", " + rest);
}

// The part behind "fast: " or "slow: ".
std::string kind(const std::string& kinds, const char* word) {
  const std::size_t at = kinds.find(word);
  if (at == std::string::npos) return "";
  const std::size_t from = at + std::string_view(word).size();
  return kinds.substr(from, kinds.find(';', from) - from);
}

Finding cores(const DoctorFacts& facts) {
  const std::string kinds = facts.environment.text("core_kinds");
  if (kinds.empty()) return unknown("whether all cores are alike is not told here");
  const std::string fast = kind(kinds, "fast: "), slow = kind(kinds, "slow: ");
  if (slow.empty()) return pass("all cores are of one kind");
  const std::vector<int> slow_cpus = cpu_list(slow), mine = cpu_list(facts.environment.text("affinity_list"));
  const auto is_slow = [&](int cpu) {
    return std::find(slow_cpus.begin(), slow_cpus.end(), cpu) != slow_cpus.end();
  };
  const std::string value = fmt::format("two kinds: CPUs {} fast, {} slow", fast, slow);
  if (!mine.empty() &&
      (std::none_of(mine.begin(), mine.end(), is_slow) || std::all_of(mine.begin(), mine.end(), is_slow)))
    return pass(value + "; only one kind is used");
  return warn(value, fmt::format("measure on one kind: taskset -c {} ./perflab run", fast),
              "a thread on a slow core ends late and the others wait for it");
}

Finding smt(const DoctorFacts& facts) {
  const auto cores = facts.environment.number("physical_cores"),
             logical = facts.environment.number("logical_cpus"),
             active = facts.environment.number("smt_active");
  if (!active && (!cores || !logical)) return unknown("not told here");
  const bool shared = cores && logical ? *logical > *cores : *active != 0;
  if (!shared) return pass("off: no two logical CPUs share a core");
  const std::string firsts = facts.environment.text("one_cpu_per_core");
  return pass(fmt::format("on: {} on {}; thread counts stop at the cores{}",
                          counted(logical.value_or(0), "hardware thread"), counted(cores.value_or(0), "core"),
                          firsts.empty() ? "" : ", one CPU of each: " + firsts));
}

Finding affinity(const DoctorFacts& facts) {
  const Items& env = facts.environment;
  const auto mine = env.number("affinity_cpus"), all = env.number("logical_cpus");
  if (!mine) return unknown("which CPUs may be used is not told here");
  const std::string value =
      fmt::format("CPUs {}, {} of {}", env.text("affinity_list"), *mine, all.value_or(*mine));
  if (!all || *mine >= *all) return pass(value);
  return warn(value, "start without taskset, or widen the container's cpuset",
              fmt::format("thread counts stop at {}", facts.cpus()));
}

Finding quota(const DoctorFacts& facts) {
  const auto limit = facts.environment.number("cgroup_quota_cpus"),
             throttled = facts.environment.number("cfs_nr_throttled"),
             now = facts.during.number("cfs_nr_throttled_over_run");
  std::string counts = throttled ? fmt::format(", throttled {} times so far", *throttled) : "";
  if (now.value_or(0) > 0) counts += fmt::format(", {} of them while the doctor looked", *now);
  if (!limit && facts.environment.text("cgroup").empty()) return unknown("not told here");
  if (!limit && now.value_or(0) == 0) return pass("no limit on CPU time" + counts);
  const std::string value = limit ? fmt::format("{:.3g} CPUs of CPU time, so {} at most{}", *limit,
                                                counted(facts.cpus(), "thread"), counts)
                                  : "no limit seen" + counts;
  return warn(value, "give the container more CPU time: docker run --cpus=N",
              "a sample that was throttled is marked invalid and taken again");
}

Finding frequency(const DoctorFacts& facts) {
  const Items& env = facts.environment;
  const std::string governor = env.text("cpufreq_governor"), driver = env.text("cpufreq_driver");
  if (facts.virtual_machine()) return not_ours("set by the host of this virtual machine");
  if (governor.empty()) return not_ours("not told here");
  const auto mhz = [&](const char* name) {
    const auto value = env.number(name);
    return value ? fmt::format("{:.0f}", *value) : std::string("?");
  };
  const std::string value =
      fmt::format("{}, driver {}, {} to {} MHz, now {}", governor, driver.empty() ? "unknown" : driver,
                  mhz("cpu_min_mhz"), mhz("cpu_max_mhz"), mhz("cpu_now_mhz"));
  if (governor == "performance") return pass(value);
  if (facts.in_container()) return beware(value, "only the host can set it; variants are interleaved");
  return warn(value, "if this machine is yours: sudo cpupower frequency-set -g performance",
              "perflab sets nothing; interleaving cancels slow changes, not quick ones");
}

Finding boost(const DoctorFacts& facts) {
  if (facts.virtual_machine()) return unknown("set by the host of this virtual machine");
  const auto on = facts.environment.flag("cpu_boost");
  if (!on) return unknown("not told here");
  if (!*on) return pass("off");
  return beware("on", "one busy core runs faster than all together, a cool one faster than a hot one");
}

Finding temperature(const DoctorFacts& facts) {
  const auto hottest = facts.environment.number("temperature_c"),
             throttled = facts.environment.number("core_throttle_count"),
             now = facts.during.number("core_throttle_count_over_run");
  if (!hottest && !throttled)
    return unknown(facts.virtual_machine() ? "hidden by the virtual machine" : "no sensor is readable");
  std::string value = hottest ? fmt::format("{:.0f} C", *hottest) : "no sensor";
  if (throttled) value += fmt::format(", slowed down by heat {} times since boot", *throttled);
  const bool slowing = now.value_or(0) > 0;
  if (slowing) value += fmt::format(", {} of them while the doctor looked", *now);
  if (!slowing && !facts.environment.warns("temperature_c")) return pass(value);
  return warn(value, "let it cool, free its vents, put it on a hard surface; then measure",
              "a sample during which the CPU slowed down is marked invalid and taken again");
}

constexpr std::array checks = {
    Check{"cpu", "Processor", cpu},     Check{"cores", "Processor", cores},
    Check{"smt", "Processor", smt},     Check{"affinity", "Processor", affinity},
    Check{"quota", "Processor", quota}, Check{"frequency", "Processor", frequency},
    Check{"boost", "Processor", boost}, Check{"temperature", "Processor", temperature}};

}  // namespace

std::span<const Check> processor_checks() { return checks; }

}  // namespace perflab

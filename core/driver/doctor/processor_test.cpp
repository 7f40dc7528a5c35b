#include <gtest/gtest.h>

#include "driver/doctor/doctor_test.h"

namespace perflab {
namespace {

using Processor = DoctorTest;

const std::string cpufreq = "/sys/devices/system/cpu/cpu0/cpufreq/";

}  // namespace

TEST_F(Processor, AVirtualMachineWithoutFrequenciesIsUnknownAndToldWhatHelpsThere) {
  put_virtual_machine();
  const Finding finding = judge("frequency");
  EXPECT_EQ(finding.health, Health::unknown);
  EXPECT_TRUE(holds(finding.note, "interleaved")) << finding.note;
  EXPECT_TRUE(holds(finding.fix, "more blocks")) << finding.fix;
  EXPECT_EQ(health("boost"), "UNKNOWN");
}

TEST_F(Processor, NobodyInAVirtualMachineOrAContainerIsToldToSetAFrequency) {
  put(cpufreq + "scaling_governor", "powersave\n");
  put("/.dockerenv", " ");
  const auto forbidden = [&](const DoctorFacts& seen) {
    std::string found;
    for (const Judged& one : judge_all(seen))
      for (const char* word : {"cpupower", "frequency-set", "no_turbo", "scaling_governor", "pin the"})
        if (holds(one.finding.fix + one.finding.note, word))
          found += std::string(one.check->id) + ": " + word + "\n";
    return found;
  };
  EXPECT_EQ(forbidden(facts()), "");
  put_virtual_machine();
  EXPECT_EQ(forbidden(facts()), "");
  std::filesystem::remove(root_ / ".dockerenv");
  EXPECT_EQ(forbidden(facts()), "");
  put("/proc/cpuinfo", "processor\t: 0\nflags\t: fpu\n");  // a machine of one's own: there it can be followed
  EXPECT_NE(forbidden(facts()), "");
}

TEST_F(Processor, GovernorDriverAndFrequenciesStandTogether) {
  put("/proc/cpuinfo", "processor\t: 0\nflags\t: fpu\n");
  put(cpufreq + "scaling_governor", "powersave\n");
  put(cpufreq + "scaling_driver", "intel_pstate\n");
  put(cpufreq + "cpuinfo_min_freq", "800000\n");
  put(cpufreq + "cpuinfo_max_freq", "4700000\n");
  put(cpufreq + "scaling_cur_freq", "1200000\n");
  EXPECT_EQ(judge("frequency").value, "powersave, driver intel_pstate, 800 to 4700 MHz, now 1200");
  EXPECT_EQ(health("frequency"), "WARN");
  put(cpufreq + "scaling_governor", "performance\n");
  EXPECT_EQ(health("frequency"), "PASS");
  put("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  EXPECT_EQ(judge("boost").value, "on");
  EXPECT_EQ(health("boost"), "WARN");
}

TEST_F(Processor, OfAnEmptyTreeNothingAboutTheMachineIsFine) {
  for (const char* id : {"cpu",         "cores",  "smt",  "affinity",  "quota", "frequency", "boost",
                         "temperature", "power",  "load", "steal",     "vm",    "container", "wsl",
                         "emulation",   "memory", "swap", "hugepages", "numa",  "aslr"})
    EXPECT_EQ(health(id), "UNKNOWN") << id;
}

TEST_F(Processor, FastAndSlowCoresAreToldToBeMeasuredApart) {
  put_cpus(4);
  put("/sys/devices/cpu_core/cpus", "0-1\n");
  put("/sys/devices/cpu_atom/cpus", "2-3\n");
  EXPECT_EQ(judge("cores").value, "two kinds: CPUs 0-1 fast, 2-3 slow");
  EXPECT_EQ(judge("cores").fix, "measure on one kind: taskset -c 0-1 ./perflab run");
  put("/proc/self/status", "Cpus_allowed_list:\t0-1\n");
  EXPECT_EQ(health("cores"), "PASS");
}

TEST_F(Processor, HardwareThreadsAreCountedByTheCore) {
  put("/sys/devices/system/cpu/online", "0-7\n");
  put("/proc/self/status", "Cpus_allowed_list:\t0-7\n");
  for (int cpu = 0; cpu < 8; ++cpu)
    put("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
        std::to_string(cpu % 4) + "," + std::to_string(cpu % 4 + 4) + "\n");
  EXPECT_EQ(judge("smt").value,
            "on: 8 hardware threads on 4 cores; thread counts stop at the cores, one CPU of each: 0-3");
  put_cpus(8);
  EXPECT_EQ(judge("smt").value, "off: no two logical CPUs share a core");
}

TEST_F(Processor, AQuotaIsRoundedDownAndSaysSo) {
  put_cpus(64);
  put("/proc/self/cgroup", "0::/job\n");
  put("/sys/fs/cgroup/job/cpu.stat", "nr_throttled 12\nthrottled_usec 3\n");
  put("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
  EXPECT_EQ(judge("quota").value, "1.5 CPUs of CPU time, so 1 thread at most, throttled 12 times so far");
  EXPECT_EQ(health("quota"), "WARN");
  put("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  EXPECT_TRUE(holds(judge("quota").value, "so 2 threads at most"));
  put("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_EQ(judge("quota").value, "no limit on CPU time, throttled 12 times so far");
  EXPECT_EQ(health("quota"), "PASS");
}

TEST_F(Processor, ThrottlingWhileTheDoctorLooksIsAWarning) {
  put_cpus(2);
  put("/proc/self/cgroup", "0::/job\n");
  put("/sys/fs/cgroup/job/cpu.stat", "nr_throttled 12\n");
  for (const char* cpu : {"cpu0", "cpu1"})
    put(std::string("/sys/devices/system/cpu/") + cpu + "/thermal_throttle/core_throttle_count", "5\n");
  DoctorFacts seen = facts();
  EXPECT_EQ(judge("temperature", seen).value, "no sensor, slowed down by heat 10 times since boot");
  EXPECT_EQ(judge("temperature", seen).health, Health::pass);
  put("/sys/fs/cgroup/job/cpu.stat", "nr_throttled 14\n");
  put("/sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "8\n");
  seen.during = Items(environment_json(read_environment_end(seen.environment.json(), root_)));
  EXPECT_TRUE(holds(judge("temperature", seen).value, "3 of them while the doctor looked"));
  EXPECT_EQ(judge("temperature", seen).health, Health::warn);
  EXPECT_TRUE(holds(judge("quota", seen).value, "2 of them while the doctor looked"));
  EXPECT_EQ(judge("quota", seen).health, Health::warn);
}

TEST_F(Processor, ANarrowMaskNamesItsProcessors) {
  put_cpus(8);
  EXPECT_EQ(health("affinity"), "PASS");
  put("/proc/self/status", "Cpus_allowed_list:\t2-3\n");
  EXPECT_EQ(judge("affinity").value, "CPUs 2-3, 2 of 8");
  EXPECT_EQ(health("affinity"), "WARN");
}

}  // namespace perflab

#include "bench/environment.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "bench/environment_test.h"
#include "device/team.h"

namespace perflab {
namespace {

using Machine = MadeUpMachine;

}  // namespace

TEST_F(Machine, AnEmptyTreeGivesUnknownAndNeverOk) {
  const Json environment = read();
  for (const char* item : {"os",
                           "kernel",
                           "microcode",
                           "cpufreq_driver",
                           "cpufreq_governor",
                           "cpu_boost",
                           "clock_source",
                           "steal_ticks",
                           "cfs_nr_throttled",
                           "core_throttle_count",
                           "temperature_c",
                           "load_average_start",
                           "memory_bytes",
                           "swap_used_bytes",
                           "transparent_huge_pages",
                           "hypervisor",
                           "container",
                           "aslr",
                           "numa_balancing",
                           "smt_active",
                           "core_kinds",
                           "power_supply",
                           "emulation",
                           "numa_node_cpus",
                           "nvidia_gpus_on_bus",
                           "frequency_control",
                           "dev_shm_bytes",
                           "wsl"}) {
    EXPECT_EQ(status(environment, item), "UNKNOWN") << item;
    EXPECT_TRUE(environment.at(item).at("value").is_null()) << item;
  }
}

TEST_F(Machine, EveryItemHasValueSourceAndStatus) {
  const Json environment = read();
  for (const auto& [name, item] : environment.object()) {
    EXPECT_NE(item.find("value"), nullptr) << name;
    EXPECT_FALSE(item.at("source").text().empty()) << name;
    const std::string text = item.at("status").text();
    EXPECT_TRUE(text == "PASS" || text == "WARN" || text == "UNKNOWN") << name;
  }
}

TEST_F(Machine, TheThreadTeamIsTheOneThatWasLinked) {
  EXPECT_EQ(read().at("thread_team").at("value").text(), Team::engine());
}

TEST_F(Machine, AGovernorThatSavesPowerIsAWarning) {
  put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(status(read(), "cpufreq_governor"), "WARN");
  put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  EXPECT_EQ(status(read(), "cpufreq_governor"), "PASS");
  EXPECT_EQ(read().at("cpufreq_governor").at("value").text(), "performance");
}

TEST_F(Machine, FrequenciesAreInMHz) {
  put("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3500000\n");
  EXPECT_EQ(read().at("cpu_max_mhz").at("value").number(), 3500);
  put("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  EXPECT_TRUE(read().at("cpu_boost").at("value").boolean());
  EXPECT_EQ(status(read(), "cpu_boost"), "WARN");
}

TEST_F(Machine, AHypervisorIsAWarningAndItsAbsenceIsNot) {
  put("/proc/cpuinfo",
      "processor\t: 0\nmodel name\t: Made Up 9000\nmicrocode\t: 0x2b\nflags\t\t: fpu avx2 hypervisor\n");
  EXPECT_EQ(status(read(), "hypervisor"), "WARN");
  EXPECT_EQ(read().at("microcode").at("value").text(), "0x2b");
  EXPECT_EQ(read().at("cpu_model").at("value").text(), "Made Up 9000");
  put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Made Up 9000\nflags\t\t: fpu avx2\n");
  EXPECT_EQ(status(read(), "hypervisor"), "PASS");
}

// Processors of ARM have no such flag: a virtual machine looks the same as a machine.
TEST_F(Machine, WithoutProcessorFlagsNobodyKnowsOfAHypervisor) {
  put("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x61\n");
  EXPECT_EQ(status(read(), "hypervisor"), "UNKNOWN");
}

TEST_F(Machine, TellsContainersAndWslFromPlainSystems) {
  put("/proc/1/cgroup", "0::/init.scope\n");
  put("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  EXPECT_EQ(read().at("container").at("value").text(), "none found");
  EXPECT_EQ(status(read(), "wsl"), "PASS");
  put("/.dockerenv", " ");
  put("/proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n");
  EXPECT_EQ(read().at("container").at("value").text(), "docker");
  EXPECT_EQ(status(read(), "wsl"), "WARN");
}

TEST_F(Machine, TellsContainersWhoseControlGroupSaysNothing) {
  put("/proc/1/cgroup", "0::/\n");
  put("/proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/a rw\n");
  EXPECT_EQ(text(read(), "container"), "none found");
  put("/proc/self/mountinfo", "22 1 0:30 / / rw - overlay overlay rw\n");
  EXPECT_EQ(text(read(), "container"), "without a name (its root is an overlay)");
  put("/var/run/secrets/kubernetes.io/serviceaccount/namespace", "x");
  EXPECT_EQ(text(read(), "container"), "kubernetes");
  put("/run/systemd/container", "lxc\n");
  EXPECT_EQ(text(read(), "container"), "lxc");
}

TEST_F(Machine, MemoryComesInBytesAndSwapInUseWarns) {
  put("/proc/meminfo",
      "MemTotal:  8000000 kB\nMemAvailable: 4000000 kB\nSwapTotal: 1000 kB\nSwapFree: 900 kB\n");
  put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  const Json environment = read();
  EXPECT_EQ(environment.at("memory_bytes").at("value").number(), 8192000000.0);
  EXPECT_EQ(environment.at("swap_used_bytes").at("value").number(), 102400);
  EXPECT_EQ(status(environment, "swap_used_bytes"), "WARN");
  EXPECT_EQ(environment.at("transparent_huge_pages").at("value").text(), "madvise");
}

TEST_F(Machine, StolenTimeAndThrottlingAreTheGrowthOverTheRun) {
  put("/proc/stat", "cpu  100 0 100 700 0 0 0 100 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
  put("/proc/self/cgroup", "0::/user/job\n");
  put("/sys/fs/cgroup/user/job/cpu.stat",
      "usage_usec 5\nnr_periods 10\nnr_throttled 3\nthrottled_usec 4000\n");
  put("/proc/loadavg", "0.25 0.10 0.05 1/100 4242\n");
  const Json start = read();
  EXPECT_EQ(start.at("steal_ticks").at("value").number(), 100);
  EXPECT_EQ(start.at("total_ticks").at("value").number(), 1000);
  EXPECT_EQ(start.at("cfs_nr_throttled").at("value").number(), 3);
  EXPECT_EQ(start.at("load_average_start").at("value").number(), 0.25);

  put("/proc/stat", "cpu  150 0 150 750 0 0 0 150 0 0\n");
  put("/sys/fs/cgroup/user/job/cpu.stat", "nr_throttled 5\nthrottled_usec 9000\n");
  const Json end = environment_json(read_environment_end(start, root_));
  EXPECT_EQ(end.at("steal_pct_over_run").at("value").number(), 25);
  EXPECT_EQ(status(end, "steal_pct_over_run"), "WARN");
  EXPECT_EQ(end.at("cfs_nr_throttled_over_run").at("value").number(), 2);
  EXPECT_EQ(end.at("cfs_throttled_us_over_run").at("value").number(), 5000);
  EXPECT_EQ(status(end, "core_throttle_count_over_run"), "UNKNOWN");
}

TEST_F(Machine, ReadsTheFirstCgroupVersionToo) {
  put("/proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/job\n");
  put("/sys/fs/cgroup/cpu,cpuacct/job/cpu.stat", "nr_periods 1\nnr_throttled 7\nthrottled_time 2000000\n");
  EXPECT_EQ(read().at("cfs_nr_throttled").at("value").number(), 7);
  EXPECT_EQ(read().at("cfs_throttled_us").at("value").number(), 2000);
}

// Nothing is opened for writing: a reader who may write nowhere reads the same.
TEST_F(Machine, IsReadByWhoeverMayOnlyRead) {
  namespace fs = std::filesystem;
  using fs::perms;
  put("/proc/loadavg", "0.25 0.10 0.05 1/100 4242\n");
  put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  constexpr perms read_only = perms::owner_read | perms::group_read | perms::others_read;
  constexpr perms enter = perms::owner_exec | perms::group_exec | perms::others_exec;
  const auto set_all = [&](perms files, perms folders) {
    fs::permissions(root_, folders);
    for (const auto& entry : fs::recursive_directory_iterator(root_))
      fs::permissions(entry.path(), entry.is_directory() ? folders : files);
  };
  set_all(read_only, read_only | enter);
  const perms above = fs::status(root_.parent_path()).permissions();
  const bool root = ::getuid() == 0;  // who could write everywhere, and becomes somebody else
  if (root) fs::permissions(root_.parent_path(), above | enter);
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    try {
      if (root && ::setuid(nobody) != 0) ::_exit(2);
      if (::access(root_.c_str(), W_OK) == 0) ::_exit(3);
      const Json seen = read();
      const bool same = text(seen, "cpufreq_governor") == "powersave" &&
                        seen.at("load_average_start").at("value").number() == 0.25;
      ::_exit(same ? 0 : 1);
    } catch (...) {
      ::_exit(4);
    }
  }
  int ended = 0;
  ::waitpid(child, &ended, 0);
  if (root) fs::permissions(root_.parent_path(), above);
  set_all(perms::owner_all, perms::owner_all);
  ASSERT_TRUE(WIFEXITED(ended));
  EXPECT_EQ(WEXITSTATUS(ended), 0);
}

TEST_F(Machine, IsLeftAsItWas) {
  put("/proc/loadavg", "0.25 0.10 0.05 1/100 4242\n");
  const auto count = [&] {
    return std::distance(std::filesystem::recursive_directory_iterator(root_),
                         std::filesystem::recursive_directory_iterator());
  };
  const auto before = count();
  read();
  EXPECT_EQ(count(), before);
}

TEST_F(Machine, KeepsListedVariablesAndNoOthers) {
  ::setenv("OMP_TEST_OF_PERFLAB", "7", 1);
  ::setenv("PERFLAB_TEST_PASSWORD", "secret", 1);
  const Json environment = read();
  const Json& variables = environment.at("variables").at("value");
  EXPECT_EQ(variables.text_or("OMP_TEST_OF_PERFLAB", ""), "7");
  EXPECT_EQ(environment.dump().find("secret"), std::string::npos);
  ::unsetenv("OMP_TEST_OF_PERFLAB");
  ::unsetenv("PERFLAB_TEST_PASSWORD");
  EXPECT_TRUE(is_recorded_variable("LANG"));
  EXPECT_FALSE(is_recorded_variable("LANGUAGE_TOKEN"));
  EXPECT_FALSE(is_recorded_variable("AWS_SECRET_ACCESS_KEY"));
}

TEST_F(Machine, NamesCompilerFlagsAndLibraries) {
  const Json environment = read();
  EXPECT_NE(environment.at("compiler_flags").at("value").text().find("-ffp-contract=off"), std::string::npos);
  EXPECT_FALSE(environment.at("compiler").at("value").text().empty());
  EXPECT_EQ(status(environment, "library_fmt"), "PASS");
  EXPECT_EQ(status(environment, "library_libc"), "PASS");
}

}  // namespace perflab

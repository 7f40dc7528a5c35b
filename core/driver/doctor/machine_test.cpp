// Power, load, virtual machines, containers, emulators; memory and clock; folders.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "driver/doctor/doctor_test.h"

namespace perflab {
namespace {

using MachineRules = DoctorTest;

}  // namespace

TEST_F(MachineRules, ABatteryIsToldToBeChargedAndMainsAreNot) {
  put("/sys/class/power_supply/BAT0/type", "Battery\n");
  put("/sys/class/power_supply/BAT0/status", "Discharging\n");
  EXPECT_EQ(health("power"), "WARN");
  EXPECT_EQ(judge("power").fix, "plug it in");
  put("/sys/class/power_supply/AC/type", "Mains\n");
  put("/sys/class/power_supply/AC/online", "1\n");
  EXPECT_EQ(health("power"), "PASS");
}

TEST_F(MachineRules, AVirtualMachineDoesNotSeeItsHostsBattery) {
  std::filesystem::create_directories(root_ / "sys/class/power_supply");
  put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu\n");
  EXPECT_EQ(health("power"), "PASS");
  EXPECT_EQ(health("vm"), "PASS");
  put_virtual_machine();
  EXPECT_EQ(health("power"), "UNKNOWN");
  put("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
  EXPECT_EQ(health("vm"), "UNKNOWN");
}

TEST_F(MachineRules, LoadAndStolenTimeWarn) {
  put("/proc/loadavg", "3.50 1 1 1/100 4242\n");
  put("/proc/stat", "cpu  100 0 100 700 0 0 0 100 0 0\n");
  EXPECT_EQ(health("load"), "WARN");
  EXPECT_TRUE(holds(judge("steal").value, "10.0 % of CPU time went to other machines since boot"));
  EXPECT_EQ(health("steal"), "WARN");
  put("/proc/loadavg", "0.10 1 1 1/100 4242\n");
  put("/proc/stat", "cpu  100 0 100 800 0 0 0 0 0 0\n");
  EXPECT_EQ(health("load"), "PASS");
  EXPECT_EQ(health("steal"), "PASS");
  DoctorFacts seen = facts();  // of a machine that has been up for long, only now disturbed
  seen.during = Items(Json::Object{{"steal_pct_over_run", Json::Object{{"value", 5.0}}}});
  EXPECT_EQ(judge("steal", seen).health, Health::warn);
}

TEST_F(MachineRules, WhatKindOfMachineItIsIsNamed) {
  put_virtual_machine();
  put("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  put("/sys/class/dmi/id/product_name", "Standard PC\n");
  EXPECT_EQ(judge("vm").value, "a virtual machine: QEMU Standard PC");
  put("/proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n");
  EXPECT_EQ(judge("wsl").value, "Windows Subsystem for Linux, kernel 5.15.90.1-microsoft-standard-WSL2");
  EXPECT_EQ(health("wsl"), "WARN");
  put("/proc/1/cgroup", "0::/system.slice/docker-1234.scope\n");
  EXPECT_EQ(judge("container").value, "docker");
  put("/proc/cpuinfo", "vendor_id\t: VirtualApple\nmodel name\t: VirtualApple @ 2.50GHz\n");
  EXPECT_EQ(judge("emulation").value, "Rosetta");
  EXPECT_EQ(health("emulation"), "WARN");
  EXPECT_TRUE(holds(outlook(facts()).back().text + doctor_text(facts(), judge_all(facts())), "Rosetta"));
}

TEST_F(MachineRules, TwoNodesAreListedAndOneIsNotTestable) {
  put("/sys/devices/system/node/online", "0-1\n");
  put("/sys/devices/system/node/node0/cpulist", "0-7\n");
  put("/sys/devices/system/node/node1/cpulist", "8-15\n");
  put("/proc/sys/kernel/numa_balancing", "1\n");
  put("/proc/self/numa_maps", "00400000 default file=/bin/cat\n");
  EXPECT_EQ(judge("numa").value, "2 nodes (node0: 0-7; node1: 8-15), balancing on, memory policy default");
  EXPECT_EQ(health("numa"), "WARN");
  EXPECT_TRUE(holds(judge("numa").fix, "numactl --cpunodebind=0 --membind=0"));
  put("/proc/self/numa_maps", "00400000 bind:0 file=/bin/cat\n");
  EXPECT_EQ(health("numa"), "PASS");
  put("/sys/devices/system/node/online", "0\n");
  EXPECT_TRUE(holds(judge("numa").value, "not testable (one_numa_node)"));
  EXPECT_TRUE(holds(doctor_text(facts(), judge_all(facts())), "one NUMA node"));
}

TEST_F(MachineRules, MemorySwapAndPagesAreTold) {
  put("/proc/meminfo",
      "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\nSwapTotal: 1000 kB\nSwapFree: 1000 kB\n");
  put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  EXPECT_EQ(judge("memory").value, "4.10 GB available of 8.19 GB");
  EXPECT_EQ(health("swap"), "PASS");
  EXPECT_EQ(judge("hugepages").value, "transparent huge pages: madvise");
  put("/proc/meminfo",
      "MemTotal: 8000000 kB\nMemAvailable: 400000 kB\nSwapTotal: 1000 kB\nSwapFree: 10 kB\n");
  EXPECT_EQ(health("memory"), "WARN");
  EXPECT_EQ(health("swap"), "WARN");
  EXPECT_TRUE(holds(judge("swap").fix, "swapoff"));
  put("/.dockerenv", "x");
  EXPECT_EQ(health("swap"), "WARN");
  EXPECT_EQ(judge("swap").fix, "");  // nobody in a container can
}

TEST_F(MachineRules, TheMemoryOfAContainerIsWhatItMayUse) {
  put("/proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 7000000 kB\n");
  put("/proc/self/cgroup", "0::/box\n");
  put("/sys/fs/cgroup/box/memory.max", "max\n");
  EXPECT_EQ(judge("memory").value, "7.17 GB available of 8.19 GB");
  EXPECT_EQ(health("memory"), "PASS");
  put("/sys/fs/cgroup/box/memory.max", "512000000\n");
  EXPECT_TRUE(holds(judge("memory").value, "may use 512 MB only")) << judge("memory").value;
  EXPECT_EQ(health("memory"), "WARN");
}

TEST_F(MachineRules, AddressesAreRecordedAndNeverChanged) {
  put("/proc/sys/kernel/randomize_va_space", "2\n");
  EXPECT_TRUE(holds(judge("aslr").value, "recorded, never changed"));
  EXPECT_EQ(health("aslr"), "PASS");
  put("/proc/sys/kernel/randomize_va_space", "0\n");
  EXPECT_EQ(health("aslr"), "PASS");
}

TEST_F(MachineRules, AClockThatDoesNotMoveIsAFailure) {
  DoctorFacts seen = facts();
  Json environment = seen.environment.json();
  environment.set("clock_resolution_ns",
                  Json::Object{{"value", Json()}, {"source", "x"}, {"status", "UNKNOWN"}});
  seen.environment = Items(environment);
  EXPECT_EQ(judge("clock", seen).health, Health::fail);
  EXPECT_EQ(doctor_exit_code(seen, judge_all(seen)), 6);
}

TEST_F(MachineRules, FilesOfAnotherSystemAreRefusedForDisksAndLayersAreAWarning) {
  put("/proc/self/mountinfo",
      "22 1 8:1 / / rw - overlay overlay rw\n30 22 0:40 / /mnt/c rw - 9p C: rw,aname=drvfs\n"
      "31 22 0:41 / /net rw - nfs4 host:/x rw\n32 22 0:42 / /tmp rw - tmpfs tmpfs rw\n33 22 0:43 / /home rw "
      "- ext4 /dev/a rw\n");
  for (const char* folder : {"/mnt/c/results", "/net/results"}) {
    EXPECT_TRUE(holds(judge("disk", facts(folder)).note, "refused for claims about disks")) << folder;
    EXPECT_EQ(judge("disk", facts(folder)).health, Health::warn) << folder;
  }
  EXPECT_EQ(judge("disk", facts("/results")).health, Health::warn);
  EXPECT_EQ(judge("disk", facts("/tmp/results")).health, Health::warn);
  EXPECT_EQ(judge("disk", facts("/home/me")).health, Health::pass);
}

TEST_F(MachineRules, AFolderIsTriedAndLeftAsItWas) {
  const auto count = [&] {
    return std::distance(std::filesystem::recursive_directory_iterator(root_),
                         std::filesystem::recursive_directory_iterator());
  };
  EXPECT_EQ(try_results(root_ / "new" / "results", 1000).problem, "");
  EXPECT_EQ(count(), 0);
  put("/file", "x");
  const ResultsFolder unusable = try_results(root_ / "file" / "results", 1000);
  EXPECT_TRUE(holds(unusable.problem, "cannot use")) << unusable.problem;
  EXPECT_FALSE(unusable.full);
  const ResultsFolder small = try_results(root_, 1e17);
  EXPECT_TRUE(small.full);
  EXPECT_EQ(count(), 1);

  DoctorFacts seen = facts();
  EXPECT_EQ(doctor_exit_code(seen, judge_all(seen)), 0);
  seen.results = unusable;
  EXPECT_EQ(judge("results", seen).health, Health::fail);
  EXPECT_TRUE(holds(judge("results", seen).value, "/file/results' cannot be made: "))
      << judge("results", seen).value;
  EXPECT_FALSE(holds(judge("results", seen).value, "--out"));  // the fix says it
  EXPECT_EQ(doctor_exit_code(seen, judge_all(seen)), 6);
  seen.results = small;
  EXPECT_EQ(doctor_exit_code(seen, judge_all(seen)), 5);
}

TEST_F(MachineRules, ACommaInNumbersIsHarmlessAndSaidToBe) {
  DoctorFacts seen = facts();
  Json environment = seen.environment.json();
  environment.set("locale", Json::Object{{"value", "de_DE.UTF-8"}, {"source", "x"}, {"status", "PASS"}});
  environment.set("locale_decimal_sign", Json::Object{{"value", ","}, {"source", "x"}, {"status", "PASS"}});
  seen.environment = Items(environment);
  EXPECT_EQ(judge("locale", seen).value, "de_DE.UTF-8, decimal comma: harmless, files always hold points");
  EXPECT_EQ(judge("locale", seen).health, Health::pass);
  environment.set("locale", Json::Object{{"value", "C"}, {"source", "x"}, {"status", "WARN"}});
  seen.environment = Items(environment);
  EXPECT_EQ(judge("locale", seen).fix, "export LC_ALL=C.UTF-8");
}

}  // namespace perflab

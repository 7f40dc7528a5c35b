// Core kinds, power, emulation, nodes, locale, filesystems.
#include "bench/environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "bench/environment_test.h"

namespace perflab {
namespace {

using Machine = MadeUpMachine;

class Kinds : public MadeUpMachine {
 protected:
  void put_speeds(const std::string& file, const std::vector<int>& speeds) {
    put_cpus(int(speeds.size()));
    for (std::size_t cpu = 0; cpu < speeds.size(); ++cpu)
      put("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/" + file,
          std::to_string(speeds[cpu]) + "\n");
  }
};

}  // namespace

TEST_F(Kinds, AreTheTwoThatIntelNames) {
  put("/sys/devices/cpu_core/cpus", "0-7\n");
  put("/sys/devices/cpu_atom/cpus", "8-15\n");
  EXPECT_EQ(text(read(), "core_kinds"), "fast: 0-7; slow: 8-15");
  EXPECT_EQ(status(read(), "core_kinds"), "WARN");
}

TEST_F(Kinds, AreToldByCapacity) {
  put_speeds("cpu_capacity", {400, 400, 400, 1024, 1024, 400});
  EXPECT_EQ(text(read(), "core_kinds"), "fast: 3-4; slow: 0-2,5");
}

TEST_F(Kinds, AreToldByTheHighestFrequencyButBoostOfAFewPercentIsNone) {
  put_speeds("cpufreq/cpuinfo_max_freq", {5000000, 5000000, 3600000});
  EXPECT_EQ(text(read(), "core_kinds"), "fast: 0-1; slow: 2");
  put_speeds("cpufreq/cpuinfo_max_freq", {5300000, 5100000, 4900000});
  EXPECT_EQ(text(read(), "core_kinds"), "one kind");
  EXPECT_EQ(status(read(), "core_kinds"), "PASS");
}

TEST_F(Machine, KnowsWhereItsPowerComesFrom) {
  put("/sys/class/power_supply/AC/type", "Mains\n");
  put("/sys/class/power_supply/AC/online", "1\n");
  EXPECT_EQ(text(read(), "power_supply"), "no battery");
  put("/sys/class/power_supply/BAT0/type", "Battery\n");
  put("/sys/class/power_supply/BAT0/status", "Charging\n");
  EXPECT_EQ(text(read(), "power_supply"), "battery, on mains");
  put("/sys/class/power_supply/AC/online", "0\n");
  put("/sys/class/power_supply/BAT0/status", "Discharging\n");
  EXPECT_EQ(text(read(), "power_supply"), "on battery");
  EXPECT_EQ(status(read(), "power_supply"), "WARN");
}

TEST_F(Machine, AMousesBatteryIsNotTheMachines) {
  put("/sys/class/power_supply/hid-mouse/type", "Battery\n");
  put("/sys/class/power_supply/hid-mouse/scope", "Device\n");
  put("/sys/class/power_supply/hid-mouse/status", "Discharging\n");
  EXPECT_EQ(text(read(), "power_supply"), "no battery");
}

TEST_F(Machine, TellsAnEmulatorFromAProcessor) {
  put("/proc/sys/kernel/arch", "x86_64\n");
  put("/proc/cpuinfo", "vendor_id\t: GenuineIntel\nmodel name\t: Imaginary 9000\nflags\t: fpu\n");
  EXPECT_EQ(text(read(), "emulation"), "none found");
  put("/proc/cpuinfo", "vendor_id\t: VirtualApple\nmodel name\t: VirtualApple @ 2.50GHz\n");
  EXPECT_EQ(text(read(), "emulation"), "Rosetta");
  EXPECT_EQ(status(read(), "emulation"), "WARN");
  put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\nmodel name\t: QEMU TCG CPU version 2.5+\n");
  EXPECT_EQ(text(read(), "emulation"), "QEMU without hardware virtualisation");
  put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n");
  EXPECT_NE(text(read(), "emulation").find("qemu-user"), std::string::npos);
  put("/proc/sys/kernel/arch", "aarch64\n");
  EXPECT_EQ(text(read(), "emulation"), "none found");
}

TEST_F(Machine, ListsTheProcessorsOfBothNodes) {
  put("/sys/devices/system/node/online", "0-1\n");
  put("/sys/devices/system/node/node0/cpulist", "0-7\n");
  put("/sys/devices/system/node/node1/cpulist", "8-15\n");
  EXPECT_EQ(text(read(), "numa_node_cpus"), "node0: 0-7; node1: 8-15");
}

TEST_F(Machine, AFrequencyThatNobodyCanSetIsRecordedAsUnavailable) {
  put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(text(read(), "frequency_control"), "available");
  put("/.dockerenv", " ");
  EXPECT_EQ(text(read(), "frequency_control"), "unavailable: container");
  put("/proc/cpuinfo", "processor\t: 0\nflags\t: fpu hypervisor\n");
  EXPECT_EQ(text(read(), "frequency_control"), "unavailable: virtual machine");
}

TEST_F(Machine, CountsNvidiasDisplayControllersOnTheBus) {
  put("/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
  put("/sys/bus/pci/devices/0000:01:00.0/class", "0x030200\n");
  put("/sys/bus/pci/devices/0000:01:00.1/vendor", "0x10de\n");
  put("/sys/bus/pci/devices/0000:01:00.1/class", "0x040300\n");  // its sound
  put("/sys/bus/pci/devices/0000:02:00.0/vendor", "0x8086\n");
  put("/sys/bus/pci/devices/0000:02:00.0/class", "0x030000\n");
  EXPECT_EQ(read().at("nvidia_gpus_on_bus").at("value").number(), 1);
}

TEST_F(Machine, ALocaleIsRecordedWithItsDecimalSign) {
  ::setenv("LC_ALL", "C.UTF-8", 1);
  EXPECT_EQ(text(read(), "locale"), "C.UTF-8");
  EXPECT_EQ(status(read(), "locale"), "PASS");
  EXPECT_EQ(text(read(), "locale_decimal_sign"), ".");
  ::setenv("LC_ALL", "POSIX", 1);
  EXPECT_EQ(status(read(), "locale"), "WARN");
  ::setenv("LC_ALL", "xx_XX.utf8", 1);  // not installed here: its sign is unknown
  EXPECT_EQ(status(read(), "locale"), "PASS");
  EXPECT_EQ(status(read(), "locale_decimal_sign"), "UNKNOWN");
  ::unsetenv("LC_ALL");
}

TEST_F(Machine, TheFilesystemIsThatOfTheInnermostMount) {
  put("/proc/self/mountinfo",
      "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
      "30 22 0:40 / /mnt/c rw,noatime - 9p C:\\134 rw,aname=drvfs;path=C:\\;uid=1000\n"
      "31 22 0:41 / /mnt/host rw - 9p share rw,trans=virtio\n"
      "32 22 0:42 / /with\\040blank rw shared:1 - fuse.sshfs host: rw\n"
      "33 22 0:43 / /tmp rw - tmpfs tmpfs rw\n"
      "34 22 0:44 / /mnt/con rw - xfs /dev/sdb rw\n");
  const auto seen = [&](const char* folder) { return text(read(folder), "results_filesystem"); };
  EXPECT_EQ(seen("/home/me/results"), "ext4");
  EXPECT_EQ(seen("/mnt/c/results"), "drvfs");
  EXPECT_EQ(seen("/mnt/host"), "9p");
  EXPECT_EQ(seen("/with blank/results"), "fuse.sshfs");
  EXPECT_EQ(seen("/tmp/results"), "tmpfs");
  EXPECT_EQ(seen("/mnt/con/results"), "xfs");
  EXPECT_EQ(status(read("/mnt/c/results"), "results_filesystem"), "WARN");
  EXPECT_EQ(status(read("/home"), "results_filesystem"), "PASS");
}

TEST(StorageOf, KnowsDisksMemoryLayersAndOtherPeoplesFiles) {
  for (const char* name : {"ext4", "btrfs", "xfs", "zfs", "fuseblk"})
    EXPECT_EQ(storage_of(name), Storage::disk) << name;
  for (const char* name : {"tmpfs", "ramfs"}) EXPECT_EQ(storage_of(name), Storage::memory) << name;
  EXPECT_EQ(storage_of("overlay"), Storage::layered);
  for (const char* name : {"9p", "drvfs", "nfs4", "cifs", "virtiofs", "fuse.sshfs", "lustre"})
    EXPECT_EQ(storage_of(name), Storage::shared) << name;
  EXPECT_EQ(storage_of("type 0x1234"), Storage::unknown);
}

}  // namespace perflab

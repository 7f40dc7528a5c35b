#include "device/topology.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/test_folder.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

// A made-up machine: files under a folder that is removed with it.
class Machine {
 public:
  Machine& file(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
    return *this;
  }
  // `cores` cores with `threads` hardware threads each; siblings are core, core + cores, ... as Linux numbers
  // them.
  Machine& cpus(int cores, int threads) {
    const int all = cores * threads;
    file("sys/devices/system/cpu/online", all == 1 ? "0\n" : fmt::format("0-{}\n", all - 1));
    file("proc/self/status", fmt::format("Name:\tx\nCpus_allowed_list:\t0-{}\n", all - 1));
    for (int cpu = 0; cpu < all; ++cpu) {
      const std::string folder = fmt::format("sys/devices/system/cpu/cpu{}/", cpu);
      std::string siblings = fmt::format("{}", cpu % cores);
      for (int thread = 1; thread < threads; ++thread)
        siblings += fmt::format(",{}", cpu % cores + thread * cores);
      file(folder + "topology/thread_siblings_list", siblings + "\n");
      file(folder + "topology/physical_package_id", "0\n");
    }
    return *this;
  }
  Machine& cache(int cpu, int index, int level, const std::string& type, const std::string& cache_size,
                 const std::string& shared) {
    const std::string folder = fmt::format("sys/devices/system/cpu/cpu{}/cache/index{}/", cpu, index);
    return file(folder + "level", fmt::format("{}\n", level))
        .file(folder + "type", type + "\n")
        .file(folder + "size", cache_size + "\n")
        .file(folder + "shared_cpu_list", shared + "\n");
  }
  Topology read() const { return read_topology(root_); }

 private:
  const TestFolder owner_;
  const fs::path root_ = owner_.path();
};

}  // namespace

TEST(Topology, AnEmptyTreeGivesUnknownsAndOneEffectiveCpu) {
  const Topology nothing = Machine().read();
  EXPECT_EQ(nothing.cpu_model, "");
  EXPECT_EQ(nothing.sockets, 0);
  EXPECT_EQ(nothing.physical_cores, 0);
  EXPECT_EQ(nothing.logical_cpus, 0);
  EXPECT_EQ(nothing.affinity_cpus, 0);
  EXPECT_EQ(nothing.quota_cpus, 0);
  EXPECT_EQ(nothing.effective_cpus, 1);
  EXPECT_TRUE(nothing.caches.empty());
  EXPECT_EQ(nothing.last_level_total_bytes(), 0);
  EXPECT_EQ(nothing.memory_bytes, 0);
  EXPECT_EQ(nothing.page_bytes, 0);
  EXPECT_EQ(nothing.numa_nodes, 0);
  EXPECT_FALSE(nothing.hypervisor);
}

TEST(Topology, AVersion2QuotaLimitsTheEffectiveCpusRoundedDown) {
  Machine machine;
  machine.cpus(64, 1).file("proc/self/cgroup", "0::/box/job\n");
  const auto with_limit = [&](const std::string& text) {
    machine.file("sys/fs/cgroup/box/job/cpu.max", text);
    return machine.read();
  };
  EXPECT_EQ(with_limit("200000 100000\n").effective_cpus, 2);
  EXPECT_EQ(with_limit("150000 100000\n").effective_cpus, 1);
  EXPECT_EQ(with_limit("150000 100000\n").quota_cpus, 1.5);
  EXPECT_EQ(with_limit("50000 100000\n").effective_cpus, 1);
  EXPECT_EQ(with_limit("max 100000\n").effective_cpus, 64);
  EXPECT_EQ(with_limit("max 100000\n").quota_cpus, 0);
  EXPECT_EQ(with_limit("garbage\n").effective_cpus, 64);
}

TEST(Topology, TheTightestAncestorsQuotaCounts) {
  Machine machine;
  machine.cpus(64, 1).file("proc/self/cgroup", "0::/box/job\n");
  machine.file("sys/fs/cgroup/box/job/cpu.max", "800000 100000\n")
      .file("sys/fs/cgroup/box/cpu.max", "300000 100000\n");
  EXPECT_EQ(machine.read().effective_cpus, 3);
}

TEST(Topology, AContainerThatSeesItsGroupAtTheRootIsLimitedToo) {
  Machine machine;
  machine.cpus(64, 1).file("proc/self/cgroup", "0::/not/visible/here\n");
  machine.file("sys/fs/cgroup/cpu.max", "400000 100000\n");
  EXPECT_EQ(machine.read().effective_cpus, 4);
}

TEST(Topology, AVersion1QuotaIsFoundUnderItsControllersName) {
  Machine machine;
  machine.cpus(16, 1).file("proc/self/cgroup", "4:memory:/m\n3:cpu,cpuacct:/box\n0::/\n");
  machine.file("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "250000\n");
  machine.file("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(machine.read().quota_cpus, 2.5);
  EXPECT_EQ(machine.read().effective_cpus, 2);
  machine.file("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");  // no limit
  EXPECT_EQ(machine.read().quota_cpus, 0);
  EXPECT_EQ(machine.read().effective_cpus, 16);
}

TEST(Topology, TheTightestVersion1AncestorCountsAndAContainersRootToo) {
  Machine machine;
  machine.cpus(16, 1).file("proc/self/cgroup", "3:cpu,cpuacct:/box/job\n");
  machine.file("sys/fs/cgroup/cpu,cpuacct/box/job/cpu.cfs_quota_us", "800000\n")
      .file("sys/fs/cgroup/cpu,cpuacct/box/job/cpu.cfs_period_us", "100000\n")
      .file("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "150000\n")
      .file("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(machine.read().effective_cpus, 3);
  machine.file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "20000\n")
      .file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "10000\n");
  EXPECT_EQ(machine.read().effective_cpus, 2);
}

TEST(Topology, WithBothVersionsMountedTheTighterOneCounts) {
  Machine machine;
  machine.cpus(16, 1).file("proc/self/cgroup", "3:cpu:/box\n0::/job\n");
  machine.file("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "500000\n")
      .file("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n")
      .file("sys/fs/cgroup/unified/job/cpu.max", "700000 100000\n");
  EXPECT_EQ(machine.read().effective_cpus, 5);
  machine.file("sys/fs/cgroup/unified/job/cpu.max", "400000 100000\n");
  EXPECT_EQ(machine.read().effective_cpus, 4);
}

TEST(Topology, ACpusetAndAQuotaTogetherGiveTheSmallerNumber) {
  Machine machine;
  machine.cpus(16, 1).file("proc/self/cgroup", "0::/job\n");
  machine.file("proc/self/status", "Cpus_allowed_list:\t4-6,9\n")
      .file("sys/fs/cgroup/job/cpu.max", "300000 100000\n");
  EXPECT_EQ(machine.read().effective_cpus, 3);
  machine.file("proc/self/status", "Cpus_allowed_list:\t4,9\n");
  EXPECT_EQ(machine.read().effective_cpus, 2);
}

TEST(Topology, TheAffinityMaskLimitsTheEffectiveCpus) {
  Machine machine;
  machine.cpus(8, 1).file("proc/self/status", "Cpus_allowed_list:\t1,3-4\n");
  EXPECT_EQ(machine.read().affinity_cpus, 3);
  EXPECT_EQ(machine.read().effective_cpus, 3);
  EXPECT_EQ(machine.read().logical_cpus, 8);
}

TEST(Topology, HardwareThreadsOfOneCoreCountAsOneCore) {
  Machine machine;
  machine.cpus(4, 2);
  EXPECT_EQ(machine.read().physical_cores, 4);
  EXPECT_EQ(machine.read().logical_cpus, 8);
  EXPECT_EQ(machine.read().sockets, 1);
}

TEST(Topology, FourCoresOfTwoHardwareThreadsAreAtMostFourThreadsOnOneProcessorOfEachCore) {
  Machine machine;
  machine.cpus(4, 2);
  EXPECT_EQ(thread_counts(machine.read()), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(machine.read().cpu_of_each_core, (std::vector<int>{0, 1, 2, 3}));
  machine.file("proc/self/status", "Cpus_allowed_list:\t2,4-6\n");  // 2 and 6 share a core
  EXPECT_EQ(machine.read().cpu_of_each_core, (std::vector<int>{2, 4, 5}));
}

TEST(Topology, ListsOfProcessorsAreReadAndWrittenAsTheKernelDoes) {
  EXPECT_EQ(cpu_list("0-3,8, 10-11\n"), (std::vector<int>{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(cpu_list_text({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(cpu_list_text({}), "");
  EXPECT_TRUE(cpu_list("none").empty());
}

TEST(Topology, AMaskOfSiblingsIsFewerCoresThanProcessors) {
  Machine machine;
  machine.cpus(4, 2);
  machine.file("proc/self/status", "Cpus_allowed_list:\t0,2,4\n");  // 0 and 4 share a core
  EXPECT_EQ(machine.read().affinity_cpus, 3);
  EXPECT_EQ(machine.read().affinity_cores, 2);
  EXPECT_EQ(machine.read().effective_cpus, 3);
  EXPECT_EQ(thread_counts(machine.read()), (std::vector<int>{1, 2}));
  machine.file("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "");
  EXPECT_EQ(machine.read().affinity_cores, 0);  // unknown, not guessed
}

TEST(Topology, CpuinfoAloneGivesModelCoresAndHypervisor) {
  std::string text;
  for (int cpu = 0; cpu < 4; ++cpu)
    text += fmt::format(
        "processor\t: {}\nmodel name\t: Imaginary 9000\nphysical id\t: {}\ncore id\t\t: {}\n"
        "flags\t\t: fpu hypervisor avx\n\n",
        cpu, cpu / 2, 0);
  Machine machine;
  machine.file("proc/cpuinfo", text);
  const Topology seen = machine.read();
  EXPECT_EQ(seen.cpu_model, "Imaginary 9000");
  EXPECT_EQ(seen.logical_cpus, 4);
  EXPECT_EQ(seen.sockets, 2);
  EXPECT_EQ(seen.physical_cores, 2);  // core 0 of either socket, two hardware threads each
  EXPECT_TRUE(seen.hypervisor);
}

TEST(Topology, ReadsDataAndUnifiedCachesOnlyAndTheLargestOfEachLevel) {
  Machine machine;
  machine.cpus(4, 1)
      .cache(0, 0, 1, "Data", "32K", "0")
      .cache(0, 1, 1, "Instruction", "64K", "0")
      .cache(0, 2, 2, "Unified", "512K", "0")
      .cache(0, 3, 3, "Unified", "32M", "0-3")
      .cache(1, 0, 1, "Data", "48K", "1");
  const Topology seen = machine.read();
  ASSERT_EQ(seen.caches.size(), 3u);
  EXPECT_EQ(seen.cache_bytes(1), 48 * 1024);
  EXPECT_EQ(seen.cache_bytes(2), 512 * 1024);
  EXPECT_EQ(seen.cache_bytes(3), 32 * 1024 * 1024);
  EXPECT_EQ(seen.caches[2].shared_by_cpus, 4);
  EXPECT_EQ(seen.cache_bytes(4), 0);
  EXPECT_EQ(seen.last_level_total_bytes(), 32 * 1024 * 1024);
}

TEST(Topology, CountsTheInstancesOfACacheAndAddsThemUp) {
  Machine machine;
  machine.cpus(64, 1);
  for (int cpu = 0; cpu < 64; ++cpu) {
    const std::string folder = fmt::format("sys/devices/system/cpu/cpu{}/cache/index0/", cpu);
    machine.file(folder + "level", "3\n")
        .file(folder + "size", "32768K\n")
        .file(folder + "type", "Unified\n");
    machine.file(folder + "shared_cpu_list", fmt::format("{}-{}\n", cpu / 8 * 8, cpu / 8 * 8 + 7));
  }
  const Topology seen = machine.read();
  ASSERT_EQ(seen.caches.size(), 1u);
  EXPECT_EQ(seen.caches[0].instances, 8);
  EXPECT_EQ(seen.cache_bytes(3), 32 << 20);
  EXPECT_EQ(seen.last_level_total_bytes(), std::int64_t(256) << 20);
}

TEST(Topology, AContainersMemoryLimitCountsWhereItIsLessThanTheMachine) {
  Machine machine;
  machine.file("proc/meminfo", "MemTotal:       16384000 kB\n").file("proc/self/cgroup", "0::/box/job\n");
  machine.file("sys/fs/cgroup/box/memory.max", "536870912\n")
      .file("sys/fs/cgroup/box/job/memory.max", "max\n");
  EXPECT_EQ(machine.read().memory_bytes, 536870912);
  machine.file("sys/fs/cgroup/box/memory.max", "9223372036854771712\n");
  EXPECT_EQ(machine.read().memory_bytes, std::int64_t(16384000) * 1024);
}

TEST(Topology, CountsNumaNodesAndMemory) {
  Machine machine;
  machine.file("sys/devices/system/node/online", "0-1\n")
      .file("proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\n");
  EXPECT_EQ(machine.read().numa_nodes, 2);
  EXPECT_EQ(machine.read().memory_bytes, 16384 * 1024);
}

TEST(Topology, TheFingerprintNamesTheHardware) {
  Topology one;
  one.cpu_model = "Imaginary 9000";
  one.physical_cores = 4;
  one.memory_bytes = std::int64_t(16) << 30;
  Topology other = one;
  EXPECT_EQ(one.fingerprint().size(), 16u);
  EXPECT_EQ(one.fingerprint(), other.fingerprint());
  other.memory_bytes -= 100 << 20;  // the kernel keeps a little for itself: still the same machine
  EXPECT_EQ(one.fingerprint(), other.fingerprint());
  other.effective_cpus = 2;
  EXPECT_NE(one.fingerprint(), other.fingerprint());
  other = one;
  other.caches.push_back({3, 1 << 20, 4});
  EXPECT_NE(one.fingerprint(), other.fingerprint());
}

TEST(Topology, ThreadCountsDoubleUpToTheCoresThatWeMayUse) {
  Topology machine;
  EXPECT_EQ(thread_counts(machine), std::vector<int>{1});
  machine.effective_cpus = 12;
  EXPECT_EQ(thread_counts(machine), (std::vector<int>{1, 2, 4, 8, 12}));
  machine.physical_cores = 6;  // hardware threads share their core's arithmetic: not counted twice
  EXPECT_EQ(thread_counts(machine), (std::vector<int>{1, 2, 4, 6}));
  machine.effective_cpus = 2;
  EXPECT_EQ(thread_counts(machine), (std::vector<int>{1, 2}));
}

TEST(Topology, ThisMachineCanRunAtLeastThisTest) {
  const Topology& here = this_machine();
  EXPECT_GE(here.affinity_cpus, 1);
  EXPECT_GE(here.effective_cpus, 1);
  EXPECT_LE(here.effective_cpus, here.affinity_cpus);
  EXPECT_GT(here.page_bytes, 0);
}

}  // namespace perflab

#include "bench/probe.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/environment_test.h"
#include "bench/sampler.h"

namespace perflab {
namespace {

class ProbeTest : public MadeUpMachine {
 protected:
  void put_throttle_count(int cpu, int count) {
    put("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/thermal_throttle/core_throttle_count",
        std::to_string(count) + "\n");
  }
};

}  // namespace

TEST_F(ProbeTest, AnEmptyTreeTellsNoCounters) {
  const auto probe = system_probe(root_);
  const ProbeReading reading = probe->read();
  EXPECT_FALSE(reading.core_throttle);
  EXPECT_FALSE(reading.cfs_throttled);
  EXPECT_FALSE(reading.cpu_mhz);
  EXPECT_FALSE(probe->busy());
}

TEST_F(ProbeTest, ReadsCountersAndFrequencyAnewEveryTime) {
  put("/proc/self/cgroup", "0::/job\n");
  put("/sys/fs/cgroup/job/cpu.stat", "usage_usec 1\nnr_throttled 3\n");
  put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2500000\n");
  put_throttle_count(0, 4);
  put_throttle_count(1, 5);
  const auto probe = system_probe(root_);
  EXPECT_EQ(probe->read().core_throttle, 9);
  EXPECT_EQ(probe->read().cfs_throttled, 3);
  EXPECT_EQ(probe->read().cpu_mhz, 2500);
  put_throttle_count(1, 6);  // any core's heat counts
  put("/sys/fs/cgroup/job/cpu.stat", "usage_usec 1\nnr_throttled 8\n");
  EXPECT_EQ(probe->read().core_throttle, 10);
  EXPECT_EQ(probe->read().cfs_throttled, 8);
}

// A limit on a service or on a user counts its throttling there, not in the group of each process.
TEST_F(ProbeTest, ThrottlingByTheLimitOfAGroupAboveCounts) {
  put("/proc/self/cgroup", "0::/box/job\n");
  put("/sys/fs/cgroup/box/job/cpu.stat", "usage_usec 1\nnr_throttled 0\n");
  put("/sys/fs/cgroup/box/cpu.stat", "usage_usec 1\nnr_throttled 2\n");
  const auto probe = system_probe(root_);
  EXPECT_EQ(probe->read().cfs_throttled, 2);
  put("/sys/fs/cgroup/box/cpu.stat", "usage_usec 1\nnr_throttled 5\n");
  EXPECT_EQ(probe->read().cfs_throttled, 5);
}

// The counter rises in every third call of the measured code: those samples are invalid and taken again.
TEST_F(ProbeTest, SamplesDuringWhichACoreWasSlowedDownByHeatAreInvalid) {
  put_throttle_count(0, 0);
  put_throttle_count(1, 100);
  const auto probe = system_probe(root_);
  FakeClock clock;
  Device& device = Device::named("cpu:0");
  int calls = 0, hot = 100;
  Prepared prepared;
  prepared.experiment = "e";
  prepared.variant = "a";
  prepared.point = {{"n", std::int64_t{1}}};
  prepared.waited_for = {&device};
  prepared.max_inner = 1;
  prepared.once = [&](Counts&) {
    clock.advance_ns(1'000'000);
    if (++calls % 3 == 0) put_throttle_count(1, ++hot);
  };
  Profile profile;
  profile.name = "test";
  profile.warmup_until_steady = false;
  profile.warmup_calls = 1;
  profile.min_blocks = profile.max_blocks = 10;
  profile.target_half_width = 0;
  std::vector<Sample> kept;
  PointJob job;
  job.variants = {&prepared};
  job.baseline = "a";
  job.with_aa = false;
  sample_point(
      job,
      {.clock = clock,
       .probe = *probe,
       .profile = profile,
       .clock_quality = {1, 1},
       .run_start_ns = 0,
       .lab_start_ns = clock.now_ns(),
       .interrupted = [] { return false; },
       .keep = [&](std::span<const Sample> some) { kept.insert(kept.end(), some.begin(), some.end()); }});
  std::int64_t invalid = 0, valid = 0;
  for (const Sample& sample : kept) {
    if (sample.phase != Phase::timed) continue;
    const bool risen = sample.core_throttle_delta.value_or(0) > 0;
    EXPECT_EQ(sample.valid, !risen);
    EXPECT_EQ(sample.invalid_reason, risen ? "throttled_cpu" : "");
    ++(sample.valid ? valid : invalid);
  }
  EXPECT_EQ(valid, 10);
  EXPECT_GE(invalid, 3);
}

}  // namespace perflab

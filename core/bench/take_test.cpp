#include "bench/take.h"

#include <gtest/gtest.h>

#include "bench/sampler_test.h"

namespace perflab {
namespace {

class TakeSample : public testing::Test {
 protected:
  Prepared prepared(std::function<void(Counts&)> once, Device& waited_for) {
    Prepared result;
    result.experiment = std::string("e");
    result.variant = std::string("v");
    result.once = std::move(once);
    result.waited_for = {&waited_for};
    return result;
  }
  Sample take(Prepared& prepared, std::int64_t calls) {
    const Arm arm{.prepared = &prepared, .name = "v", .inner = calls};
    return take_sample(arm, {}, context_, Phase::timed);
  }

  FakeClock clock_;
  FakeProbe probe_;
  Profile profile_;
  const SamplerContext context_{.clock = clock_,
                                .probe = probe_,
                                .profile = profile_,
                                .clock_quality = {.resolution_ns = 1, .overhead_ns = 0},
                                .run_start_ns = 0,
                                .lab_start_ns = 0,
                                .interrupted = nullptr,
                                .keep = nullptr};
  QueueDevice device_{clock_};
};

// pytorch/pytorch#177765: one path multiplied by the inner loop count twice, another did not wait.
TEST_F(TakeSample, OneCallOfTwoMillisecondsIsTwoMillisecondsPerCallFor1And10And50Calls) {
  Prepared returns_when_done = prepared([this](Counts&) { clock_.advance_ns(2 * ms); }, device_);
  Prepared only_enqueues = prepared(
      [this](Counts&) {
        clock_.advance_ns(1000);
        device_.enqueue_ns(2 * ms - 1000);
      },
      device_);
  for (const std::int64_t calls : {1, 10, 50}) {
    for (Prepared* path : {&returns_when_done, &only_enqueues}) {
      const Sample sample = take(*path, calls);
      EXPECT_DOUBLE_EQ(sample.finish_ns.value(), 2e6) << calls;
      EXPECT_EQ(sample.inner_iters, calls);
      EXPECT_TRUE(sample.valid) << sample.invalid_reason;
    }
    EXPECT_DOUBLE_EQ(take(only_enqueues, calls).submit_ns.value(), 1000) << "a launch alone is not the work";
  }
}

// google/benchmark#170: the processor time of the main thread alone.
TEST_F(TakeSample, WallTimeAndTheProcessorTimeOfAllThreadsAreTwoColumnsOfOneCall) {
  Prepared two_threads_busy = prepared([this](Counts&) { clock_.advance_ns(50 * ms, 100 * ms); }, device_);
  for (const std::int64_t calls : {1, 7}) {
    const Sample sample = take(two_threads_busy, calls);
    EXPECT_DOUBLE_EQ(sample.finish_ns.value(), 50e6);
    EXPECT_DOUBLE_EQ(sample.proc_cpu_ns_per_iter.value(), 100e6);
  }
}

}  // namespace
}  // namespace perflab

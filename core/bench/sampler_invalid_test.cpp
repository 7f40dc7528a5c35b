// Samples that are kept, marked and taken again.

#include <algorithm>
#include <set>

#include "bench/sampler_test.h"
#include "device/runtime.h"

namespace perflab {
namespace {

TEST_F(SamplerTest, ThrottledSamplesStayInTheFileAreRetakenAndCounted) {
  int reading = 0;
  Prepared a = taking("a", ms);
  probe_.next = [&] {
    ProbeReading r;
    // Readings come in pairs around a sample; the samples 5, 9 and 14 see a slow device clock.
    const int sample_index = reading++ / 2;
    if (sample_index == 5 || sample_index == 9 || sample_index == 14) r.clock_share = 0.6;
    return r;
  };
  profile_.min_blocks = profile_.max_blocks = 20;
  sample({&a}, false);
  const std::vector<Sample> all = timed();
  const auto invalid = std::count_if(all.begin(), all.end(), [](const Sample& s) { return !s.valid; });
  EXPECT_EQ(invalid, 3);
  EXPECT_EQ(all.size(), 23u);
  std::set<int> blocks;
  for (const Sample& s : all) {
    if (s.valid) blocks.insert(s.block);
    if (!s.valid) {
      EXPECT_EQ(s.invalid_reason, "throttled_gpu");
    }
    EXPECT_EQ(s.sample > 0, s.sample == 1);
  }
  EXPECT_EQ(blocks.size(), 20u);
}

TEST_F(SamplerTest, CountersOfTheSystemInvalidateTheirSample) {
  const auto reason_for = [&](std::function<void(ProbeReading&, int)> fill, int threads_seen = 1) {
    kept_.clear();
    int reading = 0;
    probe_.next = [&reading, fill] {
      ProbeReading r;
      fill(r, reading++);
      return r;
    };
    Prepared a = taking("a", ms);
    a.threads_expected = 2;
    if (threads_seen != 1) a.threads_expected = threads_seen;
    a.census = [threads_seen] { return threads_seen; };
    sample({&a}, false);
    return timed().front().invalid_reason;
  };
  EXPECT_EQ(reason_for([](ProbeReading& r, int i) { r.core_throttle = i; }), "throttled_cpu");
  EXPECT_EQ(reason_for([](ProbeReading& r, int i) { r.cfs_throttled = i; }), "cfs_throttled");
  EXPECT_EQ(reason_for([](ProbeReading&, int) {}), "thread_mismatch");
  EXPECT_EQ(reason_for([](ProbeReading&, int) {}, 2), "");
}

TEST_F(SamplerTest, AlwaysThrottledEndsWithoutAValidSampleAndWithoutNumbers) {
  probe_.next = [] { return ProbeReading{.clock_share = 0.5}; };
  profile_.target_half_width = 0.05;
  profile_.max_blocks = 30;
  Prepared a = taking("a", ms);
  const PointOutcome outcome = sample({&a}, false);
  for (const Sample& s : timed()) EXPECT_FALSE(s.valid);
  EXPECT_EQ(outcome.rows[0].stop_reason, "too_many_invalid");
}

TEST_F(SamplerTest, AClockThatGoesBackFreezesStepsOrIsCoarseNeverGivesAValidWrongTime) {
  Prepared a = taking("a", ms);
  int readings = 0;
  clock_.script([&](std::int64_t now) {
    return ++readings % 7 == 0 ? now - ms * 9 / 10 : now;
  });  // back by 0.9 ms within samples of 1 ms, now and then
  sample({&a}, false);
  const std::vector<Sample> stepped_back = timed();
  EXPECT_TRUE(
      std::any_of(stepped_back.begin(), stepped_back.end(), [](const Sample& s) { return !s.valid; }));
  for (const Sample& s : stepped_back) {
    if (s.valid) {
      EXPECT_DOUBLE_EQ(*s.finish_ns, double(ms));
    }
  }

  kept_.clear();
  clock_.script([](std::int64_t) { return std::int64_t{42}; });  // frozen
  sample({&a}, false);
  for (const Sample& s : timed()) EXPECT_EQ(s.invalid_reason, "nonpositive_duration");

  kept_.clear();
  std::int64_t shift = 0;
  readings = 0;
  clock_.script([&](std::int64_t now) {
    return now + (shift += ++readings % 13 == 0 ? 1000 * ms : 0);
  });  // 1 s forwards
  sample({&a}, false);
  const std::vector<Sample> stepped = timed();
  EXPECT_TRUE(std::any_of(stepped.begin(), stepped.end(),
                          [](const Sample& s) { return s.invalid_reason == "clock_unstable"; }));
  for (const Sample& s : stepped) {
    if (s.valid) {
      EXPECT_DOUBLE_EQ(*s.finish_ns, double(ms));
    }
  }

  kept_.clear();
  clock_.script(nullptr);
  clock_.set_resolution_ns(15'600'000);
  quality_.resolution_ns = 15'600'000;
  profile_.case_cap_ns = 2000 * ms;
  sample({&a}, false);
  for (const Sample& s : timed()) EXPECT_FALSE(s.valid) << "half a second holds too few ticks of 15.6 ms";
}

// The clock must not stop before the work does. Asking the wrong device for it is found out: the right one
// still has some.
TEST_F(SamplerTest, ATimeThatLeavesWorkQueuedIsNoneAndTheOthersGrowWithTheWork) {
  Runtime runtime;
  auto& queue = static_cast<QueueDevice&>(runtime.add(std::make_unique<QueueDevice>(clock_)));
  const auto sampled = [&](std::int64_t work_ns, Device& waited_for) {
    kept_.clear();
    Prepared a = variant("a", [this, &queue, work_ns](Counts&) {
      clock_.advance_ns(10'000);
      queue.enqueue_ns(work_ns);
    });
    a.waited_for = {&waited_for};
    sample({&a}, false);
    return timed();
  };
  const double small = *sampled(ms, queue).front().finish_ns,
               large = *sampled(16 * ms, queue).front().finish_ns;
  EXPECT_GT(large / small, 8);
  for (const Sample& s : sampled(ms, Device::named("cpu:0"))) EXPECT_EQ(s.invalid_reason, "launch_only");
}

TEST_F(SamplerTest, ACompilationInsideTheIntervalIsNoSteadyState) {
  int calls = 0;
  Prepared a = variant("a", [&](Counts& counts) {
    clock_.advance_ns(ms);
    if (++calls == 7) counts.add("recompilations_count", 1);
  });
  a.max_inner = 1;
  a.declared_metrics = {"recompilations_count"};
  sample({&a}, false);
  int invalid = 0;
  for (const Sample& s : timed())
    if (!s.valid) {
      ++invalid;
      EXPECT_EQ(s.invalid_reason, "recompiled");
    }
  EXPECT_EQ(invalid, 1);
  EXPECT_EQ(timed().size(), 11u);
}

TEST_F(SamplerTest, OneStepBackInFiveHundredSamplesCostsOneSample) {
  int calls = 0;
  bool back = false;
  Prepared a = variant("a", [&](Counts&) {
    clock_.advance_ns(ms);
    back = ++calls == 250;
  });
  a.max_inner = 1;
  clock_.script([&](std::int64_t now) { return std::exchange(back, false) ? now - ms - 1 : now; });
  profile_.min_blocks = profile_.max_blocks = 500;
  const PointOutcome outcome = sample({&a}, false);
  EXPECT_EQ(outcome.rows[0].stop_reason, "fixed");
  std::vector<std::string> reasons;
  for (const Sample& s : timed())
    if (!s.valid) reasons.push_back(s.invalid_reason);
  EXPECT_EQ(reasons, std::vector<std::string>{"nonpositive_duration"});
  EXPECT_EQ(timed().size(), 501u);
}

}  // namespace
}  // namespace perflab

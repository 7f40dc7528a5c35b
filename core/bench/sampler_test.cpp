#include "bench/sampler.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/check.h"
#include "bench/sampler_testing.h"

namespace perflab {
namespace {

TEST_F(SamplerTest, EveryBlockHoldsEveryVariantAndTheCopyOnceInChangingSeededOrder) {
  Prepared a = taking("a", ms), b = taking("b", 2 * ms);
  const PointOutcome outcome = sample({&a, &b});
  std::map<int, std::vector<std::string>> blocks;
  for (const Sample& s : timed()) {
    EXPECT_EQ(std::size_t(s.order_in_block), blocks[s.block].size());
    blocks[s.block].push_back(s.variant);
  }
  ASSERT_EQ(blocks.size(), 10u);
  std::set<std::vector<std::string>> orders;
  for (auto& [block, order] : blocks) {
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::string>{"a", "aa", "b"}));
  }
  EXPECT_GE(orders.size(), 3u);
  ASSERT_EQ(outcome.rows.size(), 3u);
  EXPECT_EQ(outcome.rows[0].stop_reason, "fixed");
  EXPECT_EQ(outcome.rows[0].blocks, 10);

  const std::vector<Sample> first = std::exchange(kept_, {});
  sample({&a, &b});
  const auto order_of = [](const std::vector<Sample>& samples) {
    std::vector<std::string> order;
    for (const Sample& s : samples) order.push_back(s.variant);
    return order;
  };
  EXPECT_EQ(order_of(kept_), order_of(first)) << "the same seed gives the same order";
}

TEST_F(SamplerTest, TimesArePerCallWhateverTheNumberOfCalls) {
  for (const std::int64_t call_ns : {std::int64_t{50}, 3 * ms}) {
    kept_.clear();
    Prepared a = taking("a", call_ns);
    const PointOutcome outcome = sample({&a});
    for (const Sample& s : timed()) EXPECT_DOUBLE_EQ(*s.finish_ns, double(call_ns));
    EXPECT_GE(outcome.rows[0].inner_iters * call_ns, ms) << "a sample lasts at least a millisecond";
    EXPECT_EQ(outcome.rows[0].first_call_ns, call_ns);
  }
}

TEST_F(SamplerTest, SubmitStopsWithTheCallFinishWithTheDrainedDevice) {
  QueueDevice device(clock_);
  Prepared a = variant("a", [&](Counts&) {
    clock_.advance_ns(10);
    device.enqueue_ns(ms);
  });
  a.waited_for = {&device};
  sample({&a});
  for (const Sample& s : timed()) {
    EXPECT_DOUBLE_EQ(*s.submit_ns, 10);
    EXPECT_DOUBLE_EQ(*s.finish_ns, 10 + ms);
    EXPECT_EQ(s.device, "queue:0");
  }
}

TEST_F(SamplerTest, TheFirstCallIsKeptApart) {
  int calls = 0;
  Prepared a = variant("a", [&](Counts&) { clock_.advance_ns(++calls == 1 ? 200 * ms : ms); });
  const PointOutcome outcome = sample({&a});
  EXPECT_EQ(outcome.rows[0].first_call_ns, 200 * ms);
  ASSERT_EQ(kept_.front().phase, Phase::first);
  for (const Sample& s : timed()) EXPECT_DOUBLE_EQ(*s.finish_ns, double(ms));
}

TEST_F(SamplerTest, WarmUpEndsWhenTwoWindowsAgreeAndSaysSoWhenTheyNeverDo) {
  profile_.warmup_until_steady = true;
  int calls = 0;
  Prepared falling = variant("a", [&](Counts&) { clock_.advance_ns(std::max(ms, 20 * ms - ++calls * ms)); });
  EXPECT_EQ(sample({&falling}).rows[0].warmup_state, "steady");
  EXPECT_GT(calls, 20);

  kept_.clear();
  std::int64_t duration = ms;
  Prepared growing = variant("a", [&](Counts&) { clock_.advance_ns(duration = duration * 11 / 10); });
  const PointOutcome outcome = sample({&growing});
  EXPECT_EQ(outcome.rows[0].warmup_state, "not_steady");
  EXPECT_EQ(outcome.rows[0].warmup_calls, 51) << "the first call and the cap of 50";
}

TEST_F(SamplerTest, ManyShortSamplesDoNotEndAWarmUpThatMustLastLonger) {
  profile_.warmup_until_steady = true;
  profile_.warmup_min_ns = 200 * ms;
  profile_.warmup_cap_ns = 5'000 * ms;
  Prepared constant = variant("a", [&](Counts&) { clock_.advance_ns(ms); });
  const PointOutcome outcome = sample({&constant});
  EXPECT_EQ(outcome.rows[0].warmup_state, "steady");
  EXPECT_GT(outcome.rows[0].warmup_calls, 150);
}

TEST_F(SamplerTest, WarmsUpAFifthAsLongOnceTheLabHasSpentItsTime) {
  profile_.warmup_until_steady = true;
  profile_.warmup_cap_ns = 100 * ms;
  profile_.lab_cap_ns = 1'000'000 * ms;
  std::int64_t length = ms;
  Prepared growing = variant("growing", [&](Counts&) { clock_.advance_ns(length += ms); });
  growing.max_inner = 1;
  const int patient = sample({&growing}).rows[0].warmup_calls;
  profile_.lab_cap_ns = 1;
  lab_age_ns_ = 2;
  length = ms;
  const PointOutcome hurried = sample({&growing});
  EXPECT_GT(patient, 2 * hurried.rows[0].warmup_calls);
  EXPECT_EQ(hurried.rows[0].warmup_state, "not_steady");
}

TEST_F(SamplerTest, WorkOfAnotherProcessHasThatProcesssTimesAndNotTheRoundTrips) {
  profile_.warmup_until_steady = true;
  profile_.warmup_cap_ns = 1000 * ms;
  std::int64_t trips = 0;
  Prepared peer = variant("peer", [&](Counts& counts) {
    clock_.advance_ns((4 + trips++ % 7) * 5 * ms);  // the pipe and whatever else
    counts.timed_there(0.001, 0.004);
  });
  peer.max_inner = 1;
  EXPECT_EQ(sample({&peer}).rows[0].warmup_state, "steady");  // the trips never are
  for (const Sample& s : timed()) {
    EXPECT_DOUBLE_EQ(*s.submit_ns, 1e6);
    EXPECT_DOUBLE_EQ(*s.finish_ns, 4e6);
    EXPECT_TRUE(s.valid);
  }
}

TEST_F(SamplerTest, TheStoppingRuleLooksAtTheOtherProcesssTimes) {
  profile_.max_blocks = 30;
  profile_.target_half_width = 0.02;
  std::int64_t trips = 0;
  const auto peer_of = [&](const char* name) {
    Prepared peer = variant(name, [&](Counts& counts) {
      clock_.advance_ns((4 + trips++ % 7) * 5 * ms);
      counts.timed_there(0.004, 0.004);
    });
    peer.max_inner = 1;
    return peer;
  };
  Prepared a = peer_of("a"), b = peer_of("b");
  const PointOutcome outcome = sample({&a, &b});
  EXPECT_EQ(outcome.rows[0].stop_reason, "precision");
  EXPECT_EQ(outcome.rows[0].blocks, 10);
}

TEST_F(SamplerTest, AnotherProcessThatClaimsMoreThanTheRoundTripIsNotBelieved) {
  Prepared peer = variant("peer", [&](Counts& counts) {
    clock_.advance_ns(5 * ms);
    counts.timed_there(0.001, 0.006);
  });
  peer.max_inner = 1;
  sample({&peer});
  ASSERT_FALSE(timed().empty());
  for (const Sample& s : timed()) EXPECT_EQ(s.invalid_reason, "clock_unstable");
}

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

TEST_F(SamplerTest, AWrongOutputAfterATimedRunEndsTheCase) {
  int runs = 0;
  Prepared a = variant("a", [&](Counts&) { clock_.advance_ns(ms); });
  a.verify = [&] { return Verified{.correct = ++runs < 3, .checksum = 0xabc}; };
  const PointOutcome outcome = sample({&a}, false);
  EXPECT_EQ(outcome.rows[0].stop_reason, "wrong_result");
  ASSERT_EQ(timed().size(), 3u);
  EXPECT_EQ(timed()[0].checksum, "0000000000000abc");
  EXPECT_TRUE(timed()[0].verified_ns.has_value());
  EXPECT_EQ(timed()[2].invalid_reason, "wrong_result");
}

TEST_F(SamplerTest, AnInterruptKeepsCompleteBlocksAndAContinuationAddsTheRest) {
  Prepared a = taking("a", ms), b = taking("b", ms);
  int asked = 0;
  interrupted_ = [&] { return ++asked > 18; };
  const PointOutcome cut = sample({&a, &b});
  EXPECT_TRUE(cut.interrupted);
  const std::size_t blocks = std::size_t(cut.rows[0].blocks);
  EXPECT_EQ(cut.rows[0].stop_reason, "interrupted");
  EXPECT_GT(blocks, 0u);
  EXPECT_LT(blocks, 10u);
  EXPECT_EQ(timed().size(), 3 * blocks);

  earlier_ = kept_;
  interrupted_ = nullptr;
  const PointOutcome rest = sample({&a, &b});
  EXPECT_FALSE(rest.interrupted);
  EXPECT_EQ(rest.rows[0].blocks, 10);
  std::set<std::string> keys;
  for (const Sample& s : kept_)
    EXPECT_TRUE(keys.insert(fmt::format("{} {} {} {}", s.variant, s.block, s.sample, int(s.phase))).second);
  EXPECT_EQ(timed().size(), 30u);
}

TEST_F(SamplerTest, WhatOthersTookOfTheProcessorsStandsInTheCasesRow) {
  Prepared a = taking("a", 10 * ms);
  EXPECT_FALSE(sample({&a}, false).rows[0].others_cpu_share.has_value()) << "the probe does not know";
  // This process is busy on one of four processors all the time, somebody else on another one half of the
  // time.
  probe_.busy_ns = [this] { return clock_.cpu_ns() + clock_.now_ns() / 2; };
  EXPECT_NEAR(*sample({&a}, false).rows[0].others_cpu_share, 0.5 / 4, 1e-6);
}

TEST_F(SamplerTest, TheProcessesThatWeStartedAreNotOthers) {
  Prepared a = taking("a", 10 * ms);
  // A peer keeps two of four processors busy, and nobody else does anything.
  probe_.children_ns = [this] { return 2 * clock_.now_ns(); };
  probe_.busy_ns = [this] { return clock_.cpu_ns() + 2 * clock_.now_ns(); };
  EXPECT_NEAR(*sample({&a}, false).rows[0].others_cpu_share, 0, 1e-6);
  probe_.children_ns = nullptr;
  EXPECT_NEAR(*sample({&a}, false).rows[0].others_cpu_share, 0.5, 1e-6) << "were it somebody else's";
}

TEST_F(SamplerTest, APointTooShortToBeAskedTakesTheLoadOfItsLaunch) {
  probe_.busy_ns = [this] {
    return clock_.cpu_ns() + clock_.now_ns();
  };  // somebody else on one processor, always
  const Load launch(clock_, probe_);
  clock_.advance_ns(100 * ms);
  launch_load_ = &launch;
  Prepared a = taking("a", ms);
  EXPECT_NEAR(*sample({&a}, false).rows[0].others_cpu_share, 1.0 / 4, 1e-6);
}

TEST_F(SamplerTest, CountsAreSummedOverTheCallsAndGivenPerCall) {
  Prepared a = variant("a", [&](Counts& counts) {
    clock_.advance_ns(1000);
    counts.add("messages_count", 3);
    counts.set("queue_count", 7);
  });
  a.declared_metrics = {"messages_count", "queue_count", "bytes"};
  a.metrics = {{"bytes", 64}};
  sample({&a}, false);
  for (const Sample& s : timed()) {
    EXPECT_GT(s.inner_iters, 1);
    EXPECT_DOUBLE_EQ(s.metrics.at("messages_count"), 3);
    EXPECT_DOUBLE_EQ(s.metrics.at("queue_count"), 7);
    EXPECT_DOUBLE_EQ(s.metrics.at("bytes"), 64);
  }
}

TEST_F(SamplerTest, ColdCasesAreFlushedBeforeEverySampleOutsideTheClock) {
  int flushes = 0, calls = 0;
  Prepared a = variant("a", [&](Counts&) {
    ++calls;
    clock_.advance_ns(ms);
  });
  a.before_sample = [&] {
    ++flushes;
    clock_.advance_ns(50 * ms);
  };
  a.max_inner = 1;
  sample({&a}, false);
  EXPECT_EQ(flushes, calls);
  for (const Sample& s : timed()) EXPECT_DOUBLE_EQ(*s.finish_ns, double(ms));
}

// 1 % slower with every sample taken. One arm after the other is biased; interleaved blocks are not.
TEST_F(SamplerTest, ADriftingMachineDoesNotTouchTheInterleavedRatio) {
  std::int64_t duration = 10 * ms;
  const auto drifting = [&](Counts&) { clock_.advance_ns(duration += duration / 300); };
  Prepared a = variant("a", drifting), b = variant("b", drifting);
  profile_.min_blocks = profile_.max_blocks = 20;
  sample({&a, &b}, false);
  double log_ratio = 0, sequential = 0;
  std::vector<double> times;
  std::map<int, std::map<std::string, double>> blocks;
  for (const Sample& s : timed()) {
    blocks[s.block][s.variant] = *s.finish_ns;
    times.push_back(*s.finish_ns);
  }
  for (const auto& [block, by_name] : blocks) log_ratio += std::log(by_name.at("b") / by_name.at("a")) / 20;
  for (int i = 0; i < 20; ++i)
    sequential += std::log(times[std::size_t(20 + i)] / times[std::size_t(i)]) / 20;
  EXPECT_LT(std::fabs(log_ratio), 0.004);
  EXPECT_GT(sequential, 0.05) << "the same forty samples, first half against second half";
}

}  // namespace
}  // namespace perflab

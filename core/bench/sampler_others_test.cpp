// Other processes: those that work for us, and those that take the processors away.

#include "bench/sampler_test.h"

namespace perflab {
namespace {

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

}  // namespace
}  // namespace perflab

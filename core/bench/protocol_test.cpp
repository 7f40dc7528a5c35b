// The self-tests of the protocol (measuring.md, section 16): does the whole chain, from samples to verdict,
// keep its promises on data whose truth is known?

#include <gtest/gtest.h>

#include "bench/testing.h"
#include "bench/verdict_testing.h"

namespace perflab {
namespace {

Estimate ratio_of_streams(const std::vector<double>& a, const std::vector<double>& b) {
  ConstructedRun run("x");
  run.point({}, {{"base", b}, {"other", a}});
  const Results results(run.samples, run.cases);
  return *results.ratio(*results.only("x", {}, "other"), "finish", *results.only("x", {}, "base"), "finish");
}

Observation seen_as(const Estimate& estimate) {
  Observation seen = saw(1, 1);
  seen.estimate = estimate;
  return seen;
}

bool shows_a_difference(const Decision& decision) {
  return decision.word == Word::reproduced || decision.word == Word::direction_holds ||
         decision.reason == "opposite";
}

// 1. Two streams of the same kind: a difference is claimed as seldom as the interval promises.
TEST(Protocol, IdenticalStreamsShowADifferenceInAtMostFivePercentOfThousandSeeds) {
  const Claim faster = of_type(ClaimType::direction), same = of_type(ClaimType::null),
              twice = ratio_of(2, 1.8, 2.2);
  // 3 %: nearly all intervals lie in the ROPE; 15 %: few do, and a difference is the easiest to be seen.
  for (const double noise : {0.03, 0.15}) {
    int faster_shown = 0, twice_shown = 0, in_rope = 0, same_reproduced = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      const Observation seen =
          seen_as(ratio_of_streams(noisy(1e6, noise, 20, 2 * seed), noisy(1e6, noise, 20, 2 * seed + 1)));
      const Decision on_faster = decide(faster, seen), on_twice = decide(twice, seen),
                     on_same = decide(same, seen);
      faster_shown += shows_a_difference(on_faster);
      twice_shown += shows_a_difference(on_twice);
      same_reproduced += on_same.word == Word::reproduced;
      const auto& interval = seen.estimate->interval;
      if (!interval || interval->lo < 1 / 1.05 || interval->hi > 1.05) continue;
      ++in_rope;
      EXPECT_EQ(on_faster.reason, "no_effect");
      EXPECT_EQ(on_twice.reason, "no_effect");
    }
    EXPECT_LE(faster_shown, 50) << noise;
    EXPECT_LE(twice_shown, 50) << noise;
    EXPECT_EQ(same_reproduced, in_rope) << noise;
    if (noise < 0.1) {
      EXPECT_GE(same_reproduced, 800) << "a null claim is reproduced where the noise allows it";
    } else {
      EXPECT_GE(faster_shown, 1) << "the test sees differences where they come by chance";
    }
  }
}

// 2. The interval covers the truth as often as it says.
TEST(Protocol, IntervalsCoverATrueRatioOfElevenTenthsInNinetyThreeToNinetySevenPercent) {
  int covered = 0, plain = 0;
  constexpr int seeds = 2000;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const std::vector<double> a = noisy(1.1e6, 0.03, 20, 2 * seed), b = noisy(1e6, 0.03, 20, 2 * seed + 1);
    const Interval order = *ratio_estimate(a, b).interval;
    plain += order.lo <= 1.1 && 1.1 <= order.hi;
    const Estimate judged = ratio_of_streams(a, b);  // with batches where the blocks look dependent
    covered += judged.interval && judged.interval->lo <= 1.1 && 1.1 <= judged.interval->hi;
  }
  EXPECT_GE(plain, seeds * 93 / 100);
  EXPECT_LE(plain, seeds * 97 / 100);
  EXPECT_GE(covered, seeds * 93 / 100);
  EXPECT_LE(covered, seeds * 97 / 100);
}

// 3. The machine gets 1 % slower with every sample taken. B is 10 % slower than A.
TEST(Protocol, LinearDriftBiasesASequentialDesignAndNotAnInterleavedOne) {
  constexpr int blocks = 20;
  const auto drifted = [](double time, int when) { return time * (1 + 0.01 * when); };
  std::vector<double> first_a, then_b, beside_a, beside_b;
  for (int block = 0; block < blocks; ++block) {
    first_a.push_back(drifted(1000, block));
    then_b.push_back(drifted(1100, blocks + block));
    const bool a_leads = Random(5).bits(std::uint64_t(block)) % 2 == 0;  // seeded order within the block
    beside_a.push_back(drifted(1000, 2 * block + (a_leads ? 0 : 1)));
    beside_b.push_back(drifted(1100, 2 * block + (a_leads ? 1 : 0)));
  }
  const Estimate sequential = ratio_estimate(then_b, first_a),
                 interleaved = ratio_estimate(beside_b, beside_a);
  EXPECT_GT(sequential.median, 1.25) << "the drift is taken for a difference";
  EXPECT_GT(sequential.interval->lo, 1.1) << "and its interval is sure of it";
  EXPECT_NEAR(interleaved.median, 1.1, 0.011);
  EXPECT_LE(interleaved.interval->lo, 1.1);
  EXPECT_GE(interleaved.interval->hi, 1.1);
}

// The same drift fails the A/A control of a sequential design and passes that of an interleaved one.
TEST(Protocol, AControlRunAfterwardsFailsUnderDriftAndOneWithinTheBlocksPasses) {
  std::vector<double> now, later, beside;
  for (int block = 0; block < 20; ++block) {
    now.push_back(1000 * (1 + 0.01 * block));
    later.push_back(1000 * (1 + 0.01 * (20 + block)));
    beside.push_back(1000 * (1 + 0.01 * block + (block % 2 == 0 ? 0.004 : -0.004)));
  }
  Claim claim = ratio_of(1.5, 1.4, 1.6);
  claim.claim_id = "some-claim";
  claim.experiment = "x";
  claim.quantity = "slow.finish / base.finish";
  std::vector<double> slow;
  for (const double value : now) slow.push_back(1.5 * value);
  ConstructedRun sequential("x"), interleaved("x");
  sequential.point({}, {{"base", now}, {"slow", slow}, {"aa", later}});
  interleaved.point({}, {{"base", now}, {"slow", slow}, {"aa", beside}});
  const std::deque<Experiment> none;
  EXPECT_EQ(verdict_words(judge(sequential.input({claim}), none), "some-claim"), "INCONCLUSIVE (aa_unfit)");
  EXPECT_EQ(verdict_words(judge(interleaved.input({claim}), none), "some-claim"), "REPRODUCED");
}

// 4. One sample in twenty is twenty times too slow.
TEST(Protocol, SpikesOnFivePercentOfSamplesMoveTheMedianRatioByLessThanOnePercent) {
  std::vector<double> a = noisy(1.1e6, 0.005, 40, 1), b = noisy(1e6, 0.005, 40, 2);
  const double clean = ratio_of_streams(a, b).median;
  a[7] *= 20;
  a[29] *= 20;
  b[13] *= 20;
  b[33] *= 20;
  const Estimate spiked = ratio_of_streams(a, b);
  EXPECT_NEAR(spiked.median / clean, 1, 0.01);
  ASSERT_TRUE(spiked.interval);
  EXPECT_LT(spiked.interval->hi / spiked.interval->lo, 1.02);
}

// 5. Memory on the near or on the far node, decided anew in every launch.
TEST(Protocol, BimodalLaunchesAreFlaggedAndTheLaunchBecomesTheUnit) {
  ConstructedRun run("x", "reproduce");
  for (int launch = 0; launch < 8; ++launch) {
    const double node = launch % 2 == 0 ? 2.1e9 : 3.2e9;
    run.invocation(launch).point({}, {{"base", noisy(node, 0.005, 10, 10 + std::uint64_t(launch))}});
  }
  const Judgement judgement = judge(run.input(), {});
  EXPECT_EQ(summary_cell(judgement, "x", "base", "finish", "bimodal"), "1");
  EXPECT_EQ(summary_cell(judgement, "x", "base", "finish", "status"), "noisy");
  EXPECT_EQ(summary_cell(judgement, "x", "base", "finish", "ci_method"), "invocation");
  EXPECT_EQ(summary_cell(judgement, "x", "base", "finish", "n_invocations"), "8");
  const double lo = std::stod(summary_cell(judgement, "x", "base", "finish", "ci_lo"));
  const double hi = std::stod(summary_cell(judgement, "x", "base", "finish", "ci_hi"));
  EXPECT_LT(lo, 2.2e9) << "both nodes lie within";
  EXPECT_GT(hi, 3.1e9);
}

}  // namespace
}  // namespace perflab

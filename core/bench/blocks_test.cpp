#include "bench/blocks.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "bench/testing.h"

namespace perflab {
namespace {

BlockValues launches(const std::vector<std::vector<double>>& values) {
  BlockValues blocks;
  for (std::size_t launch = 0; launch < values.size(); ++launch)
    for (const double value : values[launch]) {
      blocks.values.push_back(value);
      blocks.invocations.push_back(int(launch));
    }
  return blocks;
}

TEST(Blocks, OfOneQuietLaunchAreTheUnit) {
  const BlockEstimate got = estimate_blocks(launches({noisy(100, 0.01, 40, 3)}));
  EXPECT_EQ(got.method, "order_statistic");
  EXPECT_TRUE(got.iid_ok);
  EXPECT_FALSE(got.between_launches);
  EXPECT_EQ(got.estimate.n, 40);
}

TEST(Blocks, ThatRememberTheirPredecessorAreJoinedInBatches) {
  std::vector<double> slow_wave;
  for (int i = 0; i < 60; ++i) slow_wave.push_back(100 + (i / 6 % 2 == 0 ? 5 : -5) + 0.01 * (i % 3));
  const BlockEstimate got = estimate_blocks(launches({slow_wave}));
  EXPECT_EQ(got.method, "batch_means");
  EXPECT_FALSE(got.iid_ok);
  ASSERT_TRUE(got.estimate.interval);
  const Interval plain = *median_interval(slow_wave);
  EXPECT_GE(got.estimate.interval->hi - got.estimate.interval->lo, 0.99 * (plain.hi - plain.lo));
}

TEST(Blocks, WithMemoryAndTooFewOfThemHaveNoInterval) {
  std::vector<double> ramp;
  for (int i = 0; i < 10; ++i) ramp.push_back(100 + i);
  EXPECT_FALSE(estimate_blocks(launches({ramp})).estimate.interval) << "5 batches";
}

TEST(Blocks, ThatAlternateAreFlaggedButKeepTheirWideInterval) {
  std::vector<double> alternating;
  for (int i = 0; i < 20; ++i) alternating.push_back(i % 2 == 0 ? 100 : 110);
  const BlockEstimate got = estimate_blocks(launches({alternating}));
  EXPECT_FALSE(got.iid_ok);
  EXPECT_EQ(got.method, "order_statistic");
}

// Two launches on the near memory node, one on the far one: what differs is the launch.
TEST(Blocks, OfLaunchesThatDifferAreNoUnitTheLaunchIs) {
  const BlockEstimate three =
      estimate_blocks(launches({noisy(100, 0.01, 20, 1), noisy(150, 0.01, 20, 2), noisy(100, 0.01, 20, 3)}));
  EXPECT_TRUE(three.between_launches);
  EXPECT_EQ(three.method, "invocation");
  EXPECT_FALSE(three.estimate.interval) << "three launches have no 95 % interval";

  std::vector<std::vector<double>> eight;
  for (int launch = 0; launch < 8; ++launch)
    eight.push_back(noisy(launch % 2 == 0 ? 100 : 150, 0.01, 20, 10 + std::uint64_t(launch)));
  const BlockEstimate many = estimate_blocks(launches(eight));
  ASSERT_TRUE(many.estimate.interval);
  EXPECT_LT(many.estimate.interval->lo, 105);
  EXPECT_GT(many.estimate.interval->hi, 145);
}

TEST(Blocks, OfLaunchesThatAgreeStayTheUnit) {
  const BlockEstimate got =
      estimate_blocks(launches({noisy(100, 0.02, 20, 1), noisy(100, 0.02, 20, 2), noisy(100, 0.02, 20, 3)}));
  EXPECT_FALSE(got.between_launches);
  EXPECT_EQ(got.estimate.n, 60);
}

TEST(Blocks, OfRatiosAreJudgedOnLogarithms) {
  const BlockEstimate half = estimate_block_ratios(launches({std::vector<double>(10, 0.5)}));
  EXPECT_NEAR(half.estimate.median, 0.5, 1e-12);
  EXPECT_NEAR(half.estimate.interval->lo, 0.5, 1e-12);
  EXPECT_THROW(estimate_block_ratios(launches({{1.0, 0.0}})), Error);
  EXPECT_THROW(estimate_blocks({}), Error);
}

}  // namespace
}  // namespace perflab

#include "bench/rank_ratio.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/check.h"
#include "bench/testing.h"

namespace perflab {

TEST(RankRatio, RanksAreTheTabulatedOnesOfTheMannWhitneyTest) {
  // Critical values of U, two-sided 5 %: 5 for 6 and 6, 23 for 10 and 10, 2 for 5 and 5; the rank is one
  // more.
  EXPECT_EQ(rank_interval(6, 6, 0.95)->rank, 6);
  EXPECT_EQ(rank_interval(10, 10, 0.95)->rank, 24);
  EXPECT_EQ(rank_interval(5, 5, 0.95)->rank, 3);
  EXPECT_NEAR(rank_interval(6, 6, 0.95)->level, 1 - 2 * 0.02056, 1e-5);
  EXPECT_EQ(rank_interval(4, 9, 0.95)->rank, rank_interval(9, 4, 0.95)->rank);
}

TEST(RankRatio, FewValuesGiveTheirWidestIntervalOrNone) {
  const auto six = rank_interval(6, 6, 0.9999);  // one order in 924 has all of b above all of a
  ASSERT_TRUE(six);
  EXPECT_EQ(six->rank, 1);
  EXPECT_NEAR(six->level, 1 - 2.0 / 924, 1e-12);
  EXPECT_FALSE(rank_interval(4, 4, 0.99));
  EXPECT_FALSE(rank_interval(1, 1, 0.95));
  EXPECT_EQ(rank_interval(10, 10, 0.9975)->rank, 12);  // 20 cases: not yet the widest
}

TEST(RankRatio, LargeSetsAgreeWithTheExactDistribution) {
  const auto exact = rank_interval(200, 200, 0.999), approximate = rank_interval(201, 200, 0.999);
  EXPECT_NEAR(double(approximate->rank) / double(exact->rank), 201.0 / 200, 0.002);
  EXPECT_GE(exact->level, 0.999);
  EXPECT_NEAR(exact->level, 0.999, 1e-4);
}

TEST(RankRatio, ASetAgainstItselfIsExactlyOne) {
  const std::vector<double> times = noisy(1e6, 0.1, 17, 3);
  const Estimate ratio = independent_ratio(times, times);
  EXPECT_EQ(ratio.median, 1);
  EXPECT_LT(ratio.interval->lo, 1);
  EXPECT_GT(ratio.interval->hi, 1);
  EXPECT_DOUBLE_EQ(ratio.interval->lo * ratio.interval->hi, 1);
}

TEST(RankRatio, CoversTheTrueRatioAsOftenAsItSays) {
  int covered = 0;
  constexpr int pairs = 2000;
  for (std::uint64_t seed = 0; seed < pairs; ++seed) {
    const Estimate ratio =
        independent_ratio(noisy(1e6, 0.05, 10, 2 * seed), noisy(1.1e6, 0.05, 12, 2 * seed + 1));
    covered += ratio.interval->lo <= 1.1 && 1.1 <= ratio.interval->hi;
  }
  EXPECT_GE(covered, int(0.94 * pairs));
  EXPECT_LE(covered, int(0.975 * pairs));
}

TEST(RankRatio, MistakesAreNamed) {
  const std::vector<double> none, zero = {0.0}, one = {1.0};
  EXPECT_THROW(independent_ratio(none, one), Error);
  EXPECT_THROW(independent_ratio(one, zero), Error);
  EXPECT_THROW(rank_interval(6, 6, 1.0), Error);
}

}  // namespace perflab

#include "bench/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"

namespace perflab {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

// Every row of the table of measuring.md, section 6.
struct RankRow {
  int n, lo, hi;
  double percent;
};
class MedianInterval : public testing::TestWithParam<RankRow> {};

TEST_P(MedianInterval, HasTheExactBinomialRanksAndCoverage) {
  const RankRow& want = GetParam();
  const auto ranks = median_interval_ranks(want.n, 0.95);
  ASSERT_TRUE(ranks);
  EXPECT_EQ(*ranks, std::pair(want.lo, want.hi));
  EXPECT_NEAR(100 * median_interval_coverage(want.n, want.lo), want.percent, 0.05);
  const auto interval = median_interval(one_to(want.n));
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->lo, want.lo);
  EXPECT_EQ(interval->hi, want.hi);
  EXPECT_NEAR(100 * interval->level, want.percent, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Table, MedianInterval,
                         testing::Values(RankRow{6, 1, 6, 96.9}, RankRow{10, 2, 9, 97.9},
                                         RankRow{15, 4, 12, 96.5}, RankRow{20, 6, 15, 95.9},
                                         RankRow{30, 10, 21, 95.7}, RankRow{60, 22, 39, 97.3}));

TEST(MedianIntervalRanks, DoNotExistBelowSixSamples) {
  for (int n = 0; n < 6; ++n) EXPECT_FALSE(median_interval_ranks(n, 0.95)) << n;
  EXPECT_FALSE(estimate(std::vector<double>{1, 2, 3, 4, 5}).interval);
}

TEST(MedianIntervalRanks, AreTheShortestWithTheLevelAskedForUpToThousands) {
  for (const int n : {6, 7, 25, 99, 300, 1500, 5000}) {
    const auto ranks = median_interval_ranks(n, 0.95);
    ASSERT_TRUE(ranks) << n;
    EXPECT_GE(median_interval_coverage(n, ranks->first), 0.95) << n;
    EXPECT_LT(median_interval_coverage(n, ranks->first + 1), 0.95) << n;
    EXPECT_EQ(ranks->first + ranks->second, n + 1);
  }
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddleOnes) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
  EXPECT_THROW(median(std::vector<double>{}), Error);
  EXPECT_THROW(median(std::vector<double>{1, std::nan("")}), Error);
}

TEST(Quantile, IsTheNearestRank) {
  const std::vector<double> ten = one_to(10);
  EXPECT_EQ(quantile_nearest_rank(ten, 0.25), 3);
  EXPECT_EQ(quantile_nearest_rank(ten, 0.75), 8);
  EXPECT_EQ(quantile_nearest_rank(ten, 0), 1);
  EXPECT_EQ(quantile_nearest_rank(ten, 1), 10);
}

TEST(Mad, IsTheMedianDistanceFromTheMedian) { EXPECT_EQ(mad(std::vector<double>{1, 2, 3, 4, 100}), 1); }

// Speed-up row of section 6: exp(median of the log ratios), interval on the logs.
TEST(RatioEstimate, IsTheMedianOfPairedLogRatiosWithItsOrderStatisticInterval) {
  std::vector<double> a, b;
  for (int i = 1; i <= 10; ++i) {
    b.push_back(100.0 * i);  // drifts tenfold; the pairs cancel it
    a.push_back(b.back() * (1.0 + 0.01 * i));
  }
  const Estimate ratio = ratio_estimate(a, b);
  EXPECT_EQ(ratio.n, 10);
  EXPECT_NEAR(ratio.median, std::sqrt(1.05 * 1.06), 1e-12);
  ASSERT_TRUE(ratio.interval);
  EXPECT_NEAR(ratio.interval->lo, 1.02, 1e-12);
  EXPECT_NEAR(ratio.interval->hi, 1.09, 1e-12);
  const Estimate turned = ratio_estimate(b, a);
  EXPECT_NEAR(turned.interval->lo * ratio.interval->hi, 1, 1e-12);
  EXPECT_THROW(ratio_estimate(a, std::vector<double>{1.0}), Error);
  EXPECT_THROW(ratio_estimate(std::vector<double>{1.0, 0.0}, std::vector<double>{1.0, 1.0}), Error);
}

// Row "several variants vs one baseline".
TEST(Bonferroni, DividesTheErrorByTheNumberOfComparisons) {
  EXPECT_DOUBLE_EQ(bonferroni_level(0.95, 1), 0.95);
  EXPECT_DOUBLE_EQ(bonferroni_level(0.95, 5), 0.99);
  EXPECT_EQ(*median_interval_ranks(10, bonferroni_level(0.95, 5)), std::pair(1, 10));
  EXPECT_THROW(bonferroni_level(0.95, 0), Error);
}

// Row "tail p95 / p99".
TEST(Tail, NeedsFiftyNineSamplesForP95AndTwoHundredNinetyNineForP99) {
  EXPECT_EQ(samples_for_tail(0.95), 59);
  EXPECT_EQ(samples_for_tail(0.99), 299);
}

// Row "slope / alpha-beta / scaling exponent".
TEST(Slope, OfAPowerLawIsItsExponent) {
  std::vector<double> x, y;
  for (int i = 0; i < 12; ++i) {
    x.push_back(std::pow(2.0, i));
    y.push_back(3 * std::pow(x.back(), 1.5) * (i % 2 == 0 ? 1.01 : 0.99));
  }
  const Slope slope = bootstrap_log_slope(x, y, 7);
  EXPECT_NEAR(slope.value, 1.5, 0.01);
  EXPECT_LT(slope.lo, 1.5);
  EXPECT_GT(slope.hi, 1.5);
  EXPECT_GT(slope.lo, 1.45);
  const Slope again = bootstrap_log_slope(x, y, 7);
  EXPECT_EQ(slope.lo, again.lo);
  EXPECT_EQ(slope.hi, again.hi);
  EXPECT_THROW(bootstrap_log_slope(std::vector<double>{2, 2}, std::vector<double>{1, 3}, 7), Error);
}

TEST(Slope, OfTheilSenIgnoresOneWildPoint) {
  EXPECT_EQ(theil_sen_slope(std::vector<double>{0, 1, 2, 3, 4}, std::vector<double>{1, 3, 5, 1000, 9}), 2);
}

// A hundred thousand points have five billion pairs: every fiftieth point is taken.
TEST(Slope, OfTheilSenThinsManyPointsEvenly) {
  std::vector<double> x, wild, late;
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(i);
    wild.push_back(0.25 * i + (i % 350 == 0 ? 1e6 : 0));  // one in seven of those taken
    late.push_back(i < 25'000 ? 0 : 4.0 * (i - 25'000));  // flat where the first points are
  }
  EXPECT_EQ(theil_sen_slope(x, wild), 0.25);
  EXPECT_GT(theil_sen_slope(x, late), 2);
}

// Row "across sizes or models".
TEST(GeometricMean, CarriesAPercentileIntervalOverCasesFromSixOn) {
  const std::vector<double> ratios = {1.0, 1.2, 1.1, 0.9, 1.3, 1.0, 1.1, 1.05};
  const Estimate mean = geometric_mean_bootstrap(ratios, 3);
  ASSERT_TRUE(mean.interval);
  EXPECT_LT(mean.interval->lo, mean.median);
  EXPECT_GT(mean.interval->hi, mean.median);
  EXPECT_GT(mean.interval->lo, 0.9);
  EXPECT_EQ(mean.interval->lo, geometric_mean_bootstrap(ratios, 3).interval->lo);
  EXPECT_FALSE(geometric_mean_bootstrap(std::vector<double>{1, 2, 4}, 3).interval);
  EXPECT_DOUBLE_EQ(geometric_mean_bootstrap(std::vector<double>{1, 2, 4}, 3).median, 2);
}

TEST(HalfWidth, IsInfiniteWithoutAnIntervalAndTheMdeThenUnknown) {
  EXPECT_EQ(half_width_log({1.0, std::nullopt, 4}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(mde_ratio({1.0, std::nullopt, 4}), 0);
  const Estimate ratio{1.0, Interval{1 / 1.1, 1.1, 0.95}, 10};
  EXPECT_NEAR(half_width_log(ratio), std::log(1.1), 1e-12);
  EXPECT_NEAR(mde_ratio(ratio), 1.1, 1e-12);
}

TEST(Autocorrelation, IsLargeForATrendAndNegativeForAlternation) {
  EXPECT_GT(lag1_autocorrelation(one_to(20)), 0.8);
  std::vector<double> alternating;
  for (int i = 0; i < 20; ++i) alternating.push_back(i % 2);
  EXPECT_LT(lag1_autocorrelation(alternating), -0.9);
  EXPECT_EQ(lag1_autocorrelation(std::vector<double>(10, 4.0)), 0);
  EXPECT_EQ(lag1_autocorrelation(std::vector<double>{1, 2}), 0);
}

TEST(Drift, OfEightPercentOverTheRunIsSeenAndASpikeIsNot) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(100 * (1 + 0.08 * i / 29.0));
  EXPECT_GT(drift_pct(values), 7);
  EXPECT_LT(drift_pct(values), 9);
  std::vector<double> level(30, 100.0);
  level[29] = 2000;
  EXPECT_EQ(drift_pct(level), 0);
}

TEST(Bimodal, NeedsAWideGapWithAFifthOfTheSamplesOnEachSide) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back((i % 3 == 0 ? 150 : 100) * (1 + 0.001 * i));
  EXPECT_TRUE(is_bimodal(values));
  std::vector<double> one_far(20, 0.0);
  for (int i = 0; i < 20; ++i) one_far[std::size_t(i)] = i == 7 ? 150 : 100 * (1 + 0.001 * i);
  EXPECT_FALSE(is_bimodal(one_far)) << "one outlier is no mode";
  std::vector<double> coarse;
  for (int i = 0; i < 20; ++i) coarse.push_back(i % 2 == 0 ? 1000 : 1001);
  EXPECT_FALSE(is_bimodal(coarse)) << "two ticks of a clock are no modes";
}

TEST(BatchMeans, LeaveAnIncompleteBatchOut) {
  EXPECT_EQ(batch_means(std::vector<double>{1, 3, 5, 7, 100}, 2), (std::vector<double>{2, 6}));
  EXPECT_THROW(batch_means(std::vector<double>{1}, 0), Error);
}

TEST(Outliers, AreTaggedWhenFarFromTheMedianOrTheQuartiles) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(100 + i % 5);
  values[4] = 2000;
  const std::vector<bool> severe = severe_outliers(values);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(severe[i], i == 4) << i;
  EXPECT_EQ(modified_z(5, 5, 0), 0);
  EXPECT_NEAR(modified_z(12, 10, 2), 0.6745, 1e-12);
}

}  // namespace
}  // namespace perflab

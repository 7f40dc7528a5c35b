#include "bench/results.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/check.h"
#include "bench/testing.h"

namespace perflab {
namespace {

TEST(Results, GroupByCaseAndVariantAndFindByAxes) {
  ConstructedRun run("stream");
  run.point({{"level", "DRAM"}, {"threads", "1"}}, {{"plain", steady(20)}, {"nt", steady(10)}});
  run.point({{"level", "DRAM"}, {"threads", "2"}}, {{"plain", steady(12)}, {"nt", steady(6)}});
  const Results results(run.samples, run.cases);
  EXPECT_EQ(results.all().size(), 6u);
  EXPECT_EQ(results.find("stream").size(), 4u) << "A/A copies are found by name only";
  EXPECT_EQ(results.find("stream", {}, "aa").size(), 2u);
  EXPECT_EQ(results.find("stream", {{"threads", "2"}}).size(), 2u);
  EXPECT_EQ(results.find("other").size(), 0u);
  EXPECT_EQ(results.only("stream", {{"level", "DRAM"}}, "nt"), nullptr) << "two points match";
  const Series* nt = results.only("stream", {{"threads", "2"}}, "nt");
  ASSERT_TRUE(nt);
  EXPECT_EQ(nt->axis("threads"), "2");
  EXPECT_EQ(nt->axis("absent"), "");
  EXPECT_EQ(nt->finish_ns().median, 6);
}

TEST(Results, PairRatiosByBlockAndCancelDrift) {
  std::vector<double> base, twice;
  for (int i = 0; i < 12; ++i) {
    base.push_back(100 * (1 + 0.1 * i));
    twice.push_back(2 * base.back());
  }
  ConstructedRun run("x");
  run.point({}, {{"a", base}, {"b", twice}});
  run.invalid("b", 3, "throttled_cpu");
  const Results results(run.samples, run.cases);
  const Series &a = *results.only("x", {}, "a"), &b = *results.only("x", {}, "b");
  EXPECT_EQ(b.n_invalid, 1);
  const auto ratio = results.ratio(b, "finish", a, "finish");
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->n, 11) << "block 3 has one side only";
  EXPECT_NEAR(ratio->interval->lo, 2, 1e-12);
  EXPECT_NEAR(ratio->interval->hi, 2, 1e-12);
  EXPECT_FALSE(results.ratio(b, "verified", a, "finish"));
}

TEST(Results, PairsByBlockWhateverTheOrderOfTheRows) {
  ConstructedRun run("x");
  run.point({}, {{"a", noisy(100, 0.2, 12, 1)}, {"b", noisy(100, 0.2, 12, 2)}});
  std::vector<Sample> shuffled(run.samples.rbegin(), run.samples.rend());
  const Results one(run.samples, run.cases), other(shuffled, run.cases);
  const auto first = one.ratio(*one.only("x", {}, "a"), "finish", *one.only("x", {}, "b"), "finish");
  const auto second = other.ratio(*other.only("x", {}, "a"), "finish", *other.only("x", {}, "b"), "finish");
  EXPECT_EQ(first->median, second->median);
  EXPECT_EQ(first->interval->lo, second->interval->lo);
}

TEST(Results, RatesAreWorkOverMedianTimeWithTheIntervalTurnedRound) {
  ConstructedRun run("x");
  std::vector<double> times;
  for (int i = 1; i <= 10; ++i) times.push_back(10.0 * i);
  run.work({.flops = 1000, .bytes_read = 600, .bytes_written = 400}).point({}, {{"a", times}});
  const Results results(run.samples, run.cases);
  const Series& a = *results.only("x", {}, "a");
  const auto rate = a.bandwidth_GBps();
  ASSERT_TRUE(rate);
  EXPECT_DOUBLE_EQ(rate->median, 1000 / 55.0);
}

TEST(Results, WithoutAWorkModelHaveNoRate) {
  ConstructedRun run("x");
  run.point({}, {{"a", steady(10)}});
  const Results results(run.samples, run.cases);
  EXPECT_FALSE(results.only("x", {}, "a")->bandwidth_GBps());
  EXPECT_FALSE(results.only("x", {}, "a")->throughput_GFLOPS());
  EXPECT_THROW(results.only("x", {}, "a")->clock("finsh"), Error);
}

TEST(Derived, AValueThatIsNotFiniteIsMissingAndSaysWhy) {
  const double infinite = std::numeric_limits<double>::infinity();
  Derived derived;
  derived.add({.metric = "a_ratio", .unit = "ratio", .value = infinite});
  derived.add({.metric = "b_ratio", .unit = "ratio", .value = 1, .every_sample = {1, infinite}});
  derived.add({.metric = "c_ratio", .unit = "ratio", .value = 1, .every_sample = {1, 2}});
  EXPECT_TRUE(derived.rows()[0].missing);
  EXPECT_EQ(derived.rows()[1].note, "undefined_value");
  EXPECT_TRUE(derived.rows()[1].every_sample.empty());
  EXPECT_FALSE(derived.rows()[2].missing);
}

TEST(Results, TheFirstSessionsDisturbancesStandBesideItsBlocks) {
  ConstructedRun run("x");
  run.point({}, {{"a", steady(10)}});
  std::vector<CaseRow> cases = run.cases;
  for (CaseRow& row : cases) {
    row.stop_reason = "interrupted";
    row.others_cpu_share = 0.5;
    row.warmup_state = "not_steady";
  }
  cases.insert(cases.end(), run.cases.begin(), run.cases.end());
  const Results results(run.samples, cases);
  EXPECT_EQ(results.only("x", {}, "a")->info.others_cpu_share, 0.5);
  EXPECT_EQ(results.only("x", {}, "a")->info.warmup_state, "not_steady");
}

TEST(Results, KnowWhichSeriesWasInterrupted) {
  ConstructedRun run("x");
  run.point({}, {{"a", steady(10)}, {"b", steady(20)}});
  run.cases.clear();
  const Results cut(run.samples, run.cases);
  EXPECT_TRUE(cut.only("x", {}, "a")->interrupted);
  EXPECT_EQ(cut.only("x", {}, "a")->info.stop_reason, "interrupted");
}

TEST(Results, TakeTheLastRowOfAResumedLaunch) {
  ConstructedRun run("x");
  run.point({}, {{"a", steady(10)}});
  std::vector<CaseRow> cases = run.cases;
  for (CaseRow& row : cases) row.stop_reason = "interrupted";
  cases.insert(cases.end(), run.cases.begin(), run.cases.end());
  const Results results(run.samples, cases);
  EXPECT_FALSE(results.only("x", {}, "a")->interrupted);
  EXPECT_EQ(results.only("x", {}, "a")->invocations.size(), 1u);
  EXPECT_EQ(results.only("x", {}, "a")->info.stop_reason, "precision");
}

}  // namespace
}  // namespace perflab

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "bench/judge_parts.h"
#include "bench/testing.h"

namespace perflab {
namespace {

const std::deque<Experiment> no_experiments;

std::string cell(const Judgement& judgement, const char* variant, const char* metric, const char* column) {
  return summary_cell(judgement, "x/n=4", variant, metric, column);
}

ConstructedRun two_variants() {
  ConstructedRun run("x");
  std::vector<double> base;
  for (int i = 1; i <= 10; ++i) base.push_back(100.0 * i);
  std::vector<double> half;
  for (const double time : base) half.push_back(time / 2);
  run.work({.flops = 2000, .bytes_read = 800, .bytes_written = 200})
      .point({{"n", "4"}}, {{"base", base}, {"fast", half}});
  return run;
}

TEST(Summary, HasTheColumnsOfTheSchemaInItsOrder) {
  const Judgement judgement = judge(two_variants().input(), no_experiments);
  const std::vector<std::string> want = {"schema_version",
                                         "run_id",
                                         "lab_id",
                                         "experiment",
                                         "case_id",
                                         "p_n",
                                         "variant",
                                         "baseline",
                                         "metric",
                                         "unit",
                                         "evidence",
                                         "cache_state",
                                         "n_valid",
                                         "n_invalid",
                                         "n_invocations",
                                         "median",
                                         "ci_lo",
                                         "ci_hi",
                                         "ci_level",
                                         "ci_method",
                                         "mad",
                                         "q1",
                                         "q3",
                                         "min",
                                         "max",
                                         "ratio",
                                         "ratio_ci_lo",
                                         "ratio_ci_hi",
                                         "mde_ratio",
                                         "aa_ratio",
                                         "aa_ci_lo",
                                         "aa_ci_hi",
                                         "ceiling",
                                         "pct_of_ceiling",
                                         "predicted",
                                         "predicted_lo",
                                         "predicted_hi",
                                         "first_call_ns",
                                         "break_even_calls",
                                         "warmup_state",
                                         "stop_reason",
                                         "drift_pct",
                                         "lag1_autocorr",
                                         "iid_ok",
                                         "bimodal",
                                         "outliers",
                                         "env_fit",
                                         "status",
                                         "status_reason"};
  EXPECT_EQ(judgement.summary_header, want);
  for (const auto& row : judgement.summary) EXPECT_EQ(row.size(), want.size());
}

TEST(Summary, HasARowPerVariantAndMetricWithItsUnit) {
  ConstructedRun run = two_variants();
  run.clock("verified", "base", std::vector<double>(10, 2000))
      .metric("syncs_count", "base", std::vector<double>(10, 3));
  run.metric("moved_MB", "fast", std::vector<double>(10, 0));
  const Judgement judgement = judge(run.input(), no_experiments);
  for (const char* metric : {"submit", "finish", "verified"})
    EXPECT_EQ(cell(judgement, "base", metric, "unit"), "ns");
  EXPECT_EQ(cell(judgement, "base", "bandwidth", "unit"), "GBps");
  EXPECT_EQ(cell(judgement, "base", "throughput", "unit"), "GFLOPS");
  EXPECT_EQ(cell(judgement, "base", "syncs_count", "unit"), "count");
  EXPECT_EQ(cell(judgement, "base", "syncs_count", "median"), "3");
  EXPECT_EQ(cell(judgement, "fast", "moved_MB", "unit"), "MB");
  EXPECT_EQ(cell(judgement, "fast", "moved_MB", "median"), "0");
  EXPECT_THROW(cell(judgement, "fast", "verified", "unit"), Error) << "no such sample, no such row";
}

TEST(Summary, DescribesTheDistribution) {
  ConstructedRun run("x");
  run.point({{"n", "4"}}, {{"base", {100, 900, 300, 700, 500, 600, 400, 800, 200, 1000}}});
  const Judgement judgement = judge(run.input(), no_experiments);
  const std::vector<std::pair<const char*, const char*>> want = {{"n_valid", "10"},
                                                                 {"n_invalid", "0"},
                                                                 {"n_invocations", "1"},
                                                                 {"median", "550"},
                                                                 {"ci_lo", "200"},
                                                                 {"ci_hi", "900"},
                                                                 {"ci_method", "order_statistic"},
                                                                 {"q1", "300"},
                                                                 {"q3", "800"},
                                                                 {"min", "100"},
                                                                 {"max", "1000"},
                                                                 {"mad", "250"},
                                                                 {"first_call_ns", "100"},
                                                                 {"p_n", "4"},
                                                                 {"baseline", "base"}};
  for (const auto& [column, value] : want)
    EXPECT_EQ(cell(judgement, "base", "finish", column), value) << column;
  EXPECT_NEAR(std::stod(cell(judgement, "base", "finish", "ci_level")), 0.979, 0.001);
}

TEST(Summary, TakesRatiosOfTheSameMetricFromPairs) {
  const Judgement judgement = judge(two_variants().input(), no_experiments);
  EXPECT_NEAR(std::stod(cell(judgement, "fast", "finish", "ratio")), 0.5, 1e-12);
  EXPECT_NEAR(std::stod(cell(judgement, "fast", "finish", "ratio_ci_hi")), 0.5, 1e-12)
      << "drift cancels in pairs";
  EXPECT_NEAR(std::stod(cell(judgement, "fast", "bandwidth", "ratio")), 2, 1e-12);
  EXPECT_EQ(cell(judgement, "base", "finish", "ratio"), "");
  EXPECT_EQ(std::stod(cell(judgement, "aa", "finish", "ratio")), 1);
  EXPECT_EQ(std::stod(cell(judgement, "fast", "finish", "aa_ratio")), 1);
  EXPECT_EQ(cell(judgement, "fast", "finish", "env_fit"), "1");
  EXPECT_EQ(cell(judgement, "base", "finish", "status_reason"), "drift") << "tenfold";
}

TEST(Summary, CountsOutliersAndKeepsThem) {
  ConstructedRun run("x");
  std::vector<double> times = noisy(1000, 0.01, 20, 3);
  times[5] = 20000;
  run.point({{"n", "4"}}, {{"base", times}});
  const Judgement judgement = judge(run.input(), no_experiments);
  EXPECT_EQ(cell(judgement, "base", "finish", "outliers"), "1");
  EXPECT_EQ(cell(judgement, "base", "finish", "max"), "20000");
  EXPECT_EQ(cell(judgement, "base", "finish", "n_valid"), "20");
}

TEST(Summary, HasNoIntervalBelowSixBlocks) {
  ConstructedRun run("x");
  run.point({{"n", "4"}}, {{"base", {1, 2, 3, 4, 5}}});
  const Judgement judgement = judge(run.input(), no_experiments);
  for (const char* column : {"ci_lo", "ci_hi", "ci_level", "ci_method", "env_fit", "aa_ci_lo"})
    EXPECT_EQ(cell(judgement, "base", "finish", column), "") << column;
}

// Every sample thrown out: a row that says why, no number anywhere, exit 3.
TEST(Summary, OfACaseWithoutAValidSampleHoldsAReasonAndNoNumber) {
  ConstructedRun run("x");
  run.point({{"n", "4"}}, {{"base", steady(1000, 8)}, {"fast", steady(500, 8)}});
  for (int block = 0; block < 8; ++block) run.invalid("fast", block, "throttled_gpu");
  run.ending("fast", "failed", "no_valid_samples");
  const Judgement judgement = judge(run.input(), no_experiments);
  EXPECT_TRUE(judgement.no_valid_samples);
  EXPECT_FALSE(judgement.wrong_result);
  EXPECT_EQ(cell(judgement, "fast", "finish", "status"), "failed");
  EXPECT_EQ(cell(judgement, "fast", "finish", "status_reason"), "always_throttled_gpu");
  EXPECT_EQ(cell(judgement, "fast", "finish", "n_valid"), "0");
  EXPECT_EQ(cell(judgement, "fast", "finish", "n_invalid"), "8");
  for (const char* column : {"median", "ci_lo", "mad", "min", "ratio", "drift_pct", "bimodal"})
    EXPECT_EQ(cell(judgement, "fast", "finish", column), "") << column;
  for (const auto& row : judgement.summary)
    for (const std::string& field : row) {
      EXPECT_EQ(field.find("nan"), std::string::npos);
      EXPECT_EQ(field.find("inf"), std::string::npos);
    }
}

TEST(Summary, NamesWhatDisturbedARow) {
  const auto reason = [](ConstructedRun run) {
    return cell(judge(run.input(), no_experiments), "base", "finish", "status_reason");
  };
  ConstructedRun calm("x"), restless("x"), copy("x"), two_modes("x"), waves("x");
  calm.point({{"n", "4"}}, {{"base", steady(1000)}});
  restless.warmup_state("not_steady").point({{"n", "4"}}, {{"base", steady(1000)}});
  copy.point({{"n", "4"}}, {{"base", steady(1000)}, {"aa", steady(1100)}});
  two_modes.point({{"n", "4"}}, {{"base", {100, 150, 101, 151, 151.5, 102, 100.5, 152, 101.5, 150.5}}});
  std::vector<double> slow_wave;
  for (int i = 0; i < 60; ++i) slow_wave.push_back(1000 + 10 * (i / 6 % 2) + 0.1 * (i % 6));
  waves.point({{"n", "4"}}, {{"base", slow_wave}});
  EXPECT_EQ(reason(calm), "");
  EXPECT_EQ(reason(restless), "warmup_not_steady");
  EXPECT_EQ(reason(copy), "aa_unfit");
  EXPECT_EQ(reason(two_modes), "bimodal");
  EXPECT_EQ(reason(waves), "autocorrelated");
}

TEST(Summary, PutsDerivedRowsAtTheEndWithoutCaseAndVariant) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("x")
      .variants({"base", "fast"}, "base")
      .derive([](const Results& results, Derived& derived) {
        derived.add(
            {.metric = "points_count", .unit = "count", .value = double(results.find("x").size()), .n = 2});
        derived.missing("nic_rate", "GBps", "needs_nic:1");
      });
  const Judgement judgement = judge(two_variants().input(), experiments);
  EXPECT_EQ(summary_cell(judgement, "", "", "points_count", "median"), "2");
  EXPECT_EQ(summary_cell(judgement, "", "", "points_count", "experiment"), "x");
  EXPECT_EQ(summary_cell(judgement, "", "", "nic_rate", "status"), "not_testable");
  EXPECT_EQ(summary_cell(judgement, "", "", "nic_rate", "status_reason"), "needs_nic:1");
  EXPECT_EQ(summary_cell(judgement, "", "", "nic_rate", "median"), "");
}

TEST(Summary, RefusesAMetricThatIsDerivedTwice) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("x")
      .variants({"base", "fast"}, "base")
      .derive([](const Results&, Derived& derived) {
        derived.missing("a", "", "why");
        derived.missing("a", "", "why");
      });
  EXPECT_THROW(judge(two_variants().input(), experiments), Error);
}

}  // namespace
}  // namespace perflab

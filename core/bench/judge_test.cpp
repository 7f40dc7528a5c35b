#include "bench/judge.h"

#include <gtest/gtest.h>

#include <functional>

#include "bench/judge_testing.h"

namespace perflab {
namespace {

TEST(Judge, DecidesAPairClaimBothWays) {
  EXPECT_EQ(words(twofold().input({speedup()})), "REPRODUCED");
  ConstructedRun slower("stream");
  slower.point({}, {{"plain", steady(1e6)}, {"nt", steady(2e6)}});
  EXPECT_EQ(words(slower.input({speedup()})), "CONTRADICTED (opposite)");
}

TEST(Judge, ChoosesTheCaseByTheClaimsParams) {
  ConstructedRun run("stream");
  run.point({{"level", "DRAM"}}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  run.point({{"level", "L1"}}, {{"plain", steady(1e3)}, {"nt", steady(5e3)}});
  Claim claim = speedup();
  EXPECT_EQ(words(run.input({claim})), "INCONCLUSIVE (ambiguous_case)");
  claim.params = "level=DRAM";
  EXPECT_EQ(words(run.input({claim})), "REPRODUCED");
  claim.params = "level=L1";
  EXPECT_EQ(words(run.input({claim})), "CONTRADICTED (opposite)");
  claim.params = "level=L2";
  EXPECT_EQ(words(run.input({claim})), "INCONCLUSIVE (case_not_run)");
}

TEST(Judge, TakesTheClockThatTheClaimNames) {
  ConstructedRun run = twofold();
  run.clock("submit", "nt", steady(4e6));
  Claim claim = claim_on("plain.finish / nt.submit", ClaimType::direction);
  EXPECT_EQ(words(run.input({claim})), "CONTRADICTED (opposite)");
}

TEST(Judge, TakesASummaryMetricOfTheVariantNamedInParams) {
  ConstructedRun run("stream");
  run.work({.bytes_read = 20e6}).point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  Claim claim = claim_on("bandwidth", ClaimType::absolute, 9, 11);
  EXPECT_EQ(words(run.input({claim})), "REPRODUCED") << "the baseline's 10 GB/s";
  claim.params = "variant=nt";
  EXPECT_EQ(words(run.input({claim})), "CONTRADICTED (above_band)");
  claim.quantity = "unheard_of";
  EXPECT_EQ(words(run.input({claim})), "INCONCLUSIVE (no_such_quantity)");
}

TEST(Judge, HoldsABoundForEverySample) {
  ConstructedRun run = twofold();
  run.metric("syncs_count", "plain", steady(3));
  Claim claim = claim_on("syncs_count", ClaimType::count, 3, 3);
  EXPECT_EQ(words(run.input({claim})), "REPRODUCED");
  std::vector<double> one_more = steady(3);
  one_more[11] = 4;
  run.metric("syncs_count", "plain", one_more);
  EXPECT_EQ(words(run.input({claim})), "CONTRADICTED (above_band)");
}

std::deque<Experiment> deriving(std::function<void(const Results&, Derived&)> derive) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("stream").variants({"plain", "nt"}, "plain").derive(std::move(derive));
  return experiments;
}

TEST(Judge, PrefersADerivedMetricAndTellsMissingFromUntestable) {
  Claim claim = claim_on("slope", ClaimType::shape, 0.9, 1.1);
  const auto with = [&](double value) {
    return deriving([=](const Results&, Derived& derived) {
      derived.add(
          {.metric = "slope", .unit = "1", .value = value, .interval = Interval{value, value, 0.95}, .n = 9});
    });
  };
  const JudgeInput input = twofold().input({claim});
  EXPECT_EQ(words(input, with(1.0)), "REPRODUCED");
  EXPECT_EQ(words(input, with(0.2)), "CONTRADICTED (below_band)");
  for (const char* reason : {"needs_nic:1", "no_numa", "unknown_memory_type", "other_hardware_class"}) {
    const auto missing =
        deriving([=](const Results&, Derived& derived) { derived.missing("slope", "1", reason); });
    EXPECT_EQ(words(input, missing), std::string("NOT TESTABLE HERE (") + reason + ")");
  }
  const auto too_few =
      deriving([](const Results&, Derived& derived) { derived.missing("slope", "1", "too_few_points"); });
  EXPECT_EQ(words(input, too_few), "INCONCLUSIVE (too_few_points)");
  EXPECT_EQ(words(input, deriving([](const Results&, Derived&) {})), "INCONCLUSIVE (no_such_quantity)");
}

TEST(Judge, RejectsADerivedNumberThatBreaksItsLabsBound) {
  const JudgeInput input = twofold().input({claim_on("slope", ClaimType::shape, 0.9, 1.1)});
  for (const std::string reason : {"", "faster_than_its_longest_part"}) {
    const auto experiments = deriving([=](const Results&, Derived& derived) {
      derived.add({.metric = "slope",
                   .unit = "1",
                   .value = 1,
                   .interval = Interval{1, 1, 0.95},
                   .n = 9,
                   .implausible = reason});
    });
    EXPECT_EQ(words(input, experiments), reason.empty() ? "REPRODUCED" : "REJECTED (" + reason + ")");
    EXPECT_EQ(judge(input, experiments).implausible, !reason.empty());
  }
}

TEST(Judge, DecidesNothingInSmokeUnderFaultsOrWithoutAWholeRun) {
  EXPECT_EQ(words(twofold("smoke").input({speedup()})), "INCONCLUSIVE (smoke_profile)");
  ConstructedRun faulty("stream");
  faulty.fault(1).point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  EXPECT_EQ(words(faulty.input({speedup()})), "INCONCLUSIVE (fault_injected)");
  JudgeInput cut = twofold().input({speedup()});
  cut.partial = true;
  EXPECT_EQ(words(cut), "INCONCLUSIVE (partial_run)");
  JudgeInput without_rows = twofold().input({speedup()});
  std::erase_if(without_rows.cases, [](const CaseRow& row) { return row.variant == "nt"; });
  EXPECT_EQ(words(without_rows), "INCONCLUSIVE (partial_run)");
}

TEST(Judge, FailsAClaimWhoseCaseWasWrong) {
  ConstructedRun run = twofold();
  run.ending("nt", "failed", "wrong_result");
  const Judgement judgement = judge(run.input({speedup()}), no_experiments);
  EXPECT_EQ(verdict_words(judgement, "the-claim"), "FAILED (wrong_result)");
  EXPECT_TRUE(judgement.wrong_result);
  EXPECT_EQ(summary_cell(judgement, "stream/level=DRAM", "nt", "finish", "status"), "failed");
  EXPECT_FALSE(judge(twofold().input(), no_experiments).wrong_result);
}

TEST(Judge, SaysThatASkippedCaseIsNotTestable) {
  ConstructedRun run("stream");
  run.point({{"gpu", "0"}}, {{"plain", steady(2e6)}});
  run.skipped({{"gpu", "1"}}, "plain", "needs_gpus:1");
  Claim claim = claim_on("finish", ClaimType::absolute, 1, 2);
  claim.params = "gpu=1";
  const Judgement judgement = judge(run.input({claim}), no_experiments);
  EXPECT_EQ(verdict_words(judgement, "the-claim"), "NOT TESTABLE HERE (needs_gpus:1)");
  EXPECT_EQ(summary_cell(judgement, "stream/gpu=1", "plain", "finish", "status"), "not_testable");
  EXPECT_EQ(summary_cell(judgement, "stream/gpu=1", "plain", "finish", "median"), "");
  EXPECT_FALSE(judgement.no_valid_samples) << "a skip is no failure";
}

// ---- multiplicity ----

TEST(Judge, WidensIntervalsWhereSeveralVariantsShareABaseline) {
  const std::vector<double> base = noisy(2e6, 0.05, 20, 1), other = noisy(1e6, 0.05, 20, 2);
  ConstructedRun one("stream"), five("stream");
  one.point({}, {{"plain", base}, {"nt", other}});
  five.point({}, {{"plain", base}, {"nt", other}, {"b", base}, {"c", base}, {"d", base}, {"e", base}});
  const auto width = [](const ConstructedRun& run) {
    const Judgement judgement = judge(run.input({speedup()}), no_experiments);
    const Interval& interval = *verdict_of(judgement, "the-claim").seen.estimate->interval;
    return interval.hi / interval.lo;
  };
  EXPECT_GT(width(five), width(one));
  const Judgement judgement = judge(five.input({speedup()}), no_experiments);
  EXPECT_GE(verdict_of(judgement, "the-claim").seen.estimate->interval->level, 0.99);
}

// ---- parts, order, words ----

TEST(Judge, GivesAClaimOfPartsTheWeakestOne) {
  Claim a = speedup(), b = speedup();
  a.part = "a";
  a.truth = "what is true";
  b.part = "b";
  b.quantity = "nt.finish / plain.finish";
  const Judgement judgement = judge(twofold().input({a, b}), no_experiments);
  ASSERT_EQ(judgement.verdicts.size(), 1u);
  EXPECT_EQ(verdict_words(judgement, "the-claim"), "CONTRADICTED (opposite)");
  EXPECT_EQ(judgement.verdicts[0].claim.part, "b");
  EXPECT_EQ(judgement.verdicts[0].claim.quantity, "nt.finish / plain.finish");
  EXPECT_EQ(judgement.verdicts[0].claim.truth, "what is true");
}

TEST(Judge, RanksWhatDiffersFromTheArticleFirst) {
  Claim good = speedup(), wrong = speedup(), very_wrong = speedup(), unknown = speedup();
  good.claim_id = "good";
  wrong.claim_id = "wrong";
  wrong.claimed_value = 10;
  wrong.band_lo = 8;
  wrong.band_hi = 12;
  very_wrong = wrong;
  very_wrong.claim_id = "very-wrong";
  very_wrong.claimed_value = 47;
  unknown.claim_id = "unknown";
  unknown.params = "level=L9";
  const Judgement judgement = judge(twofold().input({unknown, good, wrong, very_wrong}), no_experiments);
  EXPECT_EQ(verdict_of(judgement, "very-wrong").surprise_rank, 1);
  EXPECT_EQ(verdict_of(judgement, "wrong").surprise_rank, 2);
  EXPECT_EQ(verdict_of(judgement, "good").surprise_rank, 3);
  EXPECT_EQ(verdict_of(judgement, "unknown").surprise_rank, 4);
}

TEST(Judge, WritesOneFieldForEveryColumnOfAVerdict) {
  const Judgement judgement = judge(twofold().input({speedup()}), no_experiments);
  EXPECT_EQ(verdict_fields(judgement.verdicts[0], "run", "lab").size(), verdicts_header().size());
}

}  // namespace
}  // namespace perflab

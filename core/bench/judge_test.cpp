#include "bench/judge.h"

#include <gtest/gtest.h>

#include "bench/judge_parts.h"
#include "bench/testing.h"

namespace perflab {
namespace {

const std::deque<Experiment> no_experiments;

Claim claim_on(std::string quantity, ClaimType type, std::optional<double> lo = {},
               std::optional<double> hi = {}) {
  Claim claim;
  claim.claim_id = "the-claim";
  claim.source = "article";
  claim.statement = "something holds";
  claim.type = type;
  claim.experiment = "stream";
  claim.quantity = std::move(quantity);
  claim.band_lo = lo;
  claim.band_hi = hi;
  claim.about = "hardware";
  claim.subject = "real";
  claim.expert_verdict = "true";
  return claim;
}

Claim speedup() { return claim_on("plain.finish / nt.finish", ClaimType::ratio, 1.5, 2.5); }

ConstructedRun twofold(std::string profile = "quick") {
  ConstructedRun run("stream", std::move(profile));
  run.point({{"level", "DRAM"}}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  return run;
}

std::string words(const JudgeInput& input, const std::deque<Experiment>& experiments = no_experiments) {
  return verdict_words(judge(input, experiments), "the-claim");
}

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

// ---- P2 by needs_hw and subject ----

TEST(Judge, AsksForHardwareInTheClaimsWords) {
  Claim claim = speedup();
  claim.subject = "not";
  claim.needs_hw = "gpu:2";
  EXPECT_EQ(words(twofold().input({claim})), "NOT TESTABLE HERE (needs_gpus:2)");
  claim.needs_hw = "sw:mxnet";
  EXPECT_EQ(words(twofold().input({claim})), "NOT TESTABLE HERE (needs_sw:mxnet)");
  claim.needs_hw = "cores:2";
  JudgeInput input = twofold().input({claim});
  input.hardware = {"cores:1"};
  EXPECT_EQ(words(input), "NOT TESTABLE HERE (needs_cores:2)");
  input.hardware = {"cores:4"};
  EXPECT_EQ(words(input), "REPRODUCED");
  claim.needs_hw = "gpu:1";
  ConstructedRun on_gpu("stream");
  on_gpu.device("cuda:0").point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  EXPECT_EQ(words(on_gpu.input({claim})), "REPRODUCED");
}

TEST(Judge, LetsAStandInForHardwareHoldInDirectionUntilTheHardwareIsHere) {
  Claim claim = speedup();
  claim.subject = "stand-in";
  claim.needs_hw = "gpu:1";
  ConstructedRun run("stream");
  run.evidence("measured", "perflab_engine").point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  const Judgement judgement = judge(run.input({claim}), no_experiments);
  EXPECT_EQ(verdict_words(judgement, "the-claim"), "DIRECTION HOLDS (stand_in)");
  EXPECT_EQ(verdict_of(judgement, "the-claim").seen.subject, "perflab_engine");
  JudgeInput with = run.input({claim});
  with.hardware = {"gpu:1"};
  EXPECT_EQ(words(with), "REPRODUCED");
}

TEST(Judge, NeverLetsAModelReproduce) {
  ConstructedRun run("stream");
  run.evidence("modelled", "model").point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  EXPECT_EQ(words(run.input({speedup()})), "MODEL AGREES");
  Claim model = speedup();
  model.subject = "model";
  EXPECT_EQ(words(twofold().input({model})), "MODEL AGREES");
}

TEST(Judge, ComparesAnAbsoluteClaimOnlyOnTheSameClassOfHardware) {
  Claim claim = claim_on("finish", ClaimType::absolute, 1.9e6, 2.1e6);
  claim.needs_hw = "mem:ddr4";
  EXPECT_EQ(words(twofold().input({claim})), "NOT TESTABLE HERE (other_hardware_class)");
  JudgeInput input = twofold().input({claim});
  input.hardware = {"mem:ddr4"};
  EXPECT_EQ(words(input), "REPRODUCED");
}

// ---- P3 ----

TEST(Judge, IsUnfitWhenTheCopyDiffersFromItsOriginal) {
  ConstructedRun run("stream");
  run.point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}, {"aa", steady(2.02e6)}});
  const Judgement judgement = judge(run.input({speedup()}), no_experiments);
  EXPECT_EQ(verdict_words(judgement, "the-claim"), "INCONCLUSIVE (aa_unfit)");
  EXPECT_EQ(summary_cell(judgement, "stream", "plain", "finish", "env_fit"), "0");
  EXPECT_EQ(summary_cell(judgement, "stream", "plain", "finish", "status_reason"), "aa_unfit");
}

TEST(Judge, IsUnfitWhenTheCopysIntervalIsWiderThanTheSmallestInterestingEffect) {
  ConstructedRun run("stream");
  std::vector<double> wide;
  for (int i = 0; i < 20; ++i) wide.push_back(i % 2 == 0 ? 1.7e6 : 2.35e6);
  run.point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}, {"aa", wide}});
  Claim claim = speedup();
  EXPECT_EQ(words(run.input({claim})), "INCONCLUSIVE (aa_unfit)");
  claim.smallest_interesting_effect = 1.5;
  EXPECT_EQ(words(run.input({claim})), "REPRODUCED");
  EXPECT_GT(judge(run.input(), no_experiments).separates_above_ratio, 1.1);
  EXPECT_DOUBLE_EQ(judge(twofold().input(), no_experiments).separates_above_ratio, 1);
}

TEST(Judge, IsUnfitWithoutAControl) {
  JudgeInput input = twofold().input({speedup()});
  std::erase_if(input.samples, [](const Sample& sample) { return sample.variant == "aa"; });
  std::erase_if(input.cases, [](const CaseRow& row) { return row.variant == "aa"; });
  EXPECT_EQ(words(input), "INCONCLUSIVE (aa_unfit)");
}

TEST(Judge, LetsASweepShareTheOneControlOfItsExperiment) {
  ConstructedRun run("stream");
  run.point({{"n", "1"}}, {{"plain", steady(100)}}).point({{"n", "2"}}, {{"plain", steady(200)}});
  Claim claim = claim_on("finish", ClaimType::absolute, 190, 210);
  claim.params = "n=2";
  const Judgement judgement = judge(run.input({claim}), no_experiments);
  EXPECT_EQ(verdict_words(judgement, "the-claim"), "REPRODUCED");
  EXPECT_EQ(summary_cell(judgement, "stream/n=2", "plain", "finish", "env_fit"), "1");
}

TEST(Judge, RefusesRestlessWarmUpsManyInvalidSamplesAndDriftOfASingleSeries) {
  ConstructedRun restless("stream");
  restless.warmup_state("not_steady").point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  EXPECT_EQ(words(restless.input({speedup()})), "INCONCLUSIVE (warmup_not_steady)");

  ConstructedRun throttled = twofold();
  for (const int block : {2, 9}) throttled.invalid("nt", block, "throttled_cpu");
  EXPECT_EQ(words(throttled.input({speedup()})), "REPRODUCED") << "exactly 10 %";
  throttled.invalid("nt", 14, "throttled_cpu");
  EXPECT_EQ(words(throttled.input({speedup()})), "INCONCLUSIVE (too_many_invalid)");

  std::vector<double> ramp;
  for (int i = 0; i < 40; ++i) ramp.push_back(100 * (1 + 0.08 * i / 39));
  ConstructedRun drifting("stream");
  drifting.point({}, {{"plain", ramp}});
  Claim absolute = claim_on("finish", ClaimType::absolute, 50, 150);
  const Judgement judgement = judge(drifting.input({absolute}), no_experiments);
  EXPECT_EQ(verdict_words(judgement, "the-claim"), "INCONCLUSIVE (drift)");
  const double drift = std::stod(summary_cell(judgement, "stream", "plain", "finish", "drift_pct"));
  EXPECT_GT(drift, 7);
  EXPECT_LT(drift, 9);
}

TEST(Judge, RefusesEveryVerdictWhenTheClockIsUnstableInMoreThanOnePercent) {
  ConstructedRun run("stream");
  run.point({}, {{"plain", steady(2e6, 100)}, {"nt", steady(1e6, 100)}});
  for (const int block : {4, 17, 50}) run.invalid("plain", block, "clock_unstable");  // of 300
  EXPECT_EQ(words(run.input({speedup()})), "REPRODUCED");
  run.invalid("nt", 3, "clock_unstable");
  EXPECT_EQ(words(run.input({speedup()})), "NOT TESTABLE HERE (clock_unstable)");
}

TEST(Judge, CountsWithoutAskingForAQuietMachine) {
  ConstructedRun run("stream");
  run.warmup_state("not_steady")
      .point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}, {"aa", steady(9e6)}});
  run.metric("messages_count", "plain", steady(6));
  EXPECT_EQ(words(run.input({claim_on("messages_count", ClaimType::count, 6, 6)})), "REPRODUCED");
}

TEST(Judge, AsksThreeLaunchesForTheSameAnswer) {
  const auto launches = [](const std::vector<double>& nt_times) {
    ConstructedRun run("stream", "reproduce");
    for (std::size_t i = 0; i < nt_times.size(); ++i)
      run.invocation(int(i)).point(
          {}, {{"plain", noisy(2e6, 0.01, 20, 40 + i)}, {"nt", noisy(nt_times[i], 0.01, 20, 50 + i)}});
    return run.input({speedup()});
  };
  EXPECT_EQ(words(launches({1e6, 1.005e6, 1e6})), "REPRODUCED");
  EXPECT_EQ(verdict_of(judge(launches({1e6, 1e6, 1e6}), no_experiments), "the-claim").seen.launches, 3);
  // Launches far apart: the launch is the unit, and three of them have no interval.
  EXPECT_EQ(words(launches({1e6, 1.6e6, 2.4e6})), "INCONCLUSIVE (too_few_samples)");
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

// Preconditions as the judge finds them in the data: is the subject here (P2), is the environment fit (P3)?

#include <gtest/gtest.h>

#include "bench/judge_testing.h"
#include "bench/load.h"

namespace perflab {
namespace {

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
  EXPECT_EQ(words(with), "DIRECTION HOLDS (stand_in)");  // it is there, and was not what ran
  ConstructedRun on_gpu("stream");
  on_gpu.evidence("measured", "perflab_engine")
      .device("cuda:0")
      .point({}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  EXPECT_EQ(words(on_gpu.input({claim})), "REPRODUCED");
}

TEST(Judge, NeverTakesTheEnginesSecondsForThoseOfASoftwareThatIsInstalled) {
  Claim claim = claim_on("finish", ClaimType::absolute, 1.9e6, 2.1e6);
  claim.subject = "stand-in";
  claim.needs_hw = "sw:mxnet";
  const auto words_of = [&](const char* subject) {
    ConstructedRun run("stream");
    run.evidence("measured", subject).point({}, {{"plain", steady(2e6)}});
    JudgeInput input = run.input({claim});
    input.hardware = {"sw:mxnet"};
    return words(input);
  };
  EXPECT_EQ(words_of("perflab_engine"), "NOT TESTABLE HERE (other_hardware_class)");
  EXPECT_EQ(words_of("framework:MXNet-1.9"), "REPRODUCED");
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

TEST(Judge, IsUnfitWhileOthersKeepTheProcessorsBusyWhichTheCopyCannotSee) {
  JudgeInput input = twofold().input({speedup()});
  for (CaseRow& row : input.cases) row.others_cpu_share = most_others_share;
  EXPECT_EQ(words(input), "REPRODUCED");
  for (CaseRow& row : input.cases) row.others_cpu_share = most_others_share + 0.01;
  EXPECT_EQ(words(input), "INCONCLUSIVE (machine_busy)");
  const Judgement judgement = judge(input, no_experiments);
  EXPECT_EQ(summary_cell(judgement, "stream/level=DRAM", "plain", "finish", "status"), "noisy");
  EXPECT_EQ(summary_cell(judgement, "stream/level=DRAM", "plain", "finish", "status_reason"), "machine_busy");
  EXPECT_EQ(summary_cell(judgement, "stream/level=DRAM", "plain", "finish", "env_fit"), "0");
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

}  // namespace
}  // namespace perflab

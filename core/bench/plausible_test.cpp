#include <gtest/gtest.h>

#include "bench/judge_parts.h"
#include "bench/testing.h"

namespace perflab {
namespace {

constexpr std::int64_t KiB = 1024, MiB = 1024 * KiB;
const std::vector<CacheLevel> caches = {{1, 32 * KiB, 1, 2}, {2, 1 * MiB, 1, 2}, {3, 32 * MiB, 2, 1}};

// 1e9 bytes per call; rate in GB/s = 1e9 / time in ns.
ConstructedRun reading(double time_ns, Bound bound) {
  ConstructedRun run("stream");
  run.work({.bytes_read = 1e9})
      .bound(std::move(bound))
      .point({}, {{"plain", steady(time_ns)}, {"nt", steady(time_ns)}});
  return run;
}

Bound dram(int threads = 1) {
  return {.level = "DRAM", .pattern = "read", .threads = threads, .working_set_bytes = 1024 * MiB};
}

Claim no_slower() {
  Claim claim;
  claim.claim_id = "the-claim";
  claim.type = ClaimType::null;
  claim.experiment = "stream";
  claim.quantity = "plain.finish / nt.finish";
  claim.about = "hardware";
  claim.subject = "real";
  return claim;
}

JudgeInput with_ceiling(const ConstructedRun& run, const Ceiling& ceiling) {
  JudgeInput input = run.input({no_slower()});
  input.ceilings.raise(ceiling);
  input.caches = caches;
  return input;
}

Judgement judged(const JudgeInput& input, bool defines = false) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("stream").variants({"plain", "nt"}, "plain");
  if (defines) experiments.front().defines_ceilings();
  return judge(input, experiments);
}

TEST(Plausibility, RejectsARateAboveTheMeasuredCeiling) {
  const Ceiling ceiling{"DRAM", "read", 1, 20, "earlier"};
  const Judgement fine = judged(with_ceiling(reading(1e9 / 21, dram()), ceiling));  // 21 = 1.05 x 20
  EXPECT_EQ(verdict_words(fine, "the-claim"), "REPRODUCED");
  EXPECT_FALSE(fine.implausible);
  EXPECT_EQ(summary_cell(fine, "stream", "plain", "bandwidth", "ceiling"), "20");
  EXPECT_NEAR(std::stod(summary_cell(fine, "stream", "plain", "bandwidth", "pct_of_ceiling")), 105, 0.01);

  const Judgement fast = judged(with_ceiling(reading(1e9 / 21.1, dram()), ceiling));
  EXPECT_EQ(verdict_words(fast, "the-claim"), "REJECTED (implausible)");
  EXPECT_TRUE(fast.implausible);
  EXPECT_EQ(summary_cell(fast, "stream", "plain", "finish", "status_reason"), "implausible");
}

TEST(Plausibility, IsAskedOfEverySample) {
  ConstructedRun run("stream");
  std::vector<double> times = steady(1e9 / 15);
  times[7] = 1e9 / 40;
  run.work({.bytes_read = 1e9}).bound(dram()).point({}, {{"plain", times}, {"nt", steady(1e9 / 15)}});
  EXPECT_TRUE(judged(with_ceiling(run, {"DRAM", "read", 1, 20, "earlier"})).implausible);
}

TEST(Plausibility, TakesTheLevelsRoofForAnotherPatternAndNothingForMoreThreads) {
  EXPECT_TRUE(judged(with_ceiling(reading(1e9 / 30, dram(1)), {"DRAM", "copy", 1, 20, "r"})).implausible);
  EXPECT_FALSE(judged(with_ceiling(reading(1e9 / 30, dram(2)), {"DRAM", "copy", 1, 20, "r"})).implausible)
      << "two threads may be faster than the fastest that one was seen to be";
  const Judgement unknown = judged(with_ceiling(reading(1e9 / 30, dram(1)), {"DRAM", "copy", 2, 20, "r"}));
  EXPECT_FALSE(unknown.implausible);
  EXPECT_EQ(summary_cell(unknown, "stream", "plain", "bandwidth", "ceiling"), "");
  EXPECT_EQ(summary_cell(unknown, "stream", "plain", "bandwidth", "status"), "ok");
  EXPECT_EQ(summary_cell(unknown, "stream", "plain", "bandwidth", "status_reason"), "ceiling_unknown");
}

TEST(Plausibility, ComparesFlopsWithTheComputeCeiling) {
  ConstructedRun run("stream");
  run.work({.flops = 1e9})
      .bound({.level = "compute", .pattern = "fma", .threads = 1, .working_set_bytes = 0})
      .point({}, {{"plain", steady(1e9 / 70)}, {"nt", steady(1e9 / 70)}});
  EXPECT_TRUE(judged(with_ceiling(run, {"compute", "fma", 1, 60, "r"})).implausible);
  EXPECT_FALSE(judged(with_ceiling(run, {"compute", "fma", 1, 70, "r"})).implausible);
}

// 256 KiB that are called main memory: cache-resident data at an impossible rate.
TEST(Plausibility, FindsACacheCalledMainMemoryEvenWithoutACeiling) {
  Bound small = dram();
  small.working_set_bytes = 256 * KiB;
  JudgeInput input = reading(1e9 / 200, small).input({no_slower()});
  input.caches = caches;
  const Judgement judgement = judged(input);
  EXPECT_EQ(verdict_words(judgement, "the-claim"), "REJECTED (wrong_memory_level)");
  EXPECT_TRUE(judgement.implausible);
}

TEST(Plausibility, HoldsAWorkingSetAgainstItsDeclaredLevel) {
  const auto wrong = [](const char* level, std::int64_t bytes, int threads) {
    CaseRow row;
    row.level = level;
    row.threads = threads;
    row.working_set_bytes = bytes;
    return at_wrong_level(row, caches);
  };
  EXPECT_FALSE(wrong("DRAM", 128 * MiB, 1)) << "4 x L3";
  EXPECT_TRUE(wrong("DRAM", 128 * MiB - 1, 1));
  EXPECT_FALSE(wrong("L1", 32 * KiB, 1));
  EXPECT_TRUE(wrong("L1", 32 * KiB + 1, 1));
  EXPECT_FALSE(wrong("L1", 64 * KiB, 2)) << "two threads, two caches";
  EXPECT_TRUE(wrong("L2", 3 * MiB, 2));
  EXPECT_TRUE(wrong("L3", 33 * MiB, 1));
  EXPECT_TRUE(wrong("L3", 33 * MiB, 2)) << "two threads share the only L3";
  EXPECT_FALSE(wrong("compute", 999 * MiB, 1));
  EXPECT_FALSE(wrong("DRAM", 0, 1)) << "nothing declared";
  EXPECT_FALSE(at_wrong_level(CaseRow{}, {}));

  CaseRow spread;  // all eight caches of a large machine together
  spread.level = "DRAM";
  spread.threads = 64;
  spread.working_set_bytes = 128 * MiB;
  EXPECT_TRUE(at_wrong_level(spread, {{3, 32 * MiB, 8, 8}}));
  EXPECT_FALSE(at_wrong_level(spread, {{3, 32 * MiB, 64, 1}}));
}

TEST(Ceilings, AreRaisedByTheFastestValidSampleOfExperimentsThatDefineThem) {
  ConstructedRun run("stream");
  std::vector<double> times = steady(1e9 / 10);
  times[3] = 1e9 / 12;
  times[4] = 1e9 / 500;
  run.work({.bytes_read = 1e9})
      .bound(dram())
      .point({}, {{"plain", times}, {"nt", steady(1e9 / 11)}, {"aa", steady(1e9 / 9)}});
  run.invalid("plain", 4, "clock_unstable");
  JudgeInput input = run.input();
  input.caches = caches;
  std::deque<Experiment> experiments;
  experiments.emplace_back("stream").variants({"plain", "nt"}, "plain");
  Ceilings ceilings;
  raise_ceilings(ceilings, input, experiments);
  EXPECT_TRUE(ceilings.empty()) << "this experiment defines none";
  experiments.front().defines_ceilings();
  raise_ceilings(ceilings, input, experiments);
  ASSERT_EQ(ceilings.rows().size(), 1u);
  EXPECT_DOUBLE_EQ(ceilings.rows()[0].rate, 12);
  EXPECT_EQ(ceilings.rows()[0].run_id, input.run_id);
}

TEST(Ceilings, AreNeverRaisedUnderAFaultByAModelOrFromTheWrongLevel) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("stream").variants({"plain", "nt"}, "plain").defines_ceilings();
  std::optional<double> others_share;
  bool only_first_disturbed = false;
  const auto raised = [&](ConstructedRun run, Bound bound) {
    run.work({.bytes_read = 1e9})
        .bound(std::move(bound))
        .point({}, {{"plain", steady(1e9 / 10)}, {"nt", steady(1e8)}});
    JudgeInput input = run.input();
    input.caches = caches;
    for (CaseRow& row : input.cases) row.others_cpu_share = others_share;
    if (only_first_disturbed)
      for (CaseRow& row : input.cases)
        if (row.variant != "plain") row.others_cpu_share = 0;
    Ceilings ceilings;
    raise_ceilings(ceilings, input, experiments);
    return !ceilings.empty();
  };
  EXPECT_TRUE(raised(ConstructedRun("stream"), dram()));
  EXPECT_FALSE(raised(ConstructedRun("stream").fault(1), dram()));
  EXPECT_FALSE(raised(ConstructedRun("stream").evidence("modelled", "model"), dram()));
  Bound small = dram();
  small.working_set_bytes = 256 * KiB;
  EXPECT_FALSE(raised(ConstructedRun("stream"), small));
  others_share = most_others_share;
  EXPECT_TRUE(raised(ConstructedRun("stream"), dram()));
  others_share = most_others_share + 0.01;
  EXPECT_FALSE(raised(ConstructedRun("stream"), dram())) << "a busy machine's ceiling would be too low";
  only_first_disturbed = true;
  EXPECT_FALSE(raised(ConstructedRun("stream"), dram()))
      << "and the others' would make a roof too low for it";
}

TEST(Ceilings, ThatAreKnownAreRaisedOnABusyMachineTooForWhatWasReachedCanBeReached) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("stream").variants({"plain", "nt"}, "plain").defines_ceilings();
  JudgeInput input = reading(1e9 / 60, dram()).input();
  for (CaseRow& row : input.cases) row.others_cpu_share = 0.5;
  Ceilings ceilings;
  ceilings.raise({"DRAM", dram().pattern, dram().threads, 50, "a quiet run"});
  raise_ceilings(ceilings, input, experiments);
  ASSERT_EQ(ceilings.rows().size(), 1u);
  EXPECT_DOUBLE_EQ(ceilings.rows()[0].rate, 60);
}

TEST(Ceilings, AreNotRaisedByAKernelOfAnotherPattern) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("stream").variants({"plain", "nt"}, "plain").defines_ceilings();
  const auto raised = [&](const char* pattern) {
    Bound bound = dram();
    bound.pattern = pattern;
    ConstructedRun run = reading(1e9 / 10, bound);
    Ceilings ceilings;
    raise_ceilings(ceilings, run.input(), experiments);
    return !ceilings.empty();
  };
  EXPECT_TRUE(raised("triad_nt"));
  EXPECT_FALSE(raised("polynomial"));
}

TEST(Ceilings, OfThisVeryRunHoldForItsOtherExperimentsButNotForThemselves) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("ceilings").sweep("read").defines_ceilings();
  experiments.emplace_back("stream").variants({"plain", "nt"}, "plain");
  ConstructedRun run("ceilings");
  run.work({.bytes_read = 1e9}).bound(dram()).point({}, {{"read", steady(1e9 / 50)}});
  run.experiment("stream").point({}, {{"plain", steady(1e9 / 48)}, {"nt", steady(1e9 / 48)}});
  // The stored ceiling comes from a day with noisy neighbours.
  const Judgement judgement = judge(with_ceiling(run, {"DRAM", "read", 1, 39, "noisy day"}), experiments);
  EXPECT_FALSE(judgement.implausible);
  EXPECT_EQ(summary_cell(judgement, "stream", "plain", "bandwidth", "ceiling"), "50");
}

}  // namespace
}  // namespace perflab

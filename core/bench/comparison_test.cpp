#include "bench/comparison.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "bench/csv.h"
#include "bench/judge_testing.h"

namespace perflab {
namespace {

Json item(Json value) {
  return Json::Object{{"value", std::move(value)}, {"source", "test"}, {"status", "PASS"}};
}

ComparedRun run_of(const ConstructedRun& constructed, const std::string& id = "a") {
  ComparedRun run;
  run.id = id;
  run.status = "complete";
  run.manifest = Json::Object{{"profile", "quick"},
                              {"seed", 1},
                              {"fault", 0},
                              {"suite_version", "0.1.0"},
                              {"claims_sha256", "c0ffee"}};
  run.environment = Json::Object{{"cpu_model", item("Model X")}, {"effective_cpus", item(2)}};
  run.labs.push_back({"00_constructed", constructed.samples, constructed.cases, {}});
  return run;
}

ComparedRun with_times(const std::vector<double>& plain, const std::vector<double>& nt) {
  ConstructedRun run("stream");
  run.point({{"level", "DRAM"}}, {{"plain", plain}, {"nt", nt}});
  return run_of(run);
}

const ComparedCase& case_of(const Comparison& comparison, const std::string& variant) {
  for (const ComparedCase& one : comparison.cases)
    if (one.variant == variant) return one;
  fail(ErrorKind::check, "no case of variant {}", variant);
}

std::string names(const std::vector<Difference>& differences) {
  std::string text;
  for (const Difference& one : differences) text += one.what + " ";
  return text;
}

}  // namespace

TEST(Comparison, ARunAgainstItselfIsAllOnesAndPasses) {
  const ComparedRun run = with_times(noisy(2e6, 0.02, 20, 1), noisy(1e6, 0.02, 20, 2));
  const Comparison comparison = compare_runs(run, run);
  ASSERT_EQ(comparison.cases.size(), 2u);
  for (const ComparedCase& one : comparison.cases) {
    EXPECT_EQ(one.ratio.median, 1);
    EXPECT_EQ(one.change, Change::same);
    EXPECT_EQ(one.n_a, 20);
    EXPECT_EQ(one.unit, "blocks");
  }
  EXPECT_EQ(comparison.exit_code(), 0);
  EXPECT_TRUE(comparison.machine.empty() && comparison.others.empty() && comparison.left_out.empty());
}

TEST(Comparison, SlowerFasterAndUndecidedAreTheirIntervals) {
  const ComparedRun a = with_times(noisy(2e6, 0.01, 20, 1), noisy(1e6, 0.01, 20, 2));
  const Comparison worse = compare_runs(a, with_times(noisy(2.4e6, 0.01, 20, 3), noisy(0.8e6, 0.01, 20, 4)));
  EXPECT_EQ(case_of(worse, "plain").change, Change::slower);
  EXPECT_EQ(case_of(worse, "nt").change, Change::faster);
  EXPECT_NEAR(case_of(worse, "plain").ratio.median, 1.2, 0.02);
  EXPECT_EQ(worse.exit_code(), 1);
  EXPECT_EQ(compare_runs(a, with_times(noisy(2.4e6, 0.01, 20, 3), noisy(1e6, 0.01, 20, 4)), 1.3).exit_code(),
            0);

  const Comparison unclear = compare_runs(a, with_times(noisy(2.1e6, 0.01, 20, 3), noisy(1e6, 0.01, 20, 4)));
  EXPECT_EQ(case_of(unclear, "plain").change, Change::undecided);  // 1.05 lies inside
  EXPECT_EQ(unclear.exit_code(), 0);
}

TEST(Comparison, IntervalsAreAdjustedForTheNumberOfCases) {
  ConstructedRun run("stream");
  for (int i = 0; i < 20; ++i)
    run.point({{"n", fmt::format("{}", i)}}, {{"plain", noisy(1e6, 0.01, 20, std::uint64_t(i))}});
  const ComparedRun whole = run_of(run);
  const Comparison comparison = compare_runs(whole, whole);
  EXPECT_NEAR(comparison.level, 1 - 0.05 / 20, 1e-12);
  for (const ComparedCase& one : comparison.cases) EXPECT_GE(one.ratio.interval->level, comparison.level);
}

// The gate of a commit against itself: twenty cases, no tolerance at all.
TEST(Comparison, OfIdenticalDistributionsTheGateFailsInAtMostOneRunOfTwenty) {
  int alarms = 0, decided = 0;
  constexpr int pairs = 500, cases = 20;
  std::uint64_t seed = 0;
  const auto next = [&] {
    ConstructedRun run("stream");
    for (int i = 0; i < cases; ++i)
      run.point({{"n", fmt::format("{}", i)}}, {{"plain", noisy(1e6, 0.01, 10, ++seed)}});
    return run_of(run);
  };
  for (int k = 0; k < pairs; ++k) {
    const Comparison comparison = compare_runs(next(), next(), 1.0);
    ASSERT_EQ(comparison.cases.size(), std::size_t(cases));
    alarms += comparison.exit_code() == 1;
    for (const ComparedCase& one : comparison.cases) decided += one.reason.empty();
  }
  EXPECT_LE(alarms, pairs / 20);
  EXPECT_GT(decided, pairs * cases * 9 / 10);  // it did not pass by refusing to answer
}

TEST(Comparison, SeveralLaunchesAreTheUnitWhereBothRunsHaveThem) {
  const auto launched = [](double center, std::uint64_t seed) {
    ConstructedRun run("stream");
    for (int launch = 0; launch < 6; ++launch)
      run.invocation(launch).point({{"level", "DRAM"}},
                                   {{"plain", noisy(center, 0.01, 10, seed + std::uint64_t(launch))}});
    return run_of(run);
  };
  const Comparison comparison = compare_runs(launched(1e6, 10), launched(1.2e6, 20));
  EXPECT_EQ(case_of(comparison, "plain").unit, "launches");
  EXPECT_EQ(case_of(comparison, "plain").n_a, 60);
  EXPECT_EQ(case_of(comparison, "plain").ratio.n, 6);  // each launch's median is one value
  EXPECT_EQ(case_of(comparison, "plain").change, Change::slower);
  ConstructedRun once("stream");
  once.point({{"level", "DRAM"}}, {{"plain", noisy(1.2e6, 0.01, 10, 20)}});
  EXPECT_EQ(case_of(compare_runs(launched(1e6, 10), run_of(once)), "plain").unit, "blocks");
}

TEST(Comparison, TooFewSamplesAreUndecidedAndAloneGiveNoVerdict) {
  const ComparedRun a = with_times(steady(2e6, 3), steady(1e6, 3));
  const Comparison comparison = compare_runs(a, with_times(steady(4e6, 3), steady(2e6, 3)));
  EXPECT_EQ(comparison.cases.front().reason, "too_few_blocks");
  EXPECT_EQ(comparison.cases.front().ratio.median, 2);  // shown all the same
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_NE(comparison.verdict().find("no shared case can be decided"), std::string::npos);
}

TEST(Comparison, WhatTheRunItselfWouldNotTrustDecidesNothing) {
  const ComparedRun a = with_times(steady(1e6), steady(1e6));
  std::vector<double> ramp;  // a machine that slows down while B is measured: B015's sequential order
  for (int block = 0; block < 20; ++block) ramp.push_back(1.15e6 * (1 + 0.01 * block));
  EXPECT_EQ(case_of(compare_runs(a, with_times(ramp, steady(1e6))), "plain").reason, "drift_in_B");

  ConstructedRun unfit("stream");
  unfit.point({{"level", "DRAM"}}, {{"plain", steady(1.2e6)}, {"nt", steady(1.2e6)}, {"aa", steady(1.3e6)}});
  const Comparison copies_differ = compare_runs(a, run_of(unfit));
  EXPECT_EQ(case_of(copies_differ, "plain").reason, "aa_unfit_in_B");
  EXPECT_EQ(copies_differ.exit_code(), 3);  // 1.2 times, and still no alarm: nor is it called fine
  EXPECT_NE(copies_differ.verdict().find("no shared case can be decided"), std::string::npos);

  ComparedRun busy = with_times(steady(1.2e6), steady(1.2e6));
  for (CaseRow& row : busy.labs.front().cases) row.others_cpu_share = 0.5;
  EXPECT_EQ(case_of(compare_runs(busy, a), "plain").reason, "machine_busy_in_A");
  ConstructedRun cold("stream");
  cold.warmup_state("not_steady").point({{"level", "DRAM"}}, {{"plain", steady(2e6)}, {"nt", steady(2e6)}});
  EXPECT_EQ(case_of(compare_runs(a, run_of(cold)), "plain").reason, "warmup_not_steady_in_B");
}

TEST(Comparison, ASmokeRunDecidesNothingAndAnImportedOneMay) {
  const ComparedRun a = run_of(twofold());
  ComparedRun smoke = run_of(twofold("smoke"));
  EXPECT_EQ(case_of(compare_runs(a, smoke), "plain").reason, "smoke_profile_in_B");
  EXPECT_EQ(compare_runs(smoke, smoke).exit_code(), 3);
  smoke.manifest.set("import", Json::Object{});  // has no profile of ours
  EXPECT_EQ(compare_runs(smoke, smoke).exit_code(), 0);
}

TEST(Comparison, WhatTheRunsOwnJudgeRejectsIsNoNumberToCompareWith) {
  const ComparedRun run = with_times(steady(1e6), steady(1e6));
  ComparedRun too_fast = with_times(steady(5e5), steady(1e6));
  too_fast.labs.front().refused[{"stream/level=DRAM", "plain"}] = "implausible";
  const Comparison comparison = compare_runs(too_fast, run);
  ASSERT_EQ(comparison.left_out.size(), 1u);
  EXPECT_EQ(comparison.left_out.front().second, "implausible in A");
  EXPECT_EQ(comparison.exit_code(), 0);  // and not twice as slow
}

TEST(Comparison, OnAnotherMachineNumbersAreShownAndNothingIsDecided) {
  const ComparedRun a = with_times(steady(1e6), steady(1e6));
  ComparedRun b = with_times(steady(2e6), steady(2e6));
  b.environment.set("cpu_model", item("Model Y"));
  const Comparison comparison = compare_runs(a, b);
  EXPECT_EQ(names(comparison.machine), "cpu_model ");
  EXPECT_EQ(case_of(comparison, "plain").ratio.median, 2);
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_NE(comparison.verdict().find("a gate needs one machine"), std::string::npos);
  for (const bool first : {true, false}) {  // what only one of them knows may be another machine
    ComparedRun knows_more = a;
    knows_more.environment.set("gpus", item("one"));
    EXPECT_EQ((first ? compare_runs(knows_more, a) : compare_runs(a, knows_more)).exit_code(), 3);
  }
  ComparedRun nowhere = a;
  nowhere.environment = Json::Object{};
  EXPECT_EQ(compare_runs(nowhere, nowhere).exit_code(), 3);
}

TEST(Comparison, SaysWhatElseDiffers) {
  const ComparedRun a = with_times(steady(1e6), steady(1e6));
  ComparedRun b = a;
  b.status = "partial";
  for (const char* name : {"profile", "git_commit", "suite_version", "claims_sha256", "host_alias"})
    b.manifest.set(name, "other");
  b.manifest.set("seed", 2);
  b.manifest.set("fault", 1);
  b.manifest.set("build", Json::Object{{"flags", "-O1"}});
  b.manifest.set("libs", Json::Object{{"OpenMP", "5"}});
  b.environment.set("kernel", item("6.2"));
  const Comparison comparison = compare_runs(a, b);
  EXPECT_EQ(names(comparison.others),
            "profile seed fault suite_version git_commit claims_sha256 host_alias build.flags library OpenMP "
            "kernel ");
  ASSERT_EQ(comparison.notes.size(), 2u);
  EXPECT_EQ(comparison.notes[0], "run B is partial: what it left is compared, the rest is missing");
  EXPECT_EQ(comparison.notes[1], "run B has planted fault 1");
  EXPECT_EQ(comparison.exit_code(), 0);
}

TEST(Comparison, CasesOfOneSideAreCountedAndThoseWithoutNumbersAreNamed) {
  ConstructedRun run("stream");
  run.point({{"level", "L1"}}, {{"plain", steady(1e6)}, {"nt", steady(1e6)}})
      .point({{"level", "L2"}}, {{"plain", steady(1e6)}});
  ConstructedRun other("stream");
  other.point({{"level", "L1"}}, {{"plain", steady(1e6)}, {"nt", steady(1e6)}})
      .ending("nt", "failed", "wrong_result")
      .point({{"level", "L3"}}, {{"plain", steady(1e6)}});
  const Comparison comparison = compare_runs(run_of(run), run_of(other));
  EXPECT_EQ(comparison.cases.size(), 1u);
  EXPECT_EQ(comparison.only_a, std::vector<std::string>{"00_constructed/stream/level=L2 plain"});
  EXPECT_EQ(comparison.only_b, std::vector<std::string>{"00_constructed/stream/level=L3 plain"});
  ASSERT_EQ(comparison.left_out.size(), 1u);
  EXPECT_EQ(comparison.left_out.front().second, "wrong_result in B");

  ConstructedRun skipping("stream");
  skipping.point({{"level", "L1"}}, {{"plain", steady(1e6)}}).skipped({{"level", "L1"}}, "nt", "needs_avx");
  const Comparison both = compare_runs(run_of(skipping), run_of(skipping));
  EXPECT_EQ(both.empty_in_both, 1);
  EXPECT_TRUE(both.left_out.empty());
  EXPECT_EQ(both.exit_code(), 0);

  ConstructedRun elsewhere("stream");
  elsewhere.device("cpu:1").point({{"level", "L1"}}, {{"plain", steady(1e6)}});
  const Comparison devices = compare_runs(run_of(run), run_of(elsewhere));
  EXPECT_EQ(devices.left_out.front().second, "device is cpu:0 in A and cpu:1 in B");
  EXPECT_EQ(devices.exit_code(), 3);
  EXPECT_NE(devices.verdict().find("share no case"), std::string::npos);
}

TEST(Comparison, VerdictsThatChangedAreListed) {
  ComparedRun a = with_times(steady(1e6), steady(1e6)), b = a;
  a.labs[0].verdicts = {{"c1", "REPRODUCED"}, {"c2", "REPRODUCED"}, {"c3", "REPRODUCED"}};
  b.labs[0].verdicts = {{"c1", "REPRODUCED"}, {"c2", "CONTRADICTED (opposite)"}, {"c4", "REPRODUCED"}};
  const Comparison comparison = compare_runs(a, b);
  EXPECT_EQ(comparison.verdicts_same, 1);
  EXPECT_EQ(comparison.verdicts_one_sided, 2);
  ASSERT_EQ(comparison.verdicts.size(), 1u);
  EXPECT_EQ(comparison.verdicts[0].b, "CONTRADICTED (opposite)");
}

TEST(Comparison, TheMostSurprisingCaseStandsFirst) {
  ConstructedRun before("stream"), after("stream");
  for (const auto& [level, ratio] :
       std::vector<std::pair<std::string, double>>{{"a", 1.0}, {"b", 1.2}, {"c", 0.5}, {"d", 1.5}}) {
    before.point({{"level", level}}, {{"plain", steady(1e6)}});
    after.point({{"level", level}}, {{"plain", steady(ratio * 1e6)}});
  }
  std::string order;
  for (const ComparedCase& one : compare_runs(run_of(before), run_of(after)).cases)
    order += one.case_id.back();
  EXPECT_EQ(order, "cdba");
}

TEST(Comparison, TheSmallestBelievableDifferenceComesFromBothRunsCopies) {
  const auto with_copy = [](std::uint64_t seed) {
    ConstructedRun run("stream");
    run.point({{"level", "DRAM"}}, {{"plain", noisy(1e6, 0.03, 20, seed)},
                                    {"nt", noisy(1e6, 0.03, 20, seed + 1)},
                                    {"aa", noisy(1e6, 0.03, 20, seed + 2)}});
    return run_of(run);
  };
  const Comparison comparison = compare_runs(with_copy(1), with_copy(11));
  EXPECT_GT(comparison.believable, 1.01);
  EXPECT_LT(comparison.believable, 1.2);
}

TEST(Comparison, EveryCaseIsARowThatReadsBack) {
  const ComparedRun run = with_times(steady(2e6), steady(1e6));
  const Comparison comparison = compare_runs(run, run);
  std::string text = csv_line(comparison_header());
  for (const ComparedCase& one : comparison.cases) text += csv_line(comparison_fields(one));
  const CsvTable table = parse_csv(text, "compare");
  EXPECT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.at(0, "ratio"), "1");
  EXPECT_EQ(table.at(0, "change"), "same");
}

}  // namespace perflab

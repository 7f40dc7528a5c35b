// A run that seems faster than this machine can be: its ceilings may only be old.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "bench/ceilings.h"
#include "bench/ceilings_store.h"
#include "bench/csv.h"
#include "bench/record_csv.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

class DriverCeilings : public Installation {
 protected:
  void SetUp() override {
    add_lab("06_other", true);
    Ceilings ceilings;
    ceilings.raise({"DRAM", "copy", 1, 10, "an earlier run"});
    std::filesystem::create_directories(store_.parent_path());
    ceilings.write(store_);
  }

  // The lab's next launch leaves this behind as its cases.csv.
  void disturb_next_launch() {
    CaseRow row;
    row.experiment = row.case_id = std::string("ceilings");
    row.variant = row.baseline = std::string("a");
    row.others_cpu_share = 0.5;
    const LabSchema schema{.run_id = "x", .lab_id = "06_other", .axes = {}, .metrics = {}};
    write_file_atomically(root_ / "labs" / "06_other.cases",
                          csv_line(case_header(schema)) + csv_line(case_fields(schema, row)));
  }

  Outcome run_with(const char* behaviour) {
    behave("06_other", behaviour);
    return perflab({"run", "06", "--profile", "quick", "--out", out_, "--no-plots"});
  }
  int times_measured() const {
    const std::string text = calls("06_other"), words = "--experiment ceilings";
    int times = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++times;
    return times;
  }

  const std::filesystem::path store_ = stored_ceilings(out_ / "run", this_machine());
};

TEST_F(DriverCeilings, AreMeasuredOnceMoreBeforeARunIsHeldToBeImpossible) {
  const Outcome outcome = run_with("too_fast");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "faster than any before")) << outcome.text;
  EXPECT_EQ(times_measured(), 1);
}

TEST_F(DriverCeilings, ThatStayLowAreBelieved) {
  const Outcome outcome = run_with("too_fast_always");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_EQ(times_measured(), 1);
}

TEST_F(DriverCeilings, OfABusyMomentAreMeasuredAgainBeforeAnythingElse) {
  std::filesystem::remove(store_);
  disturb_next_launch();
  const Outcome outcome = run_with("ok");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "again: other programs kept it busy")) << outcome.text;
  EXPECT_FALSE(has(outcome.text, "are not stored")) << outcome.text;
  EXPECT_EQ(times_measured(), 2);
}

TEST_F(DriverCeilings, AJudgeThatDiesCostsItsOwnLabOnly) {
  add_lab("07_next");
  behave("06_other", "judge_dies");
  const Outcome outcome = perflab({"run", "06", "07", "--profile", "quick", "--out", out_, "--no-plots"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_TRUE(has(calls("07_next"), "--run-dir")) << outcome.text;
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(runs().front() / "07_next/verdicts.csv"));
  EXPECT_EQ(times_measured(), 0);
}

TEST_F(DriverCeilings, AreNotMeasuredAgainWhereNothingBrokeOne) {
  EXPECT_EQ(run_with("ok").exit_code, 0);
  EXPECT_EQ(run_with("exit_1").exit_code, 1);
  EXPECT_EQ(times_measured(), 0);
}

// Predictions are sealed first, so there is a run to go on with, and it must not be judged without ceilings.
TEST_F(DriverCeilings, ThatWereInterruptedAfterTheSealAreMeasuredWhenTheRunIsResumed) {
  std::filesystem::remove(store_);
  give_questions("06_other");
  behave("06_other", "exit_130");
  const Outcome stopped = perflab({"predict", "06", "--set", "how-many=3", "--out", out_, "--no-plots"});
  EXPECT_EQ(stopped.exit_code, 130) << stopped.text;
  EXPECT_TRUE(has(stopped.text, "perflab run --resume '")) << stopped.text;
  EXPECT_EQ(times_measured(), 1);
  std::string folder = stopped.text.substr(stopped.text.find("--resume '") + 10);
  folder.erase(folder.find('\''));
  behave("06_other", "ok");
  const Outcome resumed = perflab({"run", "--resume", folder, "--out", out_, "--no-plots"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.text;
  EXPECT_EQ(times_measured(), 2);
}

}  // namespace
}  // namespace perflab

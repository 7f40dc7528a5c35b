// `run` from the command line to the files.

#include "bench/run.h"
#include "base/check.h"
#include "base/file.h"
#include "bench/ceilings_store.h"
#include "bench/profile.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;
using Driver = Installation;

}  // namespace

TEST_F(Driver, RunLeavesACompleteFolder) {
  const Outcome outcome = perflab({"run", "04", "--profile", "smoke", "--out", out_, "--no-plots"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  ASSERT_EQ(runs().size(), 1u);
  const fs::path run = runs().front();
  for (const char* file : {"manifest.json", "env.json", "verdicts.csv", "04_fake/samples.csv",
                           "04_fake/schema.json", "04_fake/verdicts.csv", "04_fake/summary.csv"})
    EXPECT_TRUE(fs::is_regular_file(run / file)) << file;
  EXPECT_FALSE(fs::exists(run / "04_fake/samples.csv.part"));
  EXPECT_EQ(read_file(out_ / "latest"), run.filename().string() + "\n");
  const perflab::Run stored = perflab::Run::open(run);
  EXPECT_EQ(stored.status(), "complete");
  EXPECT_EQ(stored.manifest().at("exit_code").number(), 0);
  EXPECT_EQ(stored.manifest().at("lab_states").at("04_fake").at("state").text(), "complete");
  EXPECT_NO_THROW(stored.verify_outputs());
  EXPECT_TRUE(has(read_file(run / "log.txt"), "--invocation 0"));
  EXPECT_TRUE(has(read_file(run / "log.txt"), ": exit code 0\n"));
  EXPECT_TRUE(has(outcome.text, run.string())) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "04_fake.c1  REPRODUCED  1 rows")) << outcome.text;
}

TEST_F(Driver, EveryLaunchIsAProcessOfItsOwn) {
  ASSERT_EQ(perflab({"run", "fake", "--profile", "reproduce", "--seed", "9", "--set", "threads=2", "--fault",
                     "1", "--out", out_, "--no-plots", "--", "--extra"})
                .exit_code,
            0);
  const std::string seen = calls("04_fake");
  const int launches = load_profile("reproduce").launches;
  ASSERT_GE(launches, 3);
  std::string rows = "invocation,value\n";
  for (int k = 0; k < launches; ++k) {
    EXPECT_EQ(count(seen, fmt::format("--invocation {} ", k)), 1) << seen;
    rows += fmt::format("{},1\n", k);
  }
  EXPECT_EQ(count(seen, "--seed 9"), launches);
  EXPECT_EQ(count(seen, "--set threads=2 --fault 1 --extra"), launches);
  EXPECT_EQ(count(seen, "--judge"), 1);
  EXPECT_EQ(read_file(runs().front() / "04_fake/samples.csv"), rows);
}

TEST_F(Driver, ASecondRunLeavesTheFirstByteIdentical) {
  const std::vector<std::string> words = {"run", "--profile", "smoke", "--out", out_, "--no-plots"};
  ASSERT_EQ(perflab(words).exit_code, 0);
  const fs::path first = runs().front();
  const std::string before = snapshot(first);
  ASSERT_EQ(perflab(words).exit_code, 0);
  EXPECT_EQ(runs().size(), 2u);
  EXPECT_EQ(snapshot(first), before);
}

TEST_F(Driver, MistakesAreFoundBeforeAnythingIsMadeOrMeasured) {
  struct Mistake {
    std::vector<std::string> words;
    std::string meant;
  };
  const std::vector<Mistake> mistakes = {{{"05"}, "04_fake"},
                                         {{"04_fak"}, "04_fake"},
                                         {{"--set", "treads=1"}, "threads"},
                                         {{"--set", "threads=x"}, "number"},
                                         {{"--profile", "quik"}, "quick"},
                                         {{"--profile", "missing.toml"}, "missing.toml"},
                                         {{"--fault", "2"}, "a planted fault"},
                                         {{"--devices", "gpu:3"}, "gpu:3"}};
  for (const Mistake& mistake : mistakes) {
    std::vector<std::string> words = {"run", "--out", out_, "--no-plots"};
    words.insert(words.end(), mistake.words.begin(), mistake.words.end());
    const Outcome outcome = perflab(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(has(outcome.text, mistake.meant)) << outcome.text;
  }
  EXPECT_FALSE(fs::exists(out_));
  EXPECT_EQ(calls("04_fake"), "");
}

TEST_F(Driver, FlagsThatALabRefusesLeaveNoFolder) {
  behave("04_fake", "refuse");
  Outcome outcome = perflab({"run", "04", "--out", out_, "--no-plots", "--", "--bogus", "3"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "04_fake: no such flag\n")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "lab 04_fake refuses '--bogus 3' after --")) << outcome.text;
  behave("04_fake", "ok");
  for (const char* flag : {"--out=x", "--run-dir", "--help", "--judge"}) {
    outcome = perflab({"run", "04", "--out", out_, "--no-plots", "--", flag, "x"});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(has(outcome.text, "is not for a lab within a run")) << outcome.text;
  }
  EXPECT_FALSE(fs::exists(out_));
  EXPECT_EQ(calls("04_fake"), "");
}

TEST_F(Driver, AnUnusableOutFailsBeforeAnythingRan) {
  write_file_atomically(root_ / "file", "x");
  for (const std::string& out : {(root_ / "file" / "results").string(), (root_ / "file").string(),
                                 std::string("/dev/full"), std::string("/proc")}) {
    const Outcome outcome = perflab({"run", "04", "--out", out, "--no-plots"});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(has(outcome.text, out)) << outcome.text;
  }
  EXPECT_EQ(calls("04_fake"), "");
}

TEST_F(Driver, AFileSizeLimitIsAWriteErrorThatNamesThePath) {
  const Outcome outcome =
      perflab({"run", "04", "--profile", "smoke", "--out", out_, "--no-plots"}, "ulimit -f 1;");
  EXPECT_EQ(outcome.exit_code, 5) << outcome.text;
  EXPECT_TRUE(has(outcome.text, out_.string())) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "(ulimit -f)") || has(outcome.text, "choose another folder")) << outcome.text;
  EXPECT_TRUE(runs().empty());
}

TEST_F(Driver, TooLittleMemoryIsTheEnvironmentsMatterAndLeavesNoFolder) {
  const Outcome outcome = perflab({"run", "04", "--out", out_, "--no-plots"}, "ulimit -v 200000;");
  EXPECT_EQ(outcome.exit_code, 6) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "ulimit -v")) << outcome.text;
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(Driver, OutputThatCannotBeWrittenIsExitCodeFive) {
  const Outcome full = perflab({"list", "--json"}, R"(exec 3>&1; exec "$0" "$@" 2>&3 >/dev/full;)");
  EXPECT_EQ(full.exit_code, 5) << full.text;
  EXPECT_TRUE(has(full.text, "standard output could not be written (No space left on device)")) << full.text;
}

TEST_F(Driver, AReaderThatGoesAwayCostsNothing) {
  const Outcome outcome =
      perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"},
              R"(exec 3>&1; { "$0" "$@" 2>&3; echo "ended with $?" >&3; } | true; exit;)");
  EXPECT_TRUE(has(outcome.text, "ended with 0\n")) << outcome.text;
  EXPECT_EQ(perflab::Run::open(runs().front()).status(), "complete");
}

TEST_F(Driver, ACrashedLabIsNamedAndTheOthersGoOn) {
  add_lab("05_other");
  behave("04_fake", "crash");
  const Outcome outcome = perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "04_fake was killed by signal 11")) << outcome.text;
  const fs::path run = runs().front();
  EXPECT_EQ(perflab::Run::open(run).status(), "partial");
  EXPECT_TRUE(fs::exists(run / "04_fake/samples.csv.part"));
  EXPECT_FALSE(fs::exists(run / "04_fake/samples.csv"));
  EXPECT_TRUE(fs::exists(run / "05_other/samples.csv"));
  EXPECT_EQ(count(read_file(run / "verdicts.csv"), "REPRODUCED"), 2);
}

TEST_F(Driver, ALabsExitCodesBecomeTheRuns) {
  add_lab("05_other");
  behave("05_other", "exit_3");
  EXPECT_EQ(perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 3);
  behave("04_fake", "exit_1");
  EXPECT_EQ(perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 1);
  behave("04_fake", "exit_77");
  behave("05_other", "ok");
  EXPECT_EQ(perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 0);
  EXPECT_EQ(perflab::Run::open(runs().back()).status(), "complete");
}

TEST_F(Driver, AFullDiskEndsTheRunAtOnce) {
  add_lab("05_other");
  behave("04_fake", "exit_5");
  EXPECT_EQ(perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 5);
  EXPECT_EQ(calls("05_other"), "");
  EXPECT_EQ(perflab::Run::open(runs().front()).status(), "partial");
}

TEST_F(Driver, AMachineWithoutCeilingsIsMeasuredFirstInARunOfItsOwn) {
  add_lab("06_other", true);
  const auto asked = [&] { return count(calls("06_other"), "--experiment ceilings"); };
  ASSERT_EQ(perflab({"run", "04", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 0);
  ASSERT_EQ(
      perflab({"run", "04", "--profile", "quick", "--fault", "1", "--out", out_, "--no-plots"}).exit_code, 0);
  EXPECT_EQ(asked(), 0);
  ASSERT_EQ(perflab({"run", "04", "--profile", "quick", "--out", out_, "--no-plots"}).exit_code, 0);
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(runs().size(), 4u);
  EXPECT_EQ(perflab::Run::open(find_run(out_, "latest")).manifest().at("labs").array().front().text(),
            "04_fake");

  const std::string stored = "level,pattern,threads,rate,unit,run_id\nDRAM,copy,1,10,GBps,x\n";
  fs::create_directories(out_ / "ceilings");
  write_file_atomically(stored_ceilings(out_ / "any run", this_machine()), stored);
  const Outcome outcome = perflab({"run", "04", "--profile", "quick", "--out", out_, "--no-plots"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_EQ(asked(), 1);
  EXPECT_EQ(read_file(find_run(out_, "latest") / "ceilings.csv"), stored);
}

TEST_F(Driver, AnAxisGoesOnlyToTheLabsThatHaveIt) {
  add_lab("05_other");
  const fs::path json = root_ / "labs/05_other.json";
  std::string text = read_file(json);
  text.replace(text.find("\"name\": \"threads\""), 17, "\"name\": \"ranks\"");
  write_file_atomically(json, text);
  ASSERT_EQ(perflab({"run", "--profile", "smoke", "--set", "threads=2", "--set", "ranks=4", "--out", out_,
                     "--no-plots"})
                .exit_code,
            0);
  EXPECT_TRUE(has(calls("04_fake"), "--set threads=2"));
  EXPECT_FALSE(has(calls("04_fake"), "ranks"));
  EXPECT_TRUE(has(calls("05_other"), "--set ranks=4"));
  EXPECT_FALSE(has(calls("05_other"), "threads"));
}

TEST_F(Driver, OpenMpSettingsOfTheUserStay) {
  ASSERT_EQ(
      perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}, "unset OMP_DYNAMIC;").exit_code, 0);
  EXPECT_EQ(
      perflab::Run::open(runs().back()).manifest().at("variables_set_for_labs").text_or("OMP_DYNAMIC", ""),
      "false");
  fs::remove_all(out_);
  ASSERT_EQ(perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"},
                    "OMP_DYNAMIC=true; export OMP_DYNAMIC;")
                .exit_code,
            0);
  EXPECT_TRUE(perflab::Run::open(runs().back()).manifest().at("variables_set_for_labs").object().empty());
}

}  // namespace perflab

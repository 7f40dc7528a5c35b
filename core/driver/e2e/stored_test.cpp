// Stored runs: charts, reports and lists.

#include "base/check.h"
#include "base/file.h"
#include "bench/json.h"
#include "bench/run.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;
using Driver = Installation;

}  // namespace

TEST_F(Driver, ABrokenPythonCostsPicturesAndNothingElse) {
  const fs::path python = root_ / "python";
  write_file_atomically(python,
                        "#!/bin/sh\n[ \"$1\" = -c ] && { echo \"$0\"; echo python 3.0; exit 0; }\nexit 1\n");
  fs::permissions(python, fs::perms::owner_all);
  ::setenv("PERFLAB_PYTHON", python.c_str(), 1);
  const Outcome outcome = perflab({"run", "--profile", "smoke", "--out", out_});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "the results are safe in " + runs().front().string())) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "python3-matplotlib")) << outcome.text;
  EXPECT_EQ(perflab::Run::open(runs().front()).status(), "complete");
  EXPECT_EQ(perflab({"report", "--out", out_}).exit_code, 6);
  ::unsetenv("PERFLAB_PYTHON");
}

TEST_F(Driver, ReportIsHashedAndTellsWhetherAVerdictDiffers) {
  const fs::path python = root_ / "python";
  write_file_atomically(python,
                        "#!/bin/sh\n[ \"$1\" = -c ] && { echo \"$0\"; exit 0; }\n"
                        "[ \"$2\" != plots.report ] || date +%N >\"$3/report.html\"\n");
  fs::permissions(python, fs::perms::owner_all);
  ::setenv("PERFLAB_PYTHON", python.c_str(), 1);
  const Outcome outcome = perflab({"run", "--profile", "smoke", "--out", out_});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const fs::path run = runs().front();
  EXPECT_TRUE(has(outcome.text, (run / "report.html").string())) << outcome.text;
  EXPECT_TRUE(has(perflab::Run::open(run).manifest().at("outputs").dump(), "report.html"));

  const std::string before = read_file(run / "report.html");
  Outcome again = perflab({"report", "--out", out_});
  EXPECT_EQ(again.exit_code, 0) << again.text;
  EXPECT_TRUE(has(again.text, "no verdict differs")) << again.text;
  EXPECT_NE(read_file(run / "report.html"), before);
  EXPECT_NO_THROW(perflab::Run::open(run).verify_outputs());

  behave("04_fake", "judge_differently");
  again = perflab({"report", run.filename().string(), "--out", out_});
  EXPECT_TRUE(has(again.text, "claim 04_fake.c1 is stored as REPRODUCED, judged again: CONTRADICTED"))
      << again.text;
  EXPECT_TRUE(has(read_file(run / "verdicts.csv"), "REPRODUCED"));  // the stored verdict stays
  EXPECT_EQ(perflab({"plot", run.string(), "--out", out_}).exit_code, 0);
  EXPECT_NO_THROW(perflab::Run::open(run).verify_outputs());

  write_file_atomically(run / "04_fake/samples.csv", "invocation,value\n0,2\n");
  for (const char* verb : {"report", "plot"}) {
    again = perflab({verb, "--out", out_});
    EXPECT_EQ(again.exit_code, 4) << again.text;
    EXPECT_TRUE(has(again.text, "04_fake/samples.csv")) << again.text;
  }
  ::unsetenv("PERFLAB_PYTHON");
}

TEST_F(Driver, PlotAndReportSayThatTheyWereStopped) {
  ASSERT_EQ(perflab({"run", "--profile", "smoke", "--no-plots", "--out", out_}).exit_code, 0);
  const fs::path python = root_ / "python";
  write_file_atomically(
      python, "#!/bin/sh\n[ \"$1\" = -c ] && { echo \"$0\"; exit 0; }\nkill -TERM $PPID\nsleep 9\n");
  fs::permissions(python, fs::perms::owner_all);
  ::setenv("PERFLAB_PYTHON", python.c_str(), 1);
  for (const char* verb : {"plot", "report"}) {
    const Outcome outcome = perflab({verb, "--out", out_});
    EXPECT_EQ(outcome.exit_code, exit_codes::interrupted) << outcome.text;
    EXPECT_TRUE(has(outcome.text, "stopped; the results are safe in " + runs().front().string()))
        << outcome.text;
    EXPECT_FALSE(has(outcome.text, "Install")) << outcome.text;
  }
  ::unsetenv("PERFLAB_PYTHON");
}

TEST_F(Driver, StoredRunsAreNamedWhenOneIsNotFound) {
  ASSERT_EQ(perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 0);
  const Outcome outcome = perflab({"report", "20200101T000000Z-000000", "--out", out_});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.text, runs().front().filename().string())) << outcome.text;
  EXPECT_EQ(perflab({"report", "--out", root_ / "none"}).exit_code, 2);
}

TEST_F(Driver, ListShowsLabsInTextAndJson) {
  const Outcome text = perflab({"list"}, "LC_ALL=C; export LC_ALL;");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(has(text.text, "04_fake  Does the driver work?")) << text.text;
  EXPECT_TRUE(has(text.text, "1 experiment, 1 claim, 1 planted fault")) << text.text;
  EXPECT_FALSE(has(text.text, "claim 04_fake")) << "claims are many: only of the labs that are named";
  const Outcome one = perflab({"list", "04"});
  EXPECT_TRUE(has(one.text, "    claim 04_fake.c1 (ratio)\n        x\n")) << one.text;
  EXPECT_EQ(perflab({"list", "05"}).exit_code, 2);
  const Json json = Json::parse(perflab({"list", "--json"}).text, "list");
  EXPECT_EQ(json.at("labs").array().front().at("lab_id").text(), "04_fake");
  EXPECT_EQ(calls("04_fake"), "");  // answered from the file written at build time
}

TEST_F(Driver, AFolderWithAPackageOfTheSameNameDoesNotDrawOurCharts) {
  const fs::path elsewhere = root_ / "elsewhere", package = elsewhere / "plots";
  fs::create_directories(package);
  write_file_atomically(package / "__init__.py", "open('" + (root_ / "taken").string() + "', 'w')\n");
  const Outcome outcome =
      perflab({"run", "--profile", "smoke", "--out", out_}, "cd '" + elsewhere.string() + "' &&");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_FALSE(fs::exists(root_ / "taken")) << outcome.text;
}

}  // namespace perflab

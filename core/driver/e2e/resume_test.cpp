// Runs that end early, and what --resume makes of them.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "base/check.h"
#include "base/file.h"
#include "bench/run.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;
using Driver = Installation;

}  // namespace

// Starts `run`, waits until the lab measures, sends the signal to the driver alone.
TEST_F(Driver, ASignalKeepsWhatWasMeasuredAndResumeFinishesIt) {
  const fs::path python = root_ / "python";  // draws nothing and writes a report
  write_file_atomically(python,
                        "#!/bin/sh\n[ \"$1\" = -c ] && { echo \"$0\"; exit 0; }\n"
                        "[ \"$2\" != plots.report ] || echo >\"$3/report.html\"\n");
  fs::permissions(python, fs::perms::owner_all);
  ::setenv("PERFLAB_PYTHON", python.c_str(), 1);
  for (const int number : {SIGINT, SIGTERM}) {
    fs::remove_all(out_);
    fs::remove(root_ / "labs/04_fake.ready");
    behave("04_fake", "hang");
    const pid_t driver = ::fork();
    if (driver == 0) {
      ::execl(program_.c_str(), program_.c_str(), "run", "--profile", "smoke", "--out", out_.c_str(),
              nullptr);
      ::_exit(127);
    }
    for (int i = 0; i < 3000 && !fs::exists(root_ / "labs/04_fake.ready"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ::kill(driver, number);
    int status = 0;
    ::waitpid(driver, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 130);
    const fs::path run = runs().front();
    EXPECT_EQ(perflab::Run::open(run).status(), "interrupted");
    EXPECT_EQ(read_file(run / "04_fake/samples.csv.part"), "invocation,value\n0,1\n");
    EXPECT_FALSE(fs::exists(run / "04_fake/samples.csv"));
    EXPECT_TRUE(fs::exists(run / "verdicts.csv"));
    EXPECT_TRUE(fs::exists(run / "report.html"));  // of what was measured until then

    behave("04_fake", "ok");
    EXPECT_EQ(perflab({"run", "--resume", "latest", "--out", out_, "--seed", "3"}).exit_code, 2);
    const Outcome resumed = perflab({"run", "--resume", "latest", "--out", out_, "--no-plots"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.text;
    EXPECT_EQ(runs().size(), 1u);
    EXPECT_EQ(perflab::Run::open(run).status(), "complete");
    EXPECT_TRUE(has(calls("04_fake"), "--resume"));
    EXPECT_TRUE(fs::exists(run / "04_fake/samples.csv"));
    EXPECT_FALSE(fs::exists(run / "04_fake/samples.csv.part"));
    EXPECT_EQ(perflab({"run", "--resume", "latest", "--out", out_}).exit_code,
              2);  // complete: nothing to resume
  }
  ::unsetenv("PERFLAB_PYTHON");
}

TEST_F(Driver, ResumeLeavesFinishedLabsAlone) {
  add_lab("05_other");
  behave("05_other", "crash");
  ASSERT_EQ(perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 1);
  const std::string before = calls("04_fake");
  behave("05_other", "ok");
  ASSERT_EQ(perflab({"run", "--resume", "latest", "--out", out_, "--no-plots"}).exit_code, 0);
  EXPECT_EQ(calls("04_fake"), before);
  EXPECT_EQ(perflab::Run::open(runs().front()).status(), "complete");
}

TEST_F(Driver, ResumeRefusesAnotherBuild) {
  behave("04_fake", "crash");
  ASSERT_EQ(perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 1);
  const fs::path lab = root_ / "labs/04_fake";
  write_file_atomically(lab, read_file(lab) + "# changed\n");
  fs::permissions(lab, fs::perms::owner_all);
  write_file_atomically(lab.string() + ".json", read_file(lab.string() + ".json"));
  const Outcome outcome = perflab({"run", "--resume", "latest", "--out", out_, "--no-plots"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "another build of 04_fake")) << outcome.text;
}

}  // namespace perflab

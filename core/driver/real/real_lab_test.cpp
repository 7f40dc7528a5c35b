// The built driver with the built lab 04, profile smoke. Files, counts, exit codes; never times.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "base/check.h"
#include "base/file.h"
#include "base/process.h"
#include "base/test_folder.h"
#include "bench/csv.h"
#include "bench/manifest.h"
#include "bench/record_csv.h"
#include "bench/run.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

class RealLab : public testing::Test {
 protected:
  std::pair<int, std::string> perflab(const std::vector<std::string>& words, const std::string& before = "") {
    std::vector<std::string> command = {"/bin/sh", "-c", before + " exec \"$0\" \"$@\" 2>&1",
                                        program_.string()};
    command.insert(command.end(), words.begin(), words.end());
    const Captured captured = capture(command, 55'000);
    return {captured.exit_code, captured.output};
  }
  std::vector<std::string> smoke() const {
    return {"run", "04", "--profile", "smoke", "--out", out_.string(), "--no-plots"};
  }
  std::vector<fs::path> runs() const {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(out_))
      if (fs::exists(entry.path() / "manifest.json")) folders.push_back(entry.path());
    return folders;
  }
  std::string snapshot(const fs::path& run) const {
    return list_outputs(run).dump() + read_file(run / "manifest.json");
  }

  const fs::path program_ = fs::path(PERFLAB_BINARY_DIR) / "perflab";
  const TestFolder temporary_;
  const fs::path out_ = temporary_ / "results";
};

std::size_t lines_in(const fs::path& file) {
  if (!fs::exists(file)) return 0;
  const std::string text = read_file(file);
  return std::size_t(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_F(RealLab, SmokeLeavesWholeFilesAndASecondRunLeavesThemAlone) {
  const auto [code, text] = perflab(smoke(), "LC_ALL=C; export LC_ALL;");
  ASSERT_EQ(code, 0) << text;
  ASSERT_EQ(runs().size(), 1u);
  const fs::path run = runs().front(), lab = run / "04_hardware";
  for (const char* file : {"samples.csv", "cases.csv", "summary.csv", "verdicts.csv", "schema.json"})
    EXPECT_TRUE(fs::is_regular_file(lab / file)) << file;
  for (const auto& entry : fs::recursive_directory_iterator(run))
    EXPECT_NE(entry.path().extension(), ".part");
  const perflab::Run stored = perflab::Run::open(run);
  EXPECT_EQ(stored.status(), "complete");
  EXPECT_NO_THROW(stored.verify_outputs());
  const CsvTable verdicts = read_csv(run / "verdicts.csv");
  EXPECT_GT(verdicts.rows.size(), 0u);
  for (std::size_t row = 0; row < verdicts.rows.size(); ++row)  // smoke never decides
    for (const char* word : {"REPRODUCED", "DIRECTION HOLDS", "CONTRADICTED"})
      if (verdicts.at(row, "claim_type") != "analytic" && verdicts.at(row, "claim_type") != "doc") {
        EXPECT_NE(verdicts.at(row, "verdict"), word) << verdicts.at(row, "claim_id");
      }
  EXPECT_FALSE(fs::exists(out_ / "ceilings"));

  const std::string before = snapshot(run);
  ASSERT_EQ(perflab(smoke()).first, 0);
  EXPECT_EQ(runs().size(), 2u);
  EXPECT_EQ(snapshot(run), before);

  const std::string again = perflab({"report", run.string(), "--out", out_.string()}).second;
  EXPECT_NE(again.find("no verdict differs"), std::string::npos) << again;
}

TEST_F(RealLab, AnInterruptedRunKeepsItsBlocksAndResumes) {
  const pid_t driver = ::fork();
  if (driver == 0) {
    ::execl(program_.c_str(), program_.c_str(), "run", "04", "--profile", "smoke", "--out", out_.c_str(),
            "--no-plots", nullptr);
    ::_exit(127);
  }
  fs::path samples;
  for (int i = 0; i < 5000 && lines_in(samples) < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (fs::exists(out_) && !runs().empty()) samples = runs().front() / "04_hardware" / "samples.csv.part";
  }
  ::kill(driver, SIGINT);
  int status = 0;
  ::waitpid(driver, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 130);
  ASSERT_EQ(runs().size(), 1u);
  const fs::path run = runs().front();
  EXPECT_EQ(perflab::Run::open(run).status(), "interrupted");
  EXPECT_FALSE(fs::exists(run / "04_hardware" / "samples.csv"));
  const std::size_t kept = read_samples(run / "04_hardware").samples.size();
  EXPECT_GE(kept, 4u);

  const auto [code, text] = perflab({"run", "--resume", "latest", "--out", out_.string(), "--no-plots"});
  EXPECT_EQ(code, 0) << text;
  EXPECT_EQ(perflab::Run::open(run).status(), "complete");
  const SampleFile whole = read_samples(run / "04_hardware");
  EXPECT_GT(whole.samples.size(), kept);
  std::set<std::string> keys;
  for (const Sample& s : whole.samples)
    EXPECT_TRUE(keys.insert(fmt::format("{}|{}|{}|{}|{}|{}", s.case_id, s.variant, s.invocation, s.block,
                                        s.sample, int(s.phase)))
                    .second)
        << s.case_id << " " << s.variant << " block " << s.block;
}

TEST_F(RealLab, AFileThatCannotGrowIsExit5WithItsPathAndNeverLooksFinished) {
  const auto [code, text] = perflab(smoke(), "ulimit -f 64;");
  EXPECT_EQ(code, 5) << text;
  EXPECT_NE(text.find("samples.csv.part"), std::string::npos) << text;
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_FALSE(fs::exists(runs().front() / "04_hardware" / "samples.csv"));
  EXPECT_NE(perflab::Run::open(runs().front()).status(), "complete");
}

TEST_F(RealLab, MistakesNameTheNearestAndMeasureNothing) {
  for (const auto& [word, value, meant] :
       {std::tuple{"--set", "treads=1", "threads"}, std::tuple{"--profile", "smok", "smoke"},
        std::tuple{"--fault", "99", "1 "}}) {
    std::vector<std::string> words = {"run", "04", "--out", out_.string(), word, value};
    const auto [code, text] = perflab(words);
    EXPECT_EQ(code, 2) << text;
    EXPECT_NE(text.find(meant), std::string::npos) << text;
  }
  EXPECT_FALSE(fs::exists(out_));
}

}  // namespace perflab

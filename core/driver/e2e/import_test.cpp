#include "base/file.h"
#include "bench/run.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

class ImportVerb : public Installation {
 protected:
  fs::path corpus(const std::string& name) const {
    return fs::path(PERFLAB_SOURCE_DIR) / "core/bench/corpus" / name;
  }
  Outcome import(const fs::path& file) const { return perflab({"import", file, "--out", out_}); }
};

}  // namespace

TEST_F(ImportVerb, AFileOfGoogleBenchmarkIsReadReportedAndCompared) {
  const fs::path file = corpus("gbench_1_9.json");
  const std::string before = read_file(file);
  Outcome outcome = import(file);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "25 samples of 5 cases from Google Benchmark v1.9.1")) << outcome.text;
  EXPECT_EQ(read_file(file), before);
  ASSERT_EQ(runs().size(), 1u);
  const std::string id = runs().front().filename().string();

  outcome = perflab({"report", id, "--out", out_});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "loop/n=1000                   sync       8")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "skipped: needs a GPU")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "was imported")) << outcome.text;
  outcome = perflab({"plot", id, "--out", out_});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "was imported")) << outcome.text;
  outcome = perflab({"compare", id, id, "--out", out_});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
}

TEST_F(ImportVerb, TextOfNcclTestsIsReadWhateverItsName) {
  fs::copy_file(corpus("nccl_02_not_checked.txt"), root_ / "x.json");
  const Outcome outcome = import(root_ / "x.json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "12 samples of 12 cases from nccl-tests 2.17.6")) << outcome.text;
  EXPECT_TRUE(fs::is_regular_file(runs().front() / "nccl_tests/collectives.csv"));
}

TEST_F(ImportVerb, AFileOfNothingButErrorsIsKeptAndExits3) {
  write_file_atomically(root_ / "errors.json",
                        R"({"context": {}, "benchmarks": [{"name": "a", "run_name": "a", "threads": 1,
                            "run_type": "iteration", "repetition_index": 0, "error_occurred": true,
                            "error_message": "no device"}]})");
  const Outcome outcome = import(root_ / "errors.json");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "errors.json holds no valid measurement")) << outcome.text;
  ASSERT_EQ(runs().size(), 1u);
}

TEST_F(ImportVerb, ABrokenFileExits4WithItsPlaceAndLeavesNothing) {
  write_file_atomically(root_ / "cut.json", read_file(corpus("gbench_1_9.json")).substr(0, 5000));
  Outcome outcome = import(root_ / "cut.json");
  EXPECT_EQ(outcome.exit_code, 4) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "cut.json: byte 5001")) << outcome.text;
  outcome = import(corpus("nccl_08_log_inside_a_row.txt"));
  EXPECT_EQ(outcome.exit_code, 4) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "line 21")) << outcome.text;
  EXPECT_EQ(import(root_ / "none").exit_code, 2);
  EXPECT_EQ(import(root_).exit_code, 2);
  EXPECT_FALSE(fs::exists(out_));
}

}  // namespace perflab

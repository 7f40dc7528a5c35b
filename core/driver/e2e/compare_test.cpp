#include "base/check.h"
#include "base/file.h"
#include "bench/csv.h"
#include "bench/record_csv.h"
#include "bench/run.h"
#include "bench/testing.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

class Compare : public Installation {
 protected:
  // A run as a lab would have left it, with times of the test's choosing.
  std::string stored(double center, std::uint64_t seed, const std::string& summary = "") {
    ConstructedRun constructed("stream");
    constructed.point({{"threads", "1"}},
                      {{"a", noisy(center, 0.01, 20, seed)}, {"b", noisy(1e6, 0.01, 20, seed + 1)}});
    RunRequest request;
    request.out = out_;
    request.profile = "quick";
    request.labs = {"04_fake"};
    perflab::Run run = perflab::Run::create(request);
    const LabSchema schema{run.id(), "04_fake", {"threads"}, {}};
    const fs::path folder = run.lab_folder("04_fake");
    CsvWriter samples(folder / "samples.csv", sample_header(schema));
    for (const Sample& sample : constructed.samples) samples.row(sample_fields(schema, sample));
    samples.finish();
    CsvWriter cases(folder / "cases.csv", case_header(schema));
    for (const CaseRow& row : constructed.cases) cases.row(case_fields(schema, row));
    cases.finish();
    if (!summary.empty()) write_file_atomically(folder / "summary.csv", summary);
    run.finish("complete", 0);
    return run.id();
  }
  Outcome compare(std::vector<std::string> words) const {
    words.insert(words.begin(), "compare");
    words.insert(words.end(), {"--out", out_});
    return perflab(words);
  }
};

}  // namespace

TEST_F(Compare, TheExitCodeIsAGate) {
  const std::string a = stored(1e6, 1), same = stored(1e6, 11), slower = stored(1.2e6, 21);
  Outcome outcome = compare({a, a});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "cases compared: 2; 0 slower, 0 faster, 2 same")) << outcome.text;
  EXPECT_EQ(compare({a, same}).exit_code, 0);
  outcome = compare({a, slower});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "stream/threads=1")) << outcome.text;
  EXPECT_EQ(compare({slower, a}).exit_code, 0);
  EXPECT_EQ(compare({a, "latest"}).exit_code, 1);
  EXPECT_EQ(compare({a, slower, "--slower-than", "1.5"}).exit_code, 0);
}

TEST_F(Compare, ACaseThatItsOwnJudgeRejectedRaisesNoAlarm) {
  const std::string too_fast = stored(5e5, 1,
                                      "case_id,variant,status,status_reason\n"
                                      "stream/threads=1,a,failed,implausible\nstream/threads=1,b,ok,\n"),
                    b = stored(1e6, 11);
  const Outcome outcome = compare({too_fast, b});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "stream/threads=1 a: implausible in A")) << outcome.text;
}

TEST_F(Compare, CsvIsAllThatStandsOnStandardOutput) {
  const std::string a = stored(1e6, 1), b = stored(1.2e6, 11);
  const Outcome outcome = compare({a, b, "--csv", "--slower-than", "1.1"});
  EXPECT_EQ(outcome.exit_code, 1);
  // Standard error follows it here: one line.
  EXPECT_TRUE(outcome.text.ends_with("1 slower: the whole interval lies above 1.1 (exit code 1)\n"))
      << outcome.text;
  const CsvTable table =
      parse_csv(outcome.text.substr(0, outcome.text.rfind('\n', outcome.text.size() - 2) + 1), "csv");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.at(0, "change"), "slower");
}

TEST_F(Compare, MistakesAreUsageErrors) {
  const std::string a = stored(1e6, 1);
  EXPECT_EQ(compare({a}).exit_code, 2);
  EXPECT_EQ(compare({a, "20200101T000000Z-000000"}).exit_code, 2);
  for (const char* ratio : {"0.9", "x", "nan", "-1"})
    EXPECT_EQ(compare({a, a, "--slower-than", ratio}).exit_code, 2) << ratio;
}

TEST_F(Compare, AChangedFileIsRefusedByName) {
  const std::string a = stored(1e6, 1), b = stored(1e6, 11);
  const fs::path file = out_ / b / "04_fake/samples.csv";
  std::string text = read_file(file);
  text[text.size() / 2] = text[text.size() / 2] == '1' ? '2' : '1';
  write_file_atomically(file, text);
  const Outcome outcome = compare({a, b});
  EXPECT_EQ(outcome.exit_code, 4) << outcome.text;
  EXPECT_TRUE(has(outcome.text, file.string())) << outcome.text;
}

TEST_F(Compare, RunsWithoutASharedCaseHaveNoAnswer) {
  const std::string a = stored(1e6, 1);
  ASSERT_EQ(perflab({"run", "04", "--profile", "smoke", "--out", out_, "--no-plots"}).exit_code, 0);
  const Outcome outcome = compare({a, "latest"});  // the fake lab leaves no cases
  EXPECT_EQ(outcome.exit_code, 3) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "share no case")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "only in A: 2")) << outcome.text;
}

TEST_F(Compare, AnInterruptedRunIsMarked) {
  const std::string a = stored(1e6, 1), b = stored(1e6, 11);
  perflab::Run run = perflab::Run::open(out_ / b);
  run.set("status", "interrupted");
  run.save();
  const Outcome outcome = compare({a, b});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "run B is interrupted")) << outcome.text;
}

}  // namespace perflab

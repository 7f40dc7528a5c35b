#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"
#include "bench/csv.h"
#include "bench/record_csv.h"
#include "bench/testing.h"

namespace perflab {
namespace {

class JudgeFolder : public testing::Test {
 protected:
  void SetUp() override {
    experiments_.emplace_back("x").axis("n", {}).variants({"base", "fast"}, "base");
    std::filesystem::create_directories(lab_);
  }

  void store(const ConstructedRun& run) const {
    const LabSchema schema = lab_schema(experiments_, "run-1", "00_constructed");
    std::string samples = csv_line(sample_header(schema)), cases = csv_line(case_header(schema));
    for (const Sample& sample : run.samples) samples += csv_line(sample_fields(schema, sample));
    for (const CaseRow& row : run.cases) cases += csv_line(case_fields(schema, row));
    write_file_atomically(lab_ / "samples.csv", samples);
    write_file_atomically(lab_ / "cases.csv", cases);
  }
  static ConstructedRun good() {
    ConstructedRun run("x");
    run.work({.bytes_read = 1e9})
        .bound({.level = "DRAM", .pattern = "read", .threads = 1, .working_set_bytes = 1 << 20})
        .point({{"n", "1"}}, {{"base", noisy(1e8, 0.01, 20, 1)}, {"fast", noisy(9e7, 0.01, 20, 2)}});
    return run;
  }

  const TestFolder owner_;
  const std::filesystem::path root_ = owner_.path();
  const std::filesystem::path lab_ = root_ / "run-1" / "00_constructed";
  std::deque<Experiment> experiments_;
};

TEST_F(JudgeFolder, WritesSummaryAndVerdictsAndTheSameBytesAgain) {
  store(good());
  EXPECT_EQ(judge_folder(lab_, experiments_), exit_codes::ok);
  const std::string summary = read_file(lab_ / "summary.csv"), verdicts = read_file(lab_ / "verdicts.csv");
  const CsvTable table = parse_csv(summary, "summary.csv");
  EXPECT_EQ(table.rows.size(), 10u) << "3 variants x submit, finish, bandwidth; what the run could separate";
  EXPECT_EQ(table.at(0, "run_id"), "run-1");
  EXPECT_EQ(table.at(0, "lab_id"), "00_constructed");
  EXPECT_EQ(parse_csv(verdicts, "verdicts.csv").header, verdicts_header());
  EXPECT_EQ(judge_folder(lab_, experiments_), exit_codes::ok);
  EXPECT_EQ(read_file(lab_ / "summary.csv"), summary);
  EXPECT_EQ(read_file(lab_ / "verdicts.csv"), verdicts);
}

TEST_F(JudgeFolder, AnswersWithTheExitCodeOfTheWorstThingItFound) {
  ConstructedRun wrong = good();
  wrong.ending("fast", "failed", "wrong_result");
  store(wrong);
  EXPECT_EQ(judge_folder(lab_, experiments_), exit_codes::wrong);

  ConstructedRun empty = good();
  for (int block = 0; block < 20; ++block) empty.invalid("fast", block, "throttled_cpu");
  store(empty);
  EXPECT_EQ(judge_folder(lab_, experiments_), exit_codes::no_samples);
}

TEST_F(JudgeFolder, ReadsTheRunsCeilingsAndCaches) {
  store(good());
  write_file_atomically(root_ / "run-1" / "ceilings.csv",
                        "level,pattern,threads,rate,unit,run_id\nDRAM,read,1,5,GBps,r\n");
  EXPECT_EQ(judge_folder(lab_, experiments_), exit_codes::wrong) << "10 GB/s where 5 is the most";
  std::filesystem::remove(root_ / "run-1" / "ceilings.csv");
  EXPECT_EQ(judge_folder(lab_, experiments_), exit_codes::ok);
  write_file_atomically(root_ / "run-1" / "env.json",
                        R"({"cache_L3_bytes": {"value": 1048576}, "effective_cpus": {"value": 2}})");
  EXPECT_EQ(judge_folder(lab_, experiments_), exit_codes::wrong)
      << "1 MiB is no main memory where L3 has as much";
  EXPECT_EQ(read_judge_input(lab_).hardware, std::vector<std::string>{"cores:2"});
}

TEST_F(JudgeFolder, CallsAnUnfinishedFilePartial) {
  store(good());
  EXPECT_FALSE(read_judge_input(lab_).partial);
  std::string text = read_file(lab_ / "samples.csv");
  text.resize(text.size() - 3);
  write_file_atomically(lab_ / "samples.csv", text);
  EXPECT_TRUE(read_judge_input(lab_).partial);
  store(good());
  std::filesystem::rename(lab_ / "samples.csv", lab_ / "samples.csv.part");
  EXPECT_TRUE(read_judge_input(lab_).partial);
  EXPECT_EQ(judge_folder(lab_, experiments_), exit_codes::ok);
}

TEST_F(JudgeFolder, RefusesAFolderThatIsNone) {
  EXPECT_THROW(judge_folder(lab_ / "absent", experiments_), Error);
  EXPECT_THROW(judge_folder(lab_, experiments_), Error) << "no samples.csv";
}

}  // namespace
}  // namespace perflab

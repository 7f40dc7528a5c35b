// predict with labs that measure: every question has an answer here, or a reason why not.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/process.h"
#include "base/test_folder.h"
#include "bench/csv.h"
#include "bench/predictions.h"
#include "bench/questions.h"
#include "bench/run.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

const fs::path program = fs::path(PERFLAB_BINARY_DIR) / "perflab";

Captured predict(const std::vector<std::string>& words) {
  std::vector<std::string> command = {program.string(), "predict"};
  command.insert(command.end(), words.begin(), words.end());
  return capture(command, 50'000);
}

}  // namespace

TEST(RealPredictions, EveryQuestionIsMeasuredOrSaysWhyNot) {
  const TestFolder temporary;
  const fs::path out = temporary / "results";
  const Captured captured =
      predict({"04", "--profile", "smoke", "--out", out.string(), "--no-plots", "--set",
               "random-reads=1..1000", "--set", "backwards=same", "--set", "wake-up=20"});
  ASSERT_TRUE(captured.ok) << captured.output;
  const fs::path run = find_run(out, "latest"), lab = run / "04_hardware";
  const CsvTable table = read_csv(lab / "predictions.csv");
  const std::vector<Question> asked = questions_of("04_hardware");
  ASSERT_EQ(table.rows.size(), asked.size());
  for (std::size_t row = 0; row < asked.size(); ++row) {
    EXPECT_EQ(table.at(row, "question_id"), asked[row].question_id);
    EXPECT_FALSE(table.at(row, "measured").empty() && table.at(row, "reason").empty())
        << asked[row].question_id;
    // Nothing that the lab could have measured with these experiments is missing for another reason.
    EXPECT_NE(table.at(row, "reason"), "case_not_run") << asked[row].question_id;
    EXPECT_NE(table.at(row, "reason"), "ambiguous_case") << asked[row].question_id;
  }
  EXPECT_FALSE(table.at(0, "hit").empty());
  EXPECT_FALSE(table.at(0, "interval_score").empty());
  EXPECT_EQ(read_csv(lab / "calibration.csv").at(0, "intervals_count"), "1");
  EXPECT_NE(captured.output.find("random-reads"), std::string::npos);
  EXPECT_NO_THROW(perflab::Run::open(run).verify_outputs());
}

}  // namespace perflab

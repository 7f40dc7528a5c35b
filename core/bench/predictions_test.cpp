#include "bench/predictions.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

Question asks_number(const std::string& unit = "ratio") {
  Question question;
  question.question_id = "how-much";
  question.unit = unit;
  return question;
}

Question asks_choice() {
  Question question = asks_number();
  question.choices = {{"less", "", -1, 1}, {"more", "", 1, 2}};
  return question;
}

std::string refused(const Question& question, const std::string& answer) {
  try {
    parse_prediction(question, "04_lab", answer);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "not refused";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Sealed : public testing::Test {
 protected:
  perflab::Run create() const {
    return perflab::Run::create({.out = owner_ / "results",
                                 .argv = {},
                                 .profile = "smoke",
                                 .seed = 1,
                                 .fault = 0,
                                 .parent_run_id = "",
                                 .labs = {"04_lab"}});
  }
  static std::string broken(const std::filesystem::path& folder) {
    std::string text;
    for (const bool through_run : {true, false}) try {
        if (through_run) perflab::Run::open(folder).verify_outputs();
        else read_predictions(folder);
        ADD_FAILURE() << "not refused";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        text = error.what();
        EXPECT_TRUE(has(text, "predictions.json")) << text;
      }
    return text;
  }
  const std::vector<Prediction> two_ = {parse_prediction(asks_number(), "04_lab", "1.5..6"),
                                        skipped(asks_choice(), "04_lab")};
  const TestFolder owner_;
};

}  // namespace

TEST(Predictions, ANumberIsItsOwnInterval) {
  const Prediction read = parse_prediction(asks_number(), "04_lab", " 3 ");
  EXPECT_EQ(read.value, 3);
  EXPECT_EQ(read.lo, 3);
  EXPECT_EQ(read.hi, 3);
  EXPECT_FALSE(read.is_interval() || read.is_skipped());
  EXPECT_EQ(read.answer, "3");
}

TEST(Predictions, AnIntervalsMiddleIsLogarithmicWhereItCanBe) {
  EXPECT_DOUBLE_EQ(*parse_prediction(asks_number(), "l", "1..9").value, 3);
  EXPECT_EQ(parse_prediction(asks_number(), "l", "1.5..6").value, 3);  // exactly
  EXPECT_GT(*parse_prediction(asks_number(), "l", "1e-300..1e300").value, 0);
  EXPECT_EQ(parse_prediction(asks_number(), "l", "0..8").value, 4);
  EXPECT_EQ(parse_prediction(asks_number(), "l", "-2..8").value, 3);
  EXPECT_TRUE(parse_prediction(asks_number(), "l", "1 .. 9").is_interval());
}

TEST(Predictions, TheUnitMayFollow) {
  EXPECT_EQ(parse_prediction(asks_number(), "l", "3x").value, 3);
  EXPECT_EQ(parse_prediction(asks_number(), "l", "2 times..8 times").hi, 8);
  EXPECT_EQ(parse_prediction(asks_number("GBps"), "l", "12 GB/s").value, 12);
  EXPECT_EQ(parse_prediction(asks_number("ns"), "l", "80..90ns").hi, 90);
  EXPECT_TRUE(has(refused(asks_number("ns"), "80 us"), "number of ns"));
}

TEST(Predictions, AChoiceIsOneOfItsWords) {
  const Prediction read = parse_prediction(asks_choice(), "l", " more ");
  EXPECT_EQ(read.choice, "more");
  EXPECT_FALSE(read.value || read.is_skipped());
  EXPECT_TRUE(has(refused(asks_choice(), "most"), "'most'"));
  EXPECT_TRUE(has(refused(asks_choice(), "1"), "less, more"));
}

TEST(Predictions, WhatIsNoAnswerSaysWhatIsWanted) {
  for (const char* answer :
       {"", "three", "1,5", "1-3", "1..", "..3", "1..2..3", "nan", "inf", "1e999", "0x10"})
    EXPECT_TRUE(has(refused(asks_number(), answer), "1.5..3")) << answer;
  EXPECT_TRUE(has(refused(asks_number(), "3..1"), "smaller number first"));
}

TEST_F(Sealed, TheyReadBackAndTheManifestHoldsTheirHash) {
  perflab::Run run = create();
  EXPECT_TRUE(read_predictions(run.folder()).empty());
  seal_predictions(run, two_);
  const Json manifest = perflab::Run::open(run.folder()).manifest();  // on disk already
  EXPECT_EQ(manifest.at("predictions_sha256").text(), sha256_file(run.folder() / "predictions.json"));
  EXPECT_EQ(manifest.at("sealed_utc").text().size(), 20u);
  const std::vector<Prediction> read = read_predictions(run.folder());
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].lab_id, "04_lab");
  EXPECT_EQ(read[0].answer, "1.5..6");
  EXPECT_EQ(read[0].value, 3);
  EXPECT_EQ(read[0].lo, 1.5);
  EXPECT_TRUE(read[1].is_skipped());
  EXPECT_THROW(seal_predictions(run, two_), Error);  // once
  run.finish("complete", 0);
  EXPECT_NO_THROW(perflab::Run::open(run.folder()).verify_outputs());
}

TEST_F(Sealed, AChangedAMissingAndAnUnsealedFileAreRefused) {
  perflab::Run run = create();
  write_predictions(run.folder(), two_, "2026-11-30T07:00:00Z");  // as if somebody had guessed afterwards
  EXPECT_TRUE(has(broken(run.folder()), "no hash"));
  std::filesystem::remove(run.folder() / "predictions.json");
  seal_predictions(run, two_);
  EXPECT_NO_THROW(run.verify_outputs());
  write_predictions(run.folder(), {parse_prediction(asks_number(), "04_lab", "1.5..7"), two_[1]},
                    "2026-11-30T07:00:00Z");
  EXPECT_TRUE(has(broken(run.folder()), "its hash is not"));
  std::filesystem::remove(run.folder() / "predictions.json");
  EXPECT_TRUE(has(broken(run.folder()), "missing"));
}

TEST_F(Sealed, ATimeThatWasMovedIsRefused) {
  perflab::Run run = create();
  seal_predictions(run, two_);
  run.set("sealed_utc", "2026-01-01T00:00:00Z");
  run.save();
  EXPECT_TRUE(has(broken(run.folder()), "at another time"));
}

TEST_F(Sealed, AFileThatHoldsNoTimeIsSealedByItsHashAlone) {
  perflab::Run run = create();
  write_file_atomically(run.folder() / "predictions.json", R"({"schema": 1, "predictions": []})");
  run.set("predictions_sha256", sha256_file(run.folder() / "predictions.json"));
  run.set("sealed_utc", "2026-11-29T00:00:00Z");
  run.save();
  EXPECT_NO_THROW(perflab::Run::open(run.folder()).verify_outputs());
  EXPECT_TRUE(read_predictions(run.folder()).empty());
}

TEST_F(Sealed, AResumedRunKeepsItsSeal) {
  perflab::Run run = create();
  seal_predictions(run, two_);
  const std::string seal = run.manifest().at("predictions_sha256").text();
  run.finish("interrupted", 130);
  perflab::Run again = perflab::Run::open(run.folder());
  again.resume({"perflab"});
  again.finish("complete", 0);
  EXPECT_EQ(perflab::Run::open(run.folder()).manifest().at("predictions_sha256").text(), seal);
  EXPECT_EQ(read_predictions(run.folder()).size(), 2u);
}

}  // namespace perflab

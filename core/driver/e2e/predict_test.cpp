#include <algorithm>

#include "base/file.h"
#include "bench/predictions.h"
#include "bench/run.h"
#include "bench/sha256.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

class PredictVerb : public Installation {
 protected:
  PredictVerb() { give_questions("04_fake"); }

  std::vector<std::string> predict(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"predict", "04", "--profile", "smoke", "--out", out_, "--no-plots"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // The lab noted what was there when it was launched.
  void expect_sealed_at_launch(const std::string& id) const {
    const fs::path sealed = root_ / "labs" / (id + ".sealed");
    ASSERT_TRUE(fs::exists(sealed)) << "nothing was sealed when the lab was launched";
    const Json manifest = Json::parse(read_file(root_ / "labs" / (id + ".sealed_manifest")), "manifest");
    EXPECT_EQ(manifest.text_or("predictions_sha256", ""), sha256_file(sealed));
    EXPECT_EQ(manifest.text_or("sealed_utc", "").size(), 20u);
  }
};

}  // namespace

TEST_F(PredictVerb, AsksOnATerminalAndSealsBeforeTheFirstSample) {
  const Outcome outcome = on_terminal(predict(), {{"(times) > ", "2..8\n"}, {"  > ", "more\n"}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  for (const char* part : {"1 of 2, how-many", "How many?", "Count.", "2 of 2, which-one", "a few",
                           "2 predictions sealed in", "how-many", "2..8 times", "42.5 [42, 43] times",
                           "off by a factor of 10.6", "some: 1.25 times", "wrong", "Nothing was predicted."})
    EXPECT_TRUE(has(outcome.text, part)) << part << "\n" << outcome.text;
  ASSERT_EQ(runs().size(), 1u);
  const fs::path run = runs().front();
  const std::vector<Prediction> stored = read_predictions(run);
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].answer, "2..8");
  EXPECT_EQ(stored[0].lo, 2);
  EXPECT_EQ(stored[1].choice, "more");
  expect_sealed_at_launch("04_fake");
  EXPECT_TRUE(has(calls("04_fake"), "--experiment stream\n")) << calls("04_fake");
  EXPECT_NO_THROW(perflab::Run::open(run).verify_outputs());
}

TEST_F(PredictVerb, AWrongEntryIsExplainedAndAskedAgain) {
  const Outcome outcome = on_terminal(predict(), {{"(times) > ", "1,5\n"},
                                                  {"Again, please", "8..2\n"},
                                                  {"Again, please", "\n"},
                                                  {"  > ", "few\n"},
                                                  {"Again, please", "some\n"}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  for (const char* part :
       {"'1,5' is no number", "'8..2' ends below", "'few' is none of the choices", "some, more"})
    EXPECT_TRUE(has(outcome.text, part)) << part << "\n" << outcome.text;
  const std::vector<Prediction> stored = read_predictions(runs().front());
  EXPECT_TRUE(stored[0].is_skipped());  // Enter alone
  EXPECT_EQ(stored[1].choice, "some");
}

TEST_F(PredictVerb, CtrlDAndCtrlCLeaveNothingBehind) {
  for (const auto& [key, code] : {std::pair{"\x04", 0}, std::pair{"\x03", 130}}) {
    const Outcome outcome = on_terminal(predict(), {{"(times) > ", "2..8\n"}, {"  > ", key}});
    EXPECT_EQ(outcome.exit_code, code) << outcome.text;
    EXPECT_TRUE(has(outcome.text, "nothing is kept")) << outcome.text;
    EXPECT_FALSE(fs::exists(out_));
    EXPECT_EQ(calls("04_fake"), "");
  }
}

TEST_F(PredictVerb, WithoutATerminalItTellsBothWays) {
  const Outcome outcome = perflab(predict(), "</dev/null");
  EXPECT_EQ(outcome.exit_code, 2);
  for (const char* part : {"no terminal", "--set how-many=", "--no-predict"})
    EXPECT_TRUE(has(outcome.text, part)) << outcome.text;
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(PredictVerb, AnswersAreTakenFromSet) {
  const Outcome outcome = perflab(predict({"--set", "which-one=some"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const std::vector<Prediction> stored = read_predictions(runs().front());
  EXPECT_TRUE(stored[0].is_skipped());
  EXPECT_EQ(stored[1].choice, "some");
  expect_sealed_at_launch("04_fake");
}

TEST_F(PredictVerb, OnATerminalTheRestIsAsked) {
  const Outcome outcome = on_terminal(predict({"--set", "how-many=3"}), {{"  > ", "some\n"}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_FALSE(has(outcome.text, "How many?")) << outcome.text;
  EXPECT_EQ(read_predictions(runs().front())[0].value, 3);
}

TEST_F(PredictVerb, MistakesAreFoundBeforeAnythingIsAskedOrMade) {
  add_lab("05_other");
  struct Mistake {
    std::vector<std::string> words;
    std::string meant;
  };
  for (const Mistake& mistake : {Mistake{{"04", "--set", "how-mony=3"}, "how-many"},
                                 {{"04", "--set", "how-many"}, "QUESTION=ANSWER"},
                                 {{"04", "--set", "how-many=much"}, "'much' is no number"},
                                 {{"04", "--set", "which-one=3"}, "some, more"},
                                 {{"04", "--set", "how-many=1", "--set", "how-many=2"}, "twice"},
                                 {{"04", "--set", "how-many=1", "--no-predict"}, "contradict"},
                                 {{"04", "--no-predict", "--profile", "quik"}, "quick"},
                                 {{"0*", "--no-predict"}, "04_fake and 05_other"},
                                 {{"05", "--no-predict"}, "perflab run 05"},
                                 {{"06", "--no-predict"}, "04_fake"}}) {
    std::vector<std::string> words = {"predict", "--out", out_};
    words.insert(words.end(), mistake.words.begin(), mistake.words.end());
    const Outcome outcome = perflab(words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(has(outcome.text, mistake.meant)) << outcome.text;
  }
  EXPECT_FALSE(fs::exists(out_));
  EXPECT_EQ(calls("04_fake"), "");
}

TEST_F(PredictVerb, NoPredictMeasuresWithoutAsking) {
  const Outcome outcome = on_terminal(predict({"--no-predict"}), {});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_FALSE(has(outcome.text, "How many?"));
  EXPECT_TRUE(has(outcome.text, "No predictions. Measuring."));
  EXPECT_TRUE(has(outcome.text, "42.5"));
  for (const Prediction& one : read_predictions(runs().front())) EXPECT_TRUE(one.is_skipped());
}

// An earlier run lies there, with verdicts and measured answers; the ceilings are measured first, in another
// folder.
TEST_F(PredictVerb, NothingMeasuredIsReadableBeforeTheSeal) {
  add_lab("06_other", true);
  give_questions("06_other");
  ASSERT_EQ(perflab(predict({"--no-predict"})).exit_code, 0);
  std::vector<std::string> words = predict({"--profile", "quick"});
  words.erase(std::find(words.begin(), words.end(), "--profile"),
              std::find(words.begin(), words.end(), "smoke") + 1);
  const Outcome outcome = on_terminal(words, {{"(times) > ", "2..8\n"}, {"  > ", "more\n"}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(calls("06_other"), "--experiment ceilings"));
  expect_sealed_at_launch("06_other");  // the ceilings
  expect_sealed_at_launch("04_fake");
  const std::string before = outcome.text.substr(0, outcome.text.find("predictions sealed in"));
  EXPECT_LT(before.size(), outcome.text.size());
  for (const char* part : {"42", "43", "1.25", "7.77", "REPRODUCED", "measures", "Because", "Therefore"})
    EXPECT_FALSE(has(before, part)) << part << "\n" << before;
  EXPECT_FALSE(has(outcome.text, "REPRODUCED")) << outcome.text;  // nor afterwards: the report has the claims
}

TEST_F(PredictVerb, ChangedPredictionsAreRefused) {
  ASSERT_EQ(perflab(predict({"--set", "how-many=2..8"})).exit_code, 0);
  const fs::path file = runs().front() / "predictions.json";
  std::string text = read_file(file);
  text.replace(text.find("\"hi\": 8"), 7, "\"hi\": 99");
  write_file_atomically(file, text);
  for (const char* verb : {"report", "plot"}) {
    const Outcome outcome = perflab({verb, "--out", out_});
    EXPECT_EQ(outcome.exit_code, 4) << outcome.text;
    EXPECT_TRUE(has(outcome.text, file.string())) << outcome.text;
  }
}

TEST_F(PredictVerb, AResumedRunKeepsItsSealAndShowsWhatWasPredicted) {
  behave("04_fake", "exit_130");
  ASSERT_EQ(perflab(predict({"--set", "how-many=2..8"})).exit_code, 130);
  const std::string sealed = read_file(runs().front() / "predictions.json");
  behave("04_fake", "ok");
  const Outcome outcome = perflab({"run", "--resume", "latest", "--out", out_, "--no-plots"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_EQ(runs().size(), 1u);
  EXPECT_EQ(read_file(runs().front() / "predictions.json"), sealed);
  EXPECT_TRUE(has(outcome.text, "42.5 [42, 43] times")) << outcome.text;
  EXPECT_TRUE(has(calls("04_fake"), "--resume --experiment stream\n")) << calls("04_fake");
  EXPECT_NO_THROW(perflab::Run::open(runs().front()).verify_outputs());
}

}  // namespace perflab

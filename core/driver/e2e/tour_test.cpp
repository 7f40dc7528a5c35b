#include "base/file.h"
#include "bench/predictions.h"
#include "bench/run.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

class TourVerb : public Installation {
 protected:
  TourVerb() {
    add_lab("02_first");
    give_questions("02_first");
    give_questions("04_fake");
  }
  std::vector<std::string> tour(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"tour", "--out", out_, "--no-plots"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

}  // namespace

TEST_F(TourVerb, AsksMeasuresAndRevealsLabAfterLab) {
  const Outcome outcome = on_terminal(
      tour(),
      {{"(times) > ", "2..8\n"}, {"Enter: next", "\n"}, {"(times) > ", "a lot\n"}, {"(times) > ", "\n"}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  for (const char* part : {"2 questions", "Question 1 of 2", "lab 02", "Count.", "Your guess is sealed.",
                           "You said", "Measured", "you ", "|=", "100", "Because.", "Question 2 of 2",
                           "'a lot' is no number", "That was the tour", "perflab predict", "perflab run"})
    EXPECT_TRUE(has(outcome.text, part)) << part << "\n" << outcome.text;
  ASSERT_EQ(runs().size(), 2u);
  for (const fs::path& run : runs()) {
    const std::vector<Prediction> stored = read_predictions(run);
    ASSERT_EQ(stored.size(), 1u);  // the tour's question only
    EXPECT_EQ(stored[0].question_id, "how-many");
    EXPECT_EQ(stored[0].is_skipped(), stored[0].lab_id == "04_fake");
    EXPECT_TRUE(has(outcome.text, run.string())) << outcome.text;
    EXPECT_NO_THROW(perflab::Run::open(run).verify_outputs());
  }
  const Json latest = perflab::Run::open(find_run(out_, "latest")).manifest();
  EXPECT_EQ(latest.at("labs").array().front().text(), "04_fake");  // the last stop
  // One case of one experiment, under the tour's own profile.
  EXPECT_TRUE(has(calls("02_first"), "--profile tour --invocation 0")) << calls("02_first");
  EXPECT_TRUE(has(calls("02_first"), "--set threads=2 --experiment stream\n")) << calls("02_first");
}

TEST_F(TourVerb, WithoutATerminalItAsksNothingAndSaysSo) {
  const Outcome outcome = perflab(tour(), "</dev/null");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "no terminal")) << outcome.text;
  EXPECT_FALSE(has(outcome.text, " > ")) << outcome.text;
  EXPECT_FALSE(has(outcome.text, "Enter")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "42.5 [42, 43] times"));
  EXPECT_EQ(runs().size(), 2u);
}

TEST_F(TourVerb, NoPredictAsksNothingOnATerminalEither) {
  const Outcome outcome = on_terminal(tour({"--no-predict"}), {});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_FALSE(has(outcome.text, " > ")) << outcome.text;
  EXPECT_EQ(runs().size(), 2u);
  EXPECT_TRUE(read_predictions(runs().front()).front().is_skipped());
}

TEST_F(TourVerb, StopsWhereTheReaderWants) {
  Outcome outcome = on_terminal(tour(), {{"(times) > ", "3\n"}, {"q: stop", "q\n"}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_EQ(runs().size(), 1u);
  EXPECT_EQ(calls("04_fake"), "");
  outcome = on_terminal(tour(), {{"(times) > ", "\x04"}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "nothing is kept")) << outcome.text;
  EXPECT_EQ(runs().size(), 1u);
}

TEST_F(TourVerb, CtrlCSaysWhatIsKeptWhereverItComes) {
  Outcome outcome = on_terminal(tour(), {{"(times) > ", "\x03"}});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "Stopped. Nothing was measured")) << outcome.text;
  EXPECT_TRUE(runs().empty());
  outcome = on_terminal(tour(), {{"(times) > ", "3\n"}, {"q: stop", "\x03"}});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.text;
  ASSERT_EQ(runs().size(), 1u);
  EXPECT_TRUE(has(outcome.text, "is kept:\r\n  " + runs().front().string())) << outcome.text;
  behave("02_first", "hang");
  outcome = on_terminal(tour(), {{"(times) > ", "3\n"}, {"measures", "\x03"}});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.text;
  ASSERT_EQ(runs().size(), 2u);
  EXPECT_EQ(perflab::Run::open(find_run(out_, "latest")).status(), "interrupted");
  EXPECT_EQ(calls("04_fake"), "");
}

TEST_F(TourVerb, ALabThatFailsIsNoReasonToStop) {
  behave("02_first", "crash");
  const Outcome outcome = perflab(tour());
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_EQ(runs().size(), 2u);
  EXPECT_TRUE(has(outcome.text, "Question 2 of 2")) << outcome.text;
}

TEST_F(Installation, AnInstallationWithoutQuestionsHasNoTour) {
  const Outcome outcome = perflab({"tour", "--out", out_});
  EXPECT_EQ(outcome.exit_code, 6) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "perflab run")) << outcome.text;
}

}  // namespace perflab

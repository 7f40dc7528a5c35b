#include "bench/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/check.h"
#include "bench/judge_testing.h"
#include "bench/verdict_testing.h"

namespace perflab {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Question number_question(const std::string& quantity = "a.finish / b.finish") {
  Question question;
  question.question_id = "how-much";
  question.text = "How much?";
  question.experiment = "stream";
  question.quantity = quantity;
  question.unit = "ratio";
  question.reveal = "So much.";
  return question;
}

Question choice_question() {
  Question question = number_question();
  question.choices = {{"less", "", -infinite, 0.9}, {"same", "", 0.9, 1.1}, {"more", "", 1.1, infinite}};
  return question;
}

PredictionRow scored(const Question& question, const std::string& answer, const Observation& seen) {
  return score_prediction(
      question, answer.empty() ? skipped(question, "04_lab") : parse_prediction(question, "04_lab", answer),
      seen);
}

Observation saw_exactly(double value) {
  Observation seen = saw(1, 1);
  seen.estimate = Estimate{value, Interval{value, value, 1}, 20};
  return seen;
}

std::string cell(const std::vector<std::string>& header, const std::vector<std::string>& fields,
                 const std::string& name) {
  EXPECT_EQ(header.size(), fields.size());
  for (std::size_t i = 0; i < header.size(); ++i)
    if (header[i] == name) return fields[i];
  ADD_FAILURE() << name;
  return "";
}

}  // namespace

TEST(Calibration, AnIntervalHitsIfItHoldsTheMedian) {
  EXPECT_EQ(scored(number_question(), "1..3", saw(1.9, 2.1)).hit, true);
  EXPECT_EQ(scored(number_question(), "2.5..3", saw(1.9, 2.1)).hit, false);
  EXPECT_EQ(scored(number_question(), "2..3", saw_exactly(2)).hit, true);  // ends belong to it
}

TEST(Calibration, ANumberHitsIfTheMeasuredIntervalHoldsIt) {
  const PredictionRow near = scored(number_question(), "2.05", saw(1.9, 2.1));
  EXPECT_EQ(near.hit, true);
  EXPECT_FALSE(near.interval_score);  // a number says nothing of how sure its author is
  const PredictionRow far = scored(number_question(), "8", saw_exactly(2));
  EXPECT_EQ(far.hit, false);
  EXPECT_DOUBLE_EQ(*far.factor_off, 4);
  EXPECT_DOUBLE_EQ(*scored(number_question(), "0.5", saw_exactly(2)).factor_off, 4);  // either way
}

TEST(Calibration, AnAnswerTooFarOffForAQuotientHasNoFactorInsteadOfAnInfiniteOne) {
  for (const char* answer : {"1e-320", "1e300"}) {
    const PredictionRow row = scored(number_question(), answer, saw_exactly(1e-10));
    EXPECT_EQ(row.hit, false);
    EXPECT_FALSE(row.factor_off && !std::isfinite(*row.factor_off)) << answer;
  }
  EXPECT_FALSE(scored(number_question(), "1e-320", saw_exactly(2)).factor_off);
}

TEST(Calibration, AChoiceIsRightIfTheMedianLiesInItsRange) {
  EXPECT_EQ(scored(choice_question(), "same", saw_exactly(1)).hit, true);
  const PredictionRow wrong = scored(choice_question(), "more", saw_exactly(1));
  EXPECT_EQ(wrong.hit, false);
  EXPECT_EQ(wrong.measured_choice, "same");
  EXPECT_FALSE(wrong.factor_off || wrong.interval_score);
}

TEST(Calibration, TheIntervalScoreCountsDoublings) {
  EXPECT_DOUBLE_EQ(*interval_score(1, 8, 2), 3);    // spans three doublings, holds the value
  EXPECT_DOUBLE_EQ(*interval_score(1, 8, 32), 23);  // and two doublings too low: ten each
  EXPECT_DOUBLE_EQ(*interval_score(4, 8, 1), 21);   // or too high
  EXPECT_DOUBLE_EQ(*interval_score(10, 80, 20), *interval_score(1, 8, 2));  // whatever the unit
  EXPECT_DOUBLE_EQ(*scored(number_question(), "1..8", saw_exactly(2)).interval_score, 3);
}

// The score is proper: over many values of a known distribution, the interval from its 10 % to its 90 %
// quantile has a smaller mean score than narrower and wider ones.
TEST(Calibration, SayingWhatOneBelievesScoresBest) {
  const auto mean_score = [](double half_width) {
    double sum = 0;
    constexpr int n = 1000;
    for (int i = 0; i < n; ++i)  // log2 of the quantity is uniform between -1 and 1
      sum += *interval_score(std::exp2(-half_width), std::exp2(half_width), std::exp2(2 * (i + 0.5) / n - 1));
    return sum / n;
  };
  EXPECT_LT(mean_score(0.8), mean_score(0.7));
  EXPECT_LT(mean_score(0.8), mean_score(0.9));
}

TEST(Calibration, ZeroAndNegativeQuantitiesHaveNoLogarithmButCanHit) {
  const PredictionRow zero = scored(number_question("mismatches_count"), "0", saw_exactly(0));
  EXPECT_EQ(zero.hit, true);
  EXPECT_FALSE(zero.factor_off || zero.interval_score);
  const PredictionRow around = scored(number_question(), "-1..1", saw_exactly(-0.5));
  EXPECT_EQ(around.hit, true);
  EXPECT_FALSE(around.interval_score);
  EXPECT_FALSE(interval_score(0, 1, 0.5));
  EXPECT_FALSE(interval_score(1, 2, -1));
}

TEST(Calibration, WhatWasNotMeasuredIsNeitherHitNorMiss) {
  const auto reason = [](const std::function<void(Observation&)>& change) {
    Observation seen = saw(1.9, 2.1);
    change(seen);
    const PredictionRow row = scored(number_question(), "2", seen);
    EXPECT_FALSE(row.hit || row.measured || row.factor_off || row.interval_score) << row.reason;
    return row.reason;
  };
  EXPECT_EQ(reason([](Observation& o) { o.estimate.reset(), o.missing_reason = "case_not_run"; }),
            "case_not_run");
  EXPECT_EQ(reason([](Observation& o) { o.available = false, o.unavailable_reason = "needs_numpy"; }),
            "needs_numpy");
  EXPECT_EQ(reason([](Observation& o) { o.correct = false; }), "wrong_result");
  EXPECT_EQ(reason([](Observation& o) { o.plausible = false, o.implausible_reason = "implausible"; }),
            "implausible");
  EXPECT_EQ(reason([](Observation& o) { o.fault = 1; }), "fault_injected");
}

TEST(Calibration, ADisturbedMeasurementIsJudgedAndSaysSo) {
  Observation seen = saw(1.9, 2.1);
  seen.env_fit = false;
  seen.unfit_reason = "machine_busy";
  const PredictionRow row = scored(number_question(), "2", seen);
  EXPECT_EQ(row.hit, true);
  EXPECT_EQ(row.reason, "machine_busy");
  Observation smoke = saw(1.9, 2.1);
  smoke.decides = false;
  EXPECT_EQ(scored(number_question(), "2", smoke).reason, "smoke_profile");
}

TEST(Calibration, CountsOnlyWhatCouldBeJudged) {
  Observation missing = saw(1, 1);
  missing.estimate.reset();
  const Calibration c = calibrate(
      {scored(number_question(), "1..8", saw_exactly(2)), scored(number_question(), "1..8", saw_exactly(32)),
       scored(number_question(), "2", saw_exactly(2)), scored(choice_question(), "same", saw_exactly(7)),
       scored(number_question(), "", saw_exactly(2)), scored(number_question(), "1..8", missing)});
  EXPECT_EQ(c.questions, 6);
  EXPECT_EQ(c.answered, 5);
  EXPECT_EQ(c.measured, 5);
  EXPECT_EQ(c.intervals, 2);
  EXPECT_EQ(c.interval_hits, 1);
  EXPECT_EQ(c.numbers, 1);
  EXPECT_EQ(c.number_hits, 1);
  EXPECT_EQ(c.choices, 1);
  EXPECT_EQ(c.choices_right, 0);
  EXPECT_DOUBLE_EQ(*c.mean_interval_score, 13);
}

TEST(Calibration, SaysInWordsWhetherRangesAreTooNarrowOrTooWide) {
  const auto text = [](int hits, int n) {
    Calibration c;
    c.answered = c.intervals = n;
    c.interval_hits = hits;
    return calibration_text(c);
  };
  EXPECT_EQ(text(3, 4), "3 of 4 ranges held what was measured; at 80 % sure, 3.2 would be expected.");
  EXPECT_NE(text(1, 4).find("narrower"), std::string::npos);  // a chance of 2.7 %
  EXPECT_EQ(text(2, 4).find("narrower"), std::string::npos);  // of 18 %
  EXPECT_EQ(text(13, 13).find("wider"), std::string::npos);   // of 5.5 %
  EXPECT_NE(text(14, 14).find("wider"), std::string::npos);   // of 4.4 %
  EXPECT_EQ(calibration_text({}), "Nothing was predicted.");
}

TEST(Calibration, RowsHoldWhatTheColumnsSay) {
  const auto& header = predictions_header();
  const std::vector<std::string> row =
      prediction_fields(scored(number_question(), "1..9", saw_exactly(2)), "04_lab");
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"lab_id", "04_lab"},
                                                                                    {"kind", "interval"},
                                                                                    {"predicted", "3"},
                                                                                    {"predicted_lo", "1"},
                                                                                    {"predicted_hi", "9"},
                                                                                    {"measured", "2"},
                                                                                    {"ci_hi", "2"},
                                                                                    {"hit", "1"},
                                                                                    {"factor_off", "1.5"},
                                                                                    {"reason", ""},
                                                                                    {"reveal", "So much."}})
    EXPECT_EQ(cell(header, row, name), value) << name;
  const std::vector<std::string> nothing =
      prediction_fields(scored(choice_question(), "", saw_exactly(2)), "x");
  EXPECT_EQ(cell(header, nothing, "kind"), "choice");
  EXPECT_EQ(cell(header, nothing, "measured_choice"), "more");
  EXPECT_EQ(
      cell(header, nothing, "predicted") + cell(header, nothing, "choice") + cell(header, nothing, "hit"),
      "");
  EXPECT_EQ(cell(calibration_header(), calibration_fields(calibrate({}), "x"), "asked_coverage_share"),
            "0.8");
}

// ---- through the judge: the same quantities as claims ----

namespace {

Judgement judged(const ConstructedRun& run, const Question& question, const std::string& answer,
                 const std::deque<Experiment>& experiments = no_experiments) {
  JudgeInput input = run.input();
  input.questions = {question};
  input.predictions = {parse_prediction(question, input.lab_id, answer)};
  return judge(input, experiments);
}

}  // namespace

TEST(JudgedPredictions, AClaimLikeRatioComesOutBothWays) {
  const Question question = number_question("plain.finish / nt.finish");
  for (const auto& [answer, hit] : {std::pair{"1.5..2.5", true}, std::pair{"2.5..5", false}}) {
    const Judgement judgement = judged(twofold(), question, answer);
    ASSERT_EQ(judgement.predictions.size(), 1u);
    EXPECT_EQ(judgement.predictions[0].hit, hit) << answer;
    EXPECT_DOUBLE_EQ(judgement.predictions[0].measured->median, 2);
    for (const auto& row : judgement.summary)  // no row of its own: nothing is put beside one
      EXPECT_EQ(cell(judgement.summary_header, row, "predicted"), "");
  }
}

TEST(JudgedPredictions, AMetricOfOneCaseIsFilledIntoItsSummaryRow) {
  Question question = number_question("finish");
  question.params = "level=DRAM;variant=nt";
  question.unit = "ns";
  const Judgement judgement = judged(twofold(), question, "1e6..4e6");
  EXPECT_DOUBLE_EQ(judgement.predictions[0].measured->median, 1e6);
  int filled = 0;
  for (const auto& row : judgement.summary)
    if (!cell(judgement.summary_header, row, "predicted").empty()) {
      ++filled;
      EXPECT_EQ(cell(judgement.summary_header, row, "variant"), "nt");
      EXPECT_EQ(cell(judgement.summary_header, row, "metric"), "finish");
      EXPECT_EQ(cell(judgement.summary_header, row, "predicted_lo"), "1e+06");
      EXPECT_EQ(cell(judgement.summary_header, row, "predicted_hi"), "4e+06");
    }
  EXPECT_EQ(filled, 1);
}

TEST(JudgedPredictions, ADerivedNumberIsFilledInToo) {
  std::deque<Experiment> experiments;
  experiments.emplace_back("stream")
      .variants({"plain", "nt"}, "plain")
      .derive([](const Results&, Derived& derived) {
        derived.add({.metric = "answer_count", .unit = "count", .value = 42, .n = 1});
      });
  const Judgement judgement = judged(twofold(), number_question("answer_count"), "40", experiments);
  EXPECT_EQ(judgement.predictions[0].hit, false);
  EXPECT_EQ(summary_cell(judgement, "", "", "answer_count", "predicted"), "40");
}

TEST(JudgedPredictions, WhatTheRunDoesNotHoldIsMissingWithItsReason) {
  Question question = number_question("plain.finish / nt.finish");
  question.params = "level=L1";
  const Judgement judgement = judged(twofold(), question, "2");
  EXPECT_FALSE(judgement.predictions[0].measured);
  EXPECT_EQ(judgement.predictions[0].reason, "case_not_run");
}

TEST(JudgedPredictions, AQuestionThatWasNotAskedHasNoRow) {
  JudgeInput input = twofold().input();
  input.questions = {number_question(), choice_question()};
  EXPECT_TRUE(judge(input, no_experiments).predictions.empty());
}

}  // namespace perflab

#include "bench/calibration.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/units.h"

namespace perflab {
namespace {

constexpr double alpha = 1 - asked_coverage;
constexpr double surely =
    0.05;  // a number of hits that is rarer than this says something about the predictor

std::string number(const std::optional<double>& value) { return value ? format_number(*value) : ""; }
std::string count(int value) { return fmt::format("{}", value); }

// A value that is there, but of which the judge says that it is no result.
std::string refusal(const Observation& seen) {
  if (seen.fault > 0) return "fault_injected";
  if (!seen.correct) return seen.incorrect_reason.empty() ? "wrong_result" : seen.incorrect_reason;
  if (!seen.available) return seen.unavailable_reason;
  if (!seen.plausible) return seen.implausible_reason;
  if (!seen.estimate) return seen.missing_reason.empty() ? "not_measured" : seen.missing_reason;
  return "";
}

std::string disturbance(const Observation& seen) {
  if (!seen.unfit_reason.empty()) return seen.unfit_reason;
  return seen.decides ? "" : "smoke_profile";
}

bool is_hit(const Question& question, const Prediction& prediction, const Estimate& measured) {
  const double value = measured.median;
  if (!question.choices.empty()) return prediction.choice == question.choice_of(value)->word;
  if (prediction.is_interval()) return *prediction.lo <= value && value <= *prediction.hi;
  const Interval around = measured.interval.value_or(Interval{value, value, 1});
  return around.lo <= *prediction.value && *prediction.value <= around.hi;
}

// P(at most `hits` of n), each with the coverage that was asked for.
double chance_of_at_most(int hits, int n) {
  double sum = 0, term = std::pow(alpha, n);  // no hit at all
  for (int k = 0; k <= hits; ++k) {
    sum += term;
    term *= double(n - k) / (k + 1) * asked_coverage / alpha;
  }
  return sum;
}

std::string interval_sentence(const Calibration& c) {
  std::string text = fmt::format("{} of {} {} held what was measured; at 80 % sure, {:.2g} would be expected",
                                 c.interval_hits, c.intervals, c.intervals == 1 ? "range" : "ranges",
                                 asked_coverage * c.intervals);
  if (chance_of_at_most(c.interval_hits, c.intervals) < surely)
    text += ": yours are narrower than you are sure";
  else if (1 - chance_of_at_most(c.interval_hits - 1, c.intervals) < surely)
    text += ": yours are wider than they need be";
  text += ".";
  if (c.mean_interval_score)
    text += fmt::format(
        " Interval score {:.3g}, lower is better: the doublings that a range spans, and ten for each "
        "doubling "
        "by which it missed.",
        *c.mean_interval_score);
  return text;
}

}  // namespace

std::optional<double> interval_score(double lo, double hi, double measured) {
  if (!(lo > 0) || !(hi > 0) || !(measured > 0)) return std::nullopt;
  const double low = std::log2(lo), high = std::log2(hi), seen = std::log2(measured);
  return (high - low) + 2 / alpha * (std::max(low - seen, 0.0) + std::max(seen - high, 0.0));
}

PredictionRow score_prediction(const Question& question, const Prediction& prediction,
                               const Observation& seen) {
  PredictionRow row{question, prediction, {}, "", {}, {}, {}, refusal(seen)};
  if (!row.reason.empty()) return row;
  row.reason = disturbance(seen);
  row.measured = seen.estimate;
  const double value = row.measured->median;
  if (!question.choices.empty()) row.measured_choice = question.choice_of(value)->word;
  if (prediction.is_skipped()) return row;
  row.hit = is_hit(question, prediction, *row.measured);
  if (prediction.value && *prediction.value > 0 && value > 0) {
    const double off = std::max(*prediction.value / value, value / *prediction.value);
    if (std::isfinite(off)) row.factor_off = off;  // 1e-320 is a number, its quotient is none
  }
  if (prediction.is_interval()) row.interval_score = interval_score(*prediction.lo, *prediction.hi, value);
  return row;
}

Calibration calibrate(const std::vector<PredictionRow>& rows) {
  Calibration c;
  double sum = 0;
  int scored = 0;
  for (const PredictionRow& row : rows) {
    ++c.questions;
    c.answered += row.prediction.is_skipped() ? 0 : 1;
    c.measured += row.measured ? 1 : 0;
    if (row.interval_score) {
      sum += *row.interval_score;
      ++scored;
    }
    if (!row.hit) continue;
    const bool choice = !row.question.choices.empty(), interval = row.prediction.is_interval();
    int& judged = choice ? c.choices : interval ? c.intervals : c.numbers;
    int& right = choice ? c.choices_right : interval ? c.interval_hits : c.number_hits;
    ++judged;
    right += *row.hit ? 1 : 0;
  }
  if (scored > 0) c.mean_interval_score = sum / scored;
  return c;
}

std::string calibration_text(const Calibration& c) {
  if (c.answered == 0) return "Nothing was predicted.";
  std::string text;
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : " ") + sentence; };
  if (c.intervals > 0) add(interval_sentence(c));
  if (c.choices > 0)
    add(fmt::format("{} of {} {} right.", c.choices_right, c.choices, c.choices == 1 ? "choice" : "choices"));
  if (c.numbers > 0)
    add(fmt::format("{} of {} {} hit within what the measurement can tell.", c.number_hits, c.numbers,
                    c.numbers == 1 ? "number" : "numbers"));
  if (text.empty()) return "Nothing that was predicted could be measured.";
  return text;
}

const std::vector<std::string>& predictions_header() {
  static const std::vector<std::string> header = {
      "lab_id",          "question_id",  "text",       "kind",           "unit",   "predicted",
      "predicted_lo",    "predicted_hi", "choice",     "measured",       "ci_lo",  "ci_hi",
      "measured_choice", "hit",          "factor_off", "interval_score", "reason", "reveal"};
  return header;
}

std::vector<std::string> prediction_fields(const PredictionRow& row, const std::string& lab_id) {
  const Prediction& said = row.prediction;
  std::optional<double> measured, lo, hi;
  if (row.measured) {
    measured = row.measured->median;
    if (row.measured->interval) {
      lo = row.measured->interval->lo;
      hi = row.measured->interval->hi;
    }
  }
  const char* kind = !row.question.choices.empty() ? "choice" : said.is_interval() ? "interval" : "number";
  return {lab_id,
          row.question.question_id,
          row.question.text,
          kind,
          row.question.unit,
          number(said.value),
          number(said.lo),
          number(said.hi),
          said.choice,
          number(measured),
          number(lo),
          number(hi),
          row.measured_choice,
          row.hit ? (*row.hit ? "1" : "0") : "",
          number(row.factor_off),
          number(row.interval_score),
          row.reason,
          row.question.reveal};
}

const std::vector<std::string>& calibration_header() {
  static const std::vector<std::string> header = {"lab_id",
                                                  "questions_count",
                                                  "answered_count",
                                                  "measured_count",
                                                  "intervals_count",
                                                  "interval_hits_count",
                                                  "asked_coverage_share",
                                                  "mean_interval_score",
                                                  "numbers_count",
                                                  "number_hits_count",
                                                  "choices_count",
                                                  "choices_right_count",
                                                  "text"};
  return header;
}

std::vector<std::string> calibration_fields(const Calibration& c, const std::string& lab_id) {
  return {lab_id,
          count(c.questions),
          count(c.answered),
          count(c.measured),
          count(c.intervals),
          count(c.interval_hits),
          format_number(asked_coverage),
          number(c.mean_interval_score),
          count(c.numbers),
          count(c.number_hits),
          count(c.choices),
          count(c.choices_right),
          calibration_text(c)};
}

}  // namespace perflab

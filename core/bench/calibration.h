#pragma once
// Calibration — how near the predictions of a lab came, and how well the predictor knows what they know.
//
// An interval is meant to hold the measured value in four of five cases. Its score is that of Gneiting and
// Raftery ("Strictly Proper Scoring Rules, Prediction, and Estimation", JASA 102, 2007, section 6.2) with
// alpha = 0.2, taken on log2 of the quantity: the number of doublings that the interval spans, plus ten for
// each doubling by which the measured value lies outside. Lower is better, and the lowest is expected of
// whoever says what they believe. Where a logarithm does not exist (zero, negative numbers) there is no
// score. Pure functions.

#include <optional>
#include <string>
#include <vector>

#include "bench/predictions.h"
#include "bench/questions.h"
#include "bench/verdict.h"

namespace perflab {

inline constexpr double asked_coverage = 0.8;  // of a predicted interval

struct PredictionRow {
  Question question;
  Prediction prediction;
  std::optional<Estimate> measured;
  std::string measured_choice;
  // An interval: it holds the measured median. A number: the measured interval holds it. A choice: it is the
  // one in whose range the median lies. Nothing where nothing was predicted or measured.
  std::optional<bool> hit;
  std::optional<double> factor_off;  // predicted over measured or the other way round, whichever is above 1
  std::optional<double> interval_score;  // of intervals only
  std::string reason;  // why nothing was measured; beside a measured value, what disturbed it
};
PredictionRow score_prediction(const Question& question, const Prediction& prediction,
                               const Observation& seen);
std::optional<double> interval_score(double lo, double hi, double measured);

struct Calibration {
  int questions = 0, answered = 0, measured = 0;
  int intervals = 0, interval_hits = 0;  // of those that could be judged, as below
  int numbers = 0, number_hits = 0;
  int choices = 0, choices_right = 0;
  std::optional<double> mean_interval_score;
};
Calibration calibrate(const std::vector<PredictionRow>& rows);
std::string calibration_text(const Calibration& calibration);  // one or two sentences for the reader

const std::vector<std::string>& predictions_header();
std::vector<std::string> prediction_fields(const PredictionRow& row, const std::string& lab_id);
const std::vector<std::string>& calibration_header();
std::vector<std::string> calibration_fields(const Calibration& calibration, const std::string& lab_id);

}  // namespace perflab

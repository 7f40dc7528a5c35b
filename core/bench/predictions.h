#pragma once
// Predictions — the answers to a lab's questions, sealed before its first sample: predictions.json of a run.
//
// The file is written once, before anything is measured; its SHA-256 stands in the manifest
// (predictions_sha256), and the time in both (sealed_utc). A run whose file no longer has that hash is
// refused like any changed result. The judge compares: LAB/predictions.csv has one row per question, with the
// prediction, what was measured, and how near it was (calibration.h).

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/json.h"
#include "bench/questions.h"
#include "bench/run.h"

namespace perflab {

struct Prediction {
  std::string lab_id{}, question_id{};
  std::string answer{};                       // as typed; empty: the question was skipped
  std::optional<double> value{}, lo{}, hi{};  // a number is lo = hi = value; an interval's value is its
                                              // middle, on a logarithmic scale where both ends are positive
  std::string choice{};                       // the word of a choice

  bool is_skipped() const { return !value && choice.empty(); }
  bool is_interval() const { return value && *lo < *hi; }
};

// "3", "1.5..3" (an interval that is meant to hold the result in four of five cases), or a choice's word. The
// unit may follow the number. Error(usage) says what was typed and what is wanted.
Prediction parse_prediction(const Question& question, const std::string& lab_id, std::string_view answer);
Prediction skipped(const Question& question, const std::string& lab_id);

void write_predictions(const std::filesystem::path& run_folder, const std::vector<Prediction>& predictions,
                       const std::string& sealed_utc);
// None: no such file. Error(data) if it is not the file that the folder's manifest was sealed with.
std::vector<Prediction> read_predictions(const std::filesystem::path& run_folder);

// Writes them and puts hash and time into the manifest on disk. Once per run; before its first sample.
void seal_predictions(Run& run, const std::vector<Prediction>& predictions);
// Error(data) names the file if predictions.json and the manifest's hash do not belong together.
void check_seal(const std::filesystem::path& run_folder, const Json& manifest);

}  // namespace perflab

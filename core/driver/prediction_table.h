#pragma once
// LAB/predictions.csv as a reader sees it: what was said, what was measured, how near it was. Nothing here is
// computed; the judge has done that.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/number_line.h"

namespace perflab {

struct ShownPrediction {
  std::string question_id, said, measured, outcome;  // "" where nothing was said or measured
  std::string choice, measured_choice, reason, reveal;
  std::optional<Span> said_span, measured_span;
  bool asked_for_choice = false;
};
std::vector<ShownPrediction> shown_predictions(const std::filesystem::path& lab_folder);  // none: no file

// The table and, under it, the calibration in words; "" if nothing was asked.
std::string prediction_table(const std::filesystem::path& lab_folder);

}  // namespace perflab

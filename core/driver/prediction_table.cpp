#include "driver/prediction_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "bench/csv.h"
#include "bench/questions.h"
#include "driver/text_table.h"

namespace perflab {
namespace {

std::string with_unit(const std::string& figure, const std::string& unit) {
  const std::string words = unit_words(unit);
  return words.empty() ? figure : fmt::format("{} {}", figure, words);
}

std::optional<Span> span_of(const CsvTable& table, std::size_t row, const char* middle, const char* lo,
                            const char* hi) {
  if (table.at(row, middle).empty()) return std::nullopt;
  if (table.at(row, lo).empty() || table.at(row, hi).empty())
    return Span{parse_number(table.at(row, middle)), parse_number(table.at(row, middle))};
  return Span{parse_number(table.at(row, lo)), parse_number(table.at(row, hi))};
}

std::string in_words(std::string code) {
  std::replace(code.begin(), code.end(), '_', ' ');
  return code;
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::string said_text(const CsvTable& table, std::size_t row) {
  if (!table.at(row, "choice").empty()) return table.at(row, "choice");
  if (table.at(row, "predicted").empty()) return "";
  const std::string lo = three_digits(table.at(row, "predicted_lo")),
                    hi = three_digits(table.at(row, "predicted_hi"));
  return with_unit(lo == hi ? lo : fmt::format("{}..{}", lo, hi), table.at(row, "unit"));
}

std::string measured_text(const CsvTable& table, std::size_t row) {
  const std::string middle = three_digits(table.at(row, "measured"));
  if (middle.empty()) return "";
  const std::string lo = three_digits(table.at(row, "ci_lo")), hi = three_digits(table.at(row, "ci_hi"));
  const std::string interval = lo.empty() || hi.empty() || lo == hi ? "" : fmt::format(" [{}, {}]", lo, hi);
  return with_unit(middle + interval, table.at(row, "unit"));
}

std::string outcome_text(const CsvTable& table, std::size_t row) {
  const std::string& hit = table.at(row, "hit");
  const std::string& kind = table.at(row, "kind");
  const std::string& reason = table.at(row, "reason");
  if (table.at(row, "measured").empty()) return "not measured: " + in_words(reason);
  if (hit.empty()) return "";
  std::string text = kind == "choice" ? (hit == "1" ? "right" : "wrong") : hit == "1" ? "hit" : "missed";
  if (const std::string off = three_digits(table.at(row, "factor_off")); hit == "0" && !off.empty())
    text = fmt::format("{}off by a factor of {}", kind == "interval" ? "missed, its middle is " : "", off);
  if (reason.empty()) return text;
  return fmt::format("{} ({})", text,
                     reason == "smoke_profile" ? "smoke run" : "disturbed: " + in_words(reason));
}

}  // namespace

std::vector<ShownPrediction> shown_predictions(const std::filesystem::path& lab_folder) {
  std::vector<ShownPrediction> shown;
  std::error_code error;
  const std::filesystem::path file = lab_folder / "predictions.csv";
  if (!std::filesystem::is_regular_file(file, error)) return shown;
  const CsvTable table = read_csv(file);
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    shown.push_back({.question_id = table.at(row, "question_id"),
                     .said = said_text(table, row),
                     .measured = measured_text(table, row),
                     .outcome = outcome_text(table, row),
                     .choice = table.at(row, "choice"),
                     .measured_choice = table.at(row, "measured_choice"),
                     .reason = in_words(table.at(row, "reason")),
                     .reveal = table.at(row, "reveal"),
                     .said_span = span_of(table, row, "predicted", "predicted_lo", "predicted_hi"),
                     .measured_span = span_of(table, row, "measured", "ci_lo", "ci_hi"),
                     .asked_for_choice = table.at(row, "kind") == "choice"});
  return shown;
}

std::string prediction_table(const std::filesystem::path& lab_folder) {
  const std::vector<ShownPrediction> all = shown_predictions(lab_folder);
  if (all.empty()) return "";
  std::vector<std::vector<std::string>> lines = {
      {"question", "you said", "measured [95 % interval]", "how near"}};
  for (const ShownPrediction& one : all) {
    const std::string measured =
        one.measured_choice.empty() ? one.measured : fmt::format("{}: {}", one.measured_choice, one.measured);
    lines.push_back({one.question_id, or_dash(one.said), or_dash(measured), one.outcome});
  }
  const CsvTable score = read_csv(lab_folder / "calibration.csv");
  const std::string text = score.rows.empty() ? "" : wrapped(score.at(0, "text"), 100);
  return fmt::format("{}\n{}", aligned(lines), text);
}

}  // namespace perflab

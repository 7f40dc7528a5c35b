#include <fmt/format.h>

#include "bench/csv.h"
#include "driver/text_table.h"
#include "driver/verbs.h"

namespace perflab {
namespace {

// "1.83 [1.79, 1.88] ratio"
std::string observed_text(const CsvTable& table, std::size_t row) {
  std::string text = three_digits(table.at(row, "observed"));
  if (text.empty()) return "-";
  const std::string lo = three_digits(table.at(row, "ci_lo")), hi = three_digits(table.at(row, "ci_hi"));
  if (!lo.empty() && !hi.empty()) text += fmt::format(" [{}, {}]", lo, hi);
  if (const std::string& unit = table.at(row, "unit"); !unit.empty()) text += " " + unit;
  return text;
}

std::string claimed_text(const CsvTable& table, std::size_t row) {
  if (const std::string& text = table.at(row, "claimed_text"); !text.empty()) return text;
  const std::string number = three_digits(table.at(row, "claimed"));
  return number.empty() ? "-" : number + " " + table.at(row, "unit");
}

std::string verdict_text(const CsvTable& table, std::size_t row) {
  const std::string& reason = table.at(row, "reason_code");
  return table.at(row, "verdict") + (reason.empty() ? "" : " (" + reason + ")");
}

}  // namespace

std::string verdict_table(const std::filesystem::path& run_folder) {
  std::error_code error;
  const std::filesystem::path file = run_folder / "verdicts.csv";
  if (!std::filesystem::is_regular_file(file, error)) return "";
  const CsvTable table = read_csv(file);
  std::vector<std::vector<std::string>> lines = {
      {"claim", "verdict", "observed [95 % interval]", "the article says"}};
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    lines.push_back({table.at(row, "claim_id"), verdict_text(table, row), observed_text(table, row),
                     claimed_text(table, row)});
  if (lines.size() == 1) return "";
  return aligned(lines);
}

}  // namespace perflab

#include "driver/compare_text.h"

#include <algorithm>

#include "base/check.h"
#include "base/units.h"
#include "bench/csv.h"
#include "driver/text_table.h"

namespace perflab {
namespace {

constexpr std::size_t most_cases = 20, most_names = 10;
constexpr std::size_t longest_value = 48;  // of a setting that differs: flags are long

std::string described(const ComparedRun& run) {
  return fmt::format("{} ({}, {})", run.id, run.manifest.text_or("profile", "?"), run.status);
}

std::string shortened(const std::string& value) {
  if (value.empty()) return "unknown";
  return value.size() <= longest_value ? value : value.substr(0, longest_value) + "...";
}

// Long values mostly begin alike: show them from where they part.
std::pair<std::string, std::string> both(const Difference& one) {
  std::size_t same = 0;
  while (same < std::min(one.a.size(), one.b.size()) && one.a[same] == one.b[same]) ++same;
  const bool skip = std::max(one.a.size(), one.b.size()) > longest_value && same > 8;
  const std::size_t from = skip ? same - 8 : 0;
  const auto part = [&](const std::string& value) {
    return fmt::format("{}{}", skip ? "..." : "", shortened(value.substr(std::min(from, value.size()))));
  };
  return {part(one.a), part(one.b)};
}

std::string differences_text(const std::string& title, const std::vector<Difference>& differences) {
  if (differences.empty()) return "";
  std::vector<std::vector<std::string>> lines;
  for (const Difference& one : differences) {
    const auto [a, b] = both(one);
    lines.push_back({"  " + one.what, a, "->", b});
  }
  return fmt::format("\n{}\n{}", title, aligned(lines));
}

std::string interval_text(const Estimate& ratio) {
  if (!ratio.interval) return "-";
  return fmt::format("[{:.3f}, {:.3f}]", ratio.interval->lo, ratio.interval->hi);
}

std::string cases_text(const Comparison& comparison) {
  if (comparison.cases.empty()) return "";
  std::vector<std::vector<std::string>> lines = {
      {"B/A", "interval", "", "time in A", "time in B", "n", "lab", "case", "variant"}};
  for (const ComparedCase& one : comparison.cases) {
    if (lines.size() > most_cases) break;
    const std::string word =
        fmt::format("{}{}", word_of(one.change), one.reason.empty() ? "" : " (" + one.reason + ")");
    lines.push_back({fmt::format("{:.3f}", one.ratio.median), interval_text(one.ratio), word,
                     format_time(one.a_ns * 1e-9), format_time(one.b_ns * 1e-9),
                     fmt::format("{}, {}", one.n_a, one.n_b), one.lab_id, one.case_id, one.variant});
  }
  std::string text = fmt::format("\n{}", aligned(lines));
  if (comparison.cases.size() > most_cases)
    text += fmt::format("... and {} more; --csv shows all\n", comparison.cases.size() - most_cases);
  return text;
}

std::string names_text(const std::string& title, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string text = fmt::format("{}: {}\n", title, names.size());
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i) text += "  " + names[i] + "\n";
  if (names.size() > most_names) text += fmt::format("  ... and {} more\n", names.size() - most_names);
  return text;
}

// Chance within the two runs only: what changed between them is no part of it.
std::string level_text(const Comparison& comparison) {
  if (comparison.undecidable() == int(comparison.cases.size())) return "";
  std::string text = fmt::format("each interval is at {:.5g} %", 100 * comparison.level);
  const double joint = comparison.joint_level();
  if (joint > 0.95 - 1e-9) return text + ", so that all of them together hold at 95 %\n";
  return text + fmt::format(
                    " where a case has values enough for it; with those that have too few, all of them "
                    "together hold at {:.3g} % only\n",
                    100 * joint);
}

std::string counts_text(const Comparison& comparison) {
  std::string text =
      fmt::format("\ncases compared: {}; {} slower, {} faster, {} same, {} undecided\n",
                  comparison.cases.size(), comparison.count(Change::slower), comparison.count(Change::faster),
                  comparison.count(Change::same), comparison.count(Change::undecided));
  text += level_text(comparison);
  text += names_text("only in A", comparison.only_a) + names_text("only in B", comparison.only_b);
  if (comparison.empty_in_both > 0)
    text +=
        fmt::format("without usable numbers in both runs, for one reason: {}\n", comparison.empty_in_both);
  std::vector<std::string> left_out;
  for (const auto& [name, reason] : comparison.left_out) left_out.push_back(name + ": " + reason);
  return text + names_text("in both, but not compared", left_out);
}

std::string verdicts_text(const Comparison& comparison) {
  std::string text;
  if (!comparison.verdicts.empty()) text = differences_text("verdicts that changed:", comparison.verdicts);
  else if (comparison.verdicts_same > 0)
    text = fmt::format("\nno verdict changed ({} are the same)\n", comparison.verdicts_same);
  if (comparison.verdicts_one_sided > 0)
    text += fmt::format("claims that only one of the runs judged: {}\n", comparison.verdicts_one_sided);
  return text;
}

std::string caution_text(const Comparison& comparison) {
  std::string text =
      "\nTwo runs at two times also compare two moments of the machine: temperature, neighbours, and where "
      "memory happened to lie.\n";
  if (comparison.believable > 0) {
    text += fmt::format(
        "By the A/A copies of both runs, a typical case of theirs separates differences above {:.3f}.\n",
        comparison.believable);
    if (comparison.believable > comparison.slower_than)
      text += fmt::format("That is more than the {} asked for: measure longer, or on a quieter machine.\n",
                          comparison.slower_than);
  }
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const ComparedRun& a, const ComparedRun& b) {
  std::string text = fmt::format("A: {}\nB: {}\n", described(a), described(b));
  text += differences_text("another machine:", comparison.machine);
  text += differences_text("what else differs:", comparison.others);
  for (const std::string& note : comparison.notes) text += "note: " + note + "\n";
  text +=
      cases_text(comparison) + counts_text(comparison) + verdicts_text(comparison) + caution_text(comparison);
  return text + fmt::format("\n{} (exit code {})\n", comparison.verdict(), comparison.exit_code());
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text = csv_line(comparison_header());
  for (const ComparedCase& one : comparison.cases) text += csv_line(comparison_fields(one));
  return text;
}

}  // namespace perflab

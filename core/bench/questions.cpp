#include "bench/questions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/file.h"
#include "base/units.h"
#include "bench/claims.h"
#include "bench/describe.h"
#include "bench/manifest.h"
#include "bench/registry.h"

namespace perflab {
namespace {

constexpr std::array columns = {"question_id", "text", "hint",    "experiment", "params",
                                "quantity",    "unit", "choices", "tour",       "reveal"};

bool is_kebab(std::string_view word) {
  return !word.empty() && word.front() >= 'a' && word.front() <= 'z' && word.back() != '-' &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

// "word|what it means|upper end"; `below` is where the choice before it ended.
Choice read_choice(const RegistryRow& row, const std::string& item, double below, bool last) {
  std::vector<std::string> parts = split_list(item, '|');
  if (last && parts.size() == 2) parts.emplace_back();  // nothing follows the last '|'
  if (parts.size() != 3 || !is_kebab(parts[0]) || parts[1].empty())
    row.broken("choices", "want 'word|what it means|upper end', not '" + item + "'");
  Choice choice{parts[0], parts[1], below, std::numeric_limits<double>::infinity()};
  if (parts[2].empty() != last)
    row.broken("choices", "'" + choice.word + "': every choice but the last has an upper end");
  if (last) return choice;
  try {
    choice.hi = parse_number(parts[2]);
  } catch (const Error&) {
    row.broken("choices", "'" + parts[2] + "' is not a number");
  }
  if (choice.hi <= below) row.broken("choices", "'" + choice.word + "' ends below where it begins");
  return choice;
}

std::vector<Choice> read_choices(const RegistryRow& row) {
  std::vector<Choice> choices;
  const std::vector<std::string> items = split_list(row.text("choices"));
  if (items.size() == 1) row.broken("choices", "one choice is none; want two or more, or an empty field");
  double below = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < items.size(); ++i) {
    choices.push_back(read_choice(row, items[i], below, i + 1 == items.size()));
    below = choices.back().hi;
    for (std::size_t k = 0; k < i; ++k)
      if (choices[k].word == choices[i].word) row.broken("choices", "'" + choices[i].word + "' stands twice");
  }
  return choices;
}

Question read_row(const RegistryRow& row) {
  Question question;
  question.question_id = row.required("question_id");
  if (!is_kebab(question.question_id)) row.broken("question_id", "want lower-case-words-with-hyphens");
  question.text = row.required("text");
  question.hint = row.required("hint");
  question.experiment = row.required("experiment");
  question.params = row.params("params");
  row.required("quantity");
  question.quantity = row.quantity("quantity");
  question.unit = row.required("unit");
  question.choices = read_choices(row);
  if (row.text("tour") != "1" && !row.text("tour").empty()) row.broken("tour", "want 1 or nothing");
  question.tour = row.text("tour") == "1";
  question.reveal = row.required("reveal");
  return question;
}

}  // namespace

const Choice* Question::choice(std::string_view word) const {
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const Choice& one) { return one.word == word; });
  return found == choices.end() ? nullptr : &*found;
}

const Choice* Question::choice_of(double value) const {
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const Choice& one) { return value < one.hi; });
  return found == choices.end() ? nullptr : &*found;
}

std::vector<Question> parse_questions(std::string_view text, const std::string& source) {
  const CsvTable table = parse_csv(text, source);
  std::vector<Question> questions;
  for (const RegistryRow& row : registry_rows(table, columns)) {
    Question question = read_row(row);
    for (const Question& other : questions) {
      if (other.question_id == question.question_id) row.broken("question_id", "stands twice");
      if (other.tour && question.tour)
        row.broken("tour", "the tour asks '" + other.question_id + "' of this lab already");
    }
    questions.push_back(std::move(question));
  }
  return questions;
}

std::vector<Question> read_questions(const std::filesystem::path& path) {
  return parse_questions(read_file(path), path.string());
}

std::vector<Question> questions_of(const std::string& lab_id) {
  const std::filesystem::path file = lab_source_folder(lab_id) / "questions.csv";
  std::error_code error;
  return std::filesystem::exists(file, error) ? read_questions(file) : std::vector<Question>{};
}

std::string questions_sha256(const std::vector<std::string>& lab_ids) {
  std::vector<std::filesystem::path> files;
  for (const std::string& id : lab_ids) files.push_back(lab_source_folder(id) / "questions.csv");
  return combined_sha256(files);
}

std::string unit_words(std::string_view unit) {
  constexpr std::array<std::array<std::string_view, 2>, 5> words = {
      {{"ratio", "times"}, {"GBps", "GB/s"}, {"GFLOPS", "GFLOP/s"}, {"count", ""}, {"share", ""}}};
  for (const auto& [name, shown] : words)
    if (name == unit) return std::string(shown);
  return std::string(unit);
}

}  // namespace perflab

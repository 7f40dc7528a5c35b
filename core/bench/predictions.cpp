#include "bench/predictions.h"

#include <fmt/ranges.h>

#include <cmath>

#include "base/check.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/units.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

constexpr const char* file_name = "predictions.json";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// "3 GB/s" where the question's unit is GB/s, "3x" where it is a ratio.
std::string_view without_unit(std::string_view text, const std::string& unit) {
  for (const std::string& word : {unit_words(unit), std::string(unit == "ratio" ? "x" : "")})
    if (!word.empty() && text.ends_with(word)) return trimmed(text.substr(0, text.size() - word.size()));
  return text;
}

double number_in(std::string_view text, const Question& question) {
  const std::string_view digits = without_unit(trimmed(text), question.unit);
  try {
    return parse_number(digits);
  } catch (const Error&) {
    const std::string unit = unit_words(question.unit);
    fail(ErrorKind::usage, "'{}' is no number{}; want one, as 3 or 0.5, or a range, as 1.5..3", text,
         unit.empty() || unit == "times" ? "" : " of " + unit);
  }
}

// 1.5..6 gives 3 and not 2.9999999999999996; the quotient of extremes may overflow.
double logarithmic_middle(double lo, double hi) {
  const double ratio = hi / lo;
  return std::isfinite(ratio) ? lo * std::sqrt(ratio) : std::sqrt(lo) * std::sqrt(hi);
}

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::optional<double> number_or_none(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.number());
}

[[noreturn]] void broken_seal(const std::filesystem::path& file, std::string_view what) {
  fail(ErrorKind::data,
       "'{}': {}; predictions are sealed before the first sample, so nothing is judged or drawn",
       file.string(), what);
}

}  // namespace

Prediction skipped(const Question& question, const std::string& lab_id) {
  return {.lab_id = lab_id, .question_id = question.question_id};
}

Prediction parse_prediction(const Question& question, const std::string& lab_id, std::string_view answer) {
  Prediction prediction = skipped(question, lab_id);
  answer = trimmed(answer);
  prediction.answer = answer;
  if (!question.choices.empty()) {
    std::vector<std::string> words;
    for (const Choice& choice : question.choices) words.push_back(choice.word);
    if (question.choice(answer) == nullptr)
      fail(ErrorKind::usage, "'{}' is none of the choices; want {}", answer, fmt::join(words, ", "));
    prediction.choice = answer;
    return prediction;
  }
  const std::size_t dots = answer.find("..");
  const std::string_view low = answer.substr(0, dots);
  const double lo = number_in(low, question);
  const double hi = dots == std::string_view::npos ? lo : number_in(answer.substr(dots + 2), question);
  if (lo > hi)
    fail(ErrorKind::usage, "'{}' ends below where it begins; want the smaller number first, as 1.5..3",
         answer);
  prediction.lo = lo;
  prediction.hi = hi;
  prediction.value = lo == hi ? lo : lo > 0 ? logarithmic_middle(lo, hi) : lo / 2 + hi / 2;
  return prediction;
}

void write_predictions(const std::filesystem::path& run_folder, const std::vector<Prediction>& predictions,
                       const std::string& sealed_utc) {
  Json::Array list;
  for (const Prediction& one : predictions)
    list.push_back(Json::Object{{"lab_id", one.lab_id},
                                {"question_id", one.question_id},
                                {"answer", one.answer},
                                {"value", optional_number(one.value)},
                                {"lo", optional_number(one.lo)},
                                {"hi", optional_number(one.hi)},
                                {"choice", one.choice}});
  write_file_atomically(
      run_folder / file_name,
      Json(Json::Object{{"schema", 1}, {"sealed_utc", sealed_utc}, {"predictions", list}}).dump());
}

std::vector<Prediction> read_predictions(const std::filesystem::path& run_folder) {
  const std::filesystem::path file = run_folder / file_name, manifest = run_folder / "manifest.json";
  std::error_code error;
  if (std::filesystem::is_regular_file(manifest, error))
    check_seal(run_folder, Json::parse(read_file(manifest), manifest.string()));
  std::vector<Prediction> predictions;
  if (!std::filesystem::is_regular_file(file, error)) return predictions;
  const Json stored = Json::parse(read_file(file), file.string());
  for (const Json& one : stored.at("predictions").array())
    predictions.push_back({.lab_id = one.at("lab_id").text(),
                           .question_id = one.at("question_id").text(),
                           .answer = one.at("answer").text(),
                           .value = number_or_none(one.at("value")),
                           .lo = number_or_none(one.at("lo")),
                           .hi = number_or_none(one.at("hi")),
                           .choice = one.at("choice").text()});
  return predictions;
}

void seal_predictions(Run& run, const std::vector<Prediction>& predictions) {
  PL_CHECK(run.manifest().find("predictions_sha256") == nullptr,
           "seal_predictions: run {} is sealed already; a seal is not renewed", run.id());
  const std::string now = utc_text();
  write_predictions(run.folder(), predictions, now);
  run.set("predictions_sha256", sha256_file(run.folder() / file_name));
  run.set("sealed_utc", now);
  run.save();
}

void check_seal(const std::filesystem::path& run_folder, const Json& manifest) {
  const std::filesystem::path file = run_folder / file_name;
  const std::string sealed = manifest.text_or("predictions_sha256", "");
  std::error_code error;
  const bool exists = std::filesystem::is_regular_file(file, error);
  if (!exists && sealed.empty()) return;
  if (!exists) broken_seal(file, "missing, although manifest.json has its hash");
  if (sealed.empty()) broken_seal(file, "manifest.json has no hash of it");
  if (sha256_file(file) != sealed)
    broken_seal(file, "its hash is not the one that manifest.json was sealed with");
  const Json stored = Json::parse(read_file(file), file.string());
  const Json* at = stored.find("sealed_utc");  // files of before have none
  if (at != nullptr && at->text() != manifest.text_or("sealed_utc", ""))
    broken_seal(file, "it was sealed at another time than manifest.json says");
}

}  // namespace perflab

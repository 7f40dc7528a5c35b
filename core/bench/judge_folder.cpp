// The judge's files: what it reads from a run's folder and what it leaves there.

#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/check.h"
#include "base/file.h"
#include "bench/build_info.h"
#include "bench/csv.h"
#include "bench/json.h"
#include "bench/judge.h"
#include "bench/planned.h"
#include "bench/record_csv.h"

namespace perflab {
namespace {

std::optional<double> item(const Json& env, const std::string& name) {
  const Json* found = env.find(name);
  const Json* value = found ? found->find("value") : nullptr;
  return value && !value->is_null() ? std::optional(value->number()) : std::nullopt;
}

// From the run's own env.json, so that a stored run is judged by the machine that measured it.
void read_machine(const std::filesystem::path& env_json, JudgeInput& input) {
  if (!std::filesystem::exists(env_json)) return;
  const Json env = Json::parse(read_file(env_json), env_json.string());
  for (const int level : {1, 2, 3})
    if (const auto bytes = item(env, fmt::format("cache_L{}_bytes", level)))
      input.caches.push_back({level, std::int64_t(*bytes), 0,
                              int(item(env, fmt::format("cache_L{}_instances", level)).value_or(1))});
  if (const auto cpus = item(env, "effective_cpus"))
    input.hardware.push_back(fmt::format("cores:{}", int(*cpus)));
}

std::vector<Prediction> predictions_of(const std::filesystem::path& run_folder, const std::string& lab_id) {
  std::vector<Prediction> predictions = read_predictions(run_folder);
  std::erase_if(predictions, [&](const Prediction& one) { return one.lab_id != lab_id; });
  return predictions;
}

std::string table_text(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows) {
  std::string text = csv_line(header);
  for (const auto& row : rows) text += csv_line(row);
  return text;
}

}  // namespace

JudgeInput read_judge_input(const std::filesystem::path& lab_folder) {
  if (!std::filesystem::is_directory(lab_folder))
    fail(ErrorKind::usage, "judge: '{}' is no folder; want a lab's folder of a run", lab_folder.string());
  SampleFile samples = read_samples(lab_folder);
  CaseFile cases = read_cases(lab_folder);
  const std::filesystem::path whole = std::filesystem::canonical(lab_folder),
                              run_folder = whole.parent_path();
  JudgeInput input;
  // A lab that skipped everything has samples to name neither; its folders do.
  input.run_id = samples.run_id.empty() ? run_folder.filename().string() : samples.run_id;
  input.lab_id = samples.lab_id.empty() ? whole.filename().string() : samples.lab_id;
  if (input.lab_id != whole.filename().string())
    fail(ErrorKind::data, "'{}': its samples are of lab {}", lab_folder.string(), input.lab_id);
  input.samples = std::move(samples.samples);
  input.cases = std::move(cases.cases);
  const Planned planned = hold_against_plan(lab_folder, input.cases);
  const bool finished = std::filesystem::exists(lab_folder / "samples.csv");
  input.partial = samples.partial || cases.partial || !finished || !planned.missing.empty();
  // An interrupted run lacks cases too, and says so by its unfinished file.
  if (finished && !planned.missing.empty())
    input.incomplete = fmt::format("cases.csv has {} of {} planned cases; missing: {}",
                                   planned.cases - int(planned.missing.size()), planned.cases,
                                   fmt::join(planned.missing, ", "));
  const std::filesystem::path claims = build_info().source_dir / "labs" / input.lab_id / "claims.csv";
  if (std::filesystem::exists(claims)) input.claims = read_claims(claims);
  input.predictions = predictions_of(run_folder, input.lab_id);
  if (!input.predictions.empty()) input.questions = questions_of(input.lab_id);
  input.ceilings = Ceilings::read(run_folder / "ceilings.csv");
  read_machine(run_folder / "env.json", input);
  return input;
}

namespace {

void write_predicted(const std::filesystem::path& lab_folder, const std::string& lab_id,
                     const std::vector<PredictionRow>& rows) {
  if (rows.empty()) return;
  std::vector<std::vector<std::string>> fields;
  for (const PredictionRow& row : rows) fields.push_back(prediction_fields(row, lab_id));
  write_file_atomically(lab_folder / "predictions.csv", table_text(predictions_header(), fields));
  write_file_atomically(lab_folder / "calibration.csv",
                        table_text(calibration_header(), {calibration_fields(calibrate(rows), lab_id)}));
}

}  // namespace

int judge_folder(const std::filesystem::path& lab_folder, const std::deque<Experiment>& experiments) {
  const JudgeInput input = read_judge_input(lab_folder);
  const Judgement judgement = judge(input, experiments);
  std::vector<std::vector<std::string>> verdicts;
  for (const VerdictRow& row : judgement.verdicts)
    verdicts.push_back(verdict_fields(row, input.run_id, input.lab_id));
  write_file_atomically(lab_folder / "summary.csv", table_text(judgement.summary_header, judgement.summary));
  write_file_atomically(lab_folder / "verdicts.csv", table_text(verdicts_header(), verdicts));
  write_predicted(lab_folder, input.lab_id, judgement.predictions);
  if (!judgement.ceilings.empty())
    judgement.ceilings.write(std::filesystem::canonical(lab_folder).parent_path() / "ceilings.csv");
  if (!input.incomplete.empty()) fmt::print(stderr, "{}: {}\n", input.lab_id, input.incomplete);
  if (judgement.wrong_result || judgement.implausible) return exit_codes::wrong;
  if (!input.incomplete.empty()) return exit_codes::data;
  return judgement.no_valid_samples ? exit_codes::no_samples : exit_codes::ok;
}

}  // namespace perflab

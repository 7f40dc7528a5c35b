#include "bench/describe.h"

#include <algorithm>

#include "base/check.h"
#include "base/file.h"
#include "base/nearest.h"
#include "bench/build_info.h"
#include "bench/claims.h"
#include "bench/questions.h"
#include "bench/record_csv.h"
#include "bench/sample.h"

namespace perflab {
namespace {

Json texts(const std::vector<std::string>& values) {
  Json::Array array;
  for (const std::string& value : values) array.emplace_back(value);
  return array;
}

Json values_of(const std::vector<AxisValue>& values) {
  Json::Array array;
  for (const AxisValue& value : values) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) array.emplace_back(double(*integer));
    else if (const auto* real = std::get_if<double>(&value)) array.emplace_back(*real);
    else array.emplace_back(std::get<std::string>(value));
  }
  return array;
}

Json axis_of(const Axis& axis) {
  Json json;
  json.set("name", axis.name);
  json.set("smoke", values_of(axis.values.smoke));
  json.set("quick", values_of(axis.values.quick));
  json.set("article", values_of(axis.values.article));
  json.set("reproduce", values_of(axis.values.reproduce));
  return json;
}

Json experiment_of(const Experiment& experiment) {
  Json json;
  json.set("name", experiment.name());
  json.set("question", experiment.question());
  json.set("hidden", experiment.is_hidden());
  json.set("defines_ceilings", experiment.ceilings());
  Json::Array axes;
  for (const Axis& axis : experiment.axes()) axes.push_back(axis_of(axis));
  json.set("axes", std::move(axes));
  json.set("variants", texts(experiment.variant_names()));
  json.set("baseline", experiment.baseline());
  json.set("metrics", texts(experiment.metric_names()));
  return json;
}

// The heading and the first paragraph under "Question" of the lab's README.
void add_title(Json& json, const std::filesystem::path& readme) {
  std::string title, question;
  std::error_code error;
  if (std::filesystem::exists(readme, error)) {
    const std::string text = read_file(readme);
    if (text.starts_with("# ")) title = text.substr(2, text.find('\n') - 2);
    const std::size_t heading = text.find("\n## Question\n");
    if (heading != std::string::npos) {
      const std::size_t begin = text.find_first_not_of('\n', heading + 13);
      const std::size_t end = text.find("\n\n", begin);
      if (begin != std::string::npos)
        question = text.substr(begin, end == std::string::npos ? end : end - begin);
      for (char& c : question)
        if (c == '\n') c = ' ';
    }
  }
  json.set("title", title);
  json.set("question", question);
}

Json claims_of(const std::filesystem::path& file) {
  Json::Array array;
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return array;
  for (const Claim& claim : read_claims(file)) {
    Json json;
    json.set("claim_id", claim.claim_id);
    json.set("part", claim.part);
    json.set("type", claim_type_name(claim.type));
    json.set("statement", claim.statement);
    json.set("quantity", claim.quantity);
    json.set("needs_hw", claim.needs_hw);
    array.push_back(std::move(json));
  }
  return array;
}

void check_place(const Question& question, const std::deque<Experiment>& experiments) {
  std::vector<std::string> names, axes;
  for (const Experiment& experiment : experiments) {
    names.push_back(experiment.name());
    if (experiment.name() == question.experiment)
      for (const Axis& axis : experiment.axes()) axes.push_back(axis.name);
  }
  if (std::find(names.begin(), names.end(), question.experiment) == names.end())
    fail(ErrorKind::data, "question '{}': {}", question.question_id,
         unknown_text("experiment", question.experiment, names));
  axes.push_back("variant");
  for (const auto& [axis, value] : parse_params(question.params))
    if (std::find(axes.begin(), axes.end(), axis) == axes.end())
      fail(ErrorKind::data, "question '{}': {}", question.question_id, unknown_text("axis", axis, axes));
}

Json question_json(const Question& question) {
  Json::Array choices;
  for (const Choice& choice : question.choices)
    choices.push_back(Json::Object{{"word", choice.word}, {"text", choice.text}});
  return Json::Object{{"question_id", question.question_id},
                      {"text", question.text},
                      {"hint", question.hint},
                      {"experiment", question.experiment},
                      {"params", question.params},
                      {"unit", question.unit},
                      {"choices", choices},
                      {"tour", question.tour}};
}

}  // namespace

std::filesystem::path lab_source_folder(const std::string& lab_id) {
  return build_info().source_dir / "labs" / lab_id;
}

Json describe(const std::deque<Experiment>& experiments, const std::string& lab_id) {
  const LabSchema schema = lab_schema(experiments, "", lab_id);
  Json json;
  json.set("schema_version", schema_version);
  json.set("lab_id", lab_id);
  add_title(json, lab_source_folder(lab_id) / "README.md");
  json.set("axes", texts(schema.axes));
  json.set("metrics", texts(schema.metrics));
  Json::Array list, faults;
  for (const Experiment& experiment : experiments) {
    list.push_back(experiment_of(experiment));
    for (const std::string& fault : experiment.fault_texts()) faults.emplace_back(fault);
  }
  json.set("experiments", std::move(list));
  json.set("faults", std::move(faults));
  json.set("claims", claims_of(lab_source_folder(lab_id) / "claims.csv"));
  Json::Array questions;
  for (const Question& question : questions_of(lab_id)) {
    check_place(question, experiments);
    questions.push_back(question_json(question));
  }
  json.set("questions", std::move(questions));
  return json;
}

}  // namespace perflab

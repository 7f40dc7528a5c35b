// predict: the questions of one lab asked, the answers sealed, and only then anything measured.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "base/check.h"
#include "base/nearest.h"
#include "driver/ask.h"
#include "driver/prediction_table.h"
#include "driver/session.h"
#include "driver/verbs.h"

namespace perflab {
namespace {

Lab one_lab(const Options& options, const std::vector<Lab>& all) {
  const std::vector<Lab> chosen = choose_labs(all, {options.lab});
  if (chosen.size() > 1)
    fail(ErrorKind::usage, "'{}' means {}; predict takes one lab", options.lab,
         fmt::join(ids_of(chosen), " and "));
  return chosen.front();
}

// What run would be told, to measure what the questions are about and nothing else.
Options run_options(const Options& options, const Lab& lab, const std::vector<Question>& questions) {
  Options run = options;
  run.labs = {lab.id};
  std::vector<std::string> experiments;
  for (const Question& question : questions)
    if (std::find(experiments.begin(), experiments.end(), question.experiment) == experiments.end())
      experiments.push_back(question.experiment);
  run.lab_flags = {"--experiment", fmt::format("{}", fmt::join(experiments, ","))};
  return run;
}

// Given as --set; nothing for a question that no --set names.
std::vector<std::optional<Prediction>> given_answers(const Options& options, const Lab& lab,
                                                     const std::vector<Question>& questions) {
  std::vector<std::optional<Prediction>> given(questions.size());
  std::vector<std::string> ids;
  for (const Question& question : questions) ids.push_back(question.question_id);
  for (const std::string& text : options.answers) {
    const std::size_t equals = text.find('=');
    const std::string id = text.substr(0, equals);
    const auto place = std::size_t(std::find(ids.begin(), ids.end(), id) - ids.begin());
    if (equals == std::string::npos)
      fail(ErrorKind::usage, "--set {}: want QUESTION=ANSWER, as {}=1.5..3", text, ids[0]);
    if (place == ids.size()) fail(ErrorKind::usage, "--set {}: {}", text, unknown_text("question", id, ids));
    if (given[place]) fail(ErrorKind::usage, "--set {}: '{}' is answered twice", text, id);
    try {
      given[place] = parse_prediction(questions[place], lab.id, text.substr(equals + 1));
    } catch (const Error& error) {
      fail(ErrorKind::usage, "--set {}: {}", id, error.what());
    }
  }
  return given;
}

struct Answers {
  std::optional<int> exit_code;  // the user left
  std::vector<Prediction> predictions;
};

Answers ask_all(const Lab& lab, const std::vector<Question>& questions,
                const std::vector<std::optional<Prediction>>& given, bool may_ask) {
  Answers answers;
  if (may_ask)
    fmt::print(
        "{}\n\nNothing is measured yet. Answer with a range that you are 80 % sure of, as 1.5..3, or with "
        "one number.\nEnter skips a question; Ctrl-D leaves, and nothing is kept.\n",
        lab.description.text_or("title", lab.id));
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (given[i] || !may_ask) {
      answers.predictions.push_back(given[i].value_or(skipped(questions[i], lab.id)));
      continue;
    }
    fmt::print("\n{} of {}, {}\n{}\n", i + 1, questions.size(), questions[i].question_id,
               question_text(questions[i]));
    const Asked asked = ask(questions[i], lab.id);
    if (asked.heard != Heard::line) {
      fmt::print("Nothing was measured, and nothing is kept.\n");
      answers.exit_code = asked.heard == Heard::stopped ? exit_codes::interrupted : exit_codes::ok;
      return answers;
    }
    answers.predictions.push_back(asked.prediction);
  }
  return answers;
}

void print_seal(const Run& run, const std::vector<Prediction>& predictions) {
  const auto said = std::count_if(predictions.begin(), predictions.end(),
                                  [](const Prediction& one) { return !one.is_skipped(); });
  if (said == 0) fmt::print("\nNo predictions. Measuring.\n");
  else
    fmt::print("\n{} prediction{} sealed in {}\n(SHA-256 {}...). Now measuring.\n", said,
               said == 1 ? "" : "s", (run.folder() / "predictions.json").string(),
               run.manifest().at("predictions_sha256").text().substr(0, 12));
  std::fflush(stdout);
}

void check_ways(const Options& options, const std::vector<Question>& questions, const Lab& lab) {
  if (questions.empty())
    fail(ErrorKind::usage, "lab {} asks nothing; measure it with: perflab run {}", lab.id,
         lab.id.substr(0, 2));
  if (!options.ask && !options.answers.empty())
    fail(ErrorKind::usage, "--set and --no-predict contradict each other; leave one out");
  if (options.ask && options.answers.empty() && !on_terminal())
    fail(ErrorKind::usage,
         "there is no terminal to ask on; answer with --set {}=1.5..3 (one per question), or measure without "
         "answers: --no-predict",
         questions.front().question_id);
}

}  // namespace

int predict_verb(const Options& options) {
  const std::vector<Lab> all = find_labs(labs_folder());
  const Lab lab = one_lab(options, all);
  const std::vector<Question> questions = questions_of(lab);
  check_ways(options, questions, lab);
  const auto given = given_answers(options, lab, questions);
  const Options run = run_options(options, lab, questions);
  checked_request(run, all);
  check_out(options.out);
  const Answers answers = ask_all(lab, questions, given, options.ask && on_terminal());
  if (answers.exit_code) return *answers.exit_code;

  std::string folder;
  std::optional<Session> session = begin_session(run, answers.predictions, [&](const Run& sealed) {
    folder = sealed.folder().string();
    print_seal(sealed, answers.predictions);
  });
  if (!session) {
    fmt::print(
        "interrupted before the first sample; your predictions are kept, and so is their seal; "
        "finish it with: perflab run --resume '{}'\n",
        folder);
    return exit_codes::interrupted;
  }
  const CampaignEnd end = measure_session(*session);
  if (options.plots && end.anything) draw_session(*session);
  if (const std::string table = prediction_table(session->run.folder() / lab.id); !table.empty())
    fmt::print("\n{}", table);
  print_places(session->run, end);
  return end.exit_code;
}

}  // namespace perflab

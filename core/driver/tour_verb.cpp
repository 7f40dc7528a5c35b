// tour: one question per lab: a guess, a measurement of less than a minute, and what came out. Every stop is
// a run of its own, so that each guess is sealed before its own first sample; results/latest names the last
// one.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "base/check.h"
#include "bench/claims.h"
#include "driver/ask.h"
#include "driver/child.h"
#include "driver/prediction_table.h"
#include "driver/session.h"
#include "driver/text_table.h"
#include "driver/verbs.h"

namespace perflab {
namespace {

constexpr std::size_t width = 76;
constexpr const char* erase_line_above = "\033[1A\033[K";  // the lab's progress has served its turn

struct Stop {
  Lab lab;
  Question question;
};

std::vector<Stop> stops_of(const std::vector<Lab>& labs) {
  std::vector<Stop> stops;
  for (const Lab& lab : labs)
    for (const Question& question : questions_of(lab))
      if (question.tour) stops.push_back({lab, question});
  return stops;
}

// The one case that the question is about, if its params name it.
Options run_options(const Options& options, const Stop& stop) {
  Options run = options;
  run.labs = {stop.lab.id};
  run.profile = "tour";
  run.ceilings = false;  // a guest is not kept waiting for what no question is about
  run.lab_flags = {"--experiment", stop.question.experiment};
  for (const auto& [axis, value] : parse_params(stop.question.params))
    if (axis != "variant") run.set.push_back(axis + "=" + value);
  return run;
}

void say(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

std::string rule(const std::string& left, const std::string& right) {
  const std::size_t used = left.size() + right.size() + 10;
  return fmt::format("\n--- {} {} {} ---\n\n", left,
                     std::string(used < width + 4 ? width + 4 - used : 1, '-'), right);
}

std::string choices_shown(const Question& question, const ShownPrediction& one) {
  std::vector<std::vector<std::string>> lines;
  for (const Choice& choice : question.choices) {
    const bool measured = choice.word == one.measured_choice, said = choice.word == one.choice;
    lines.push_back({measured ? "  #"
                     : said   ? "  o"
                              : "   ",
                     choice.word, choice.text,
                     measured && said ? "<- measured, and what you said"
                     : measured       ? "<- measured"
                     : said           ? "<- what you said"
                                      : ""});
  }
  return aligned(lines);
}

std::string reveal(const Stop& stop, const ShownPrediction& one) {
  if (one.measured.empty())
    return wrapped("This machine could not measure it (" + one.reason + ").", width, "  ");
  std::vector<std::vector<std::string>> lines;
  if (!one.said.empty()) lines.push_back({"  You said", one.said});
  lines.push_back({"  Measured", one.measured});
  if (one.measured.find('[') != std::string::npos) lines.back().back() += "   (in the brackets: 95 % sure)";
  std::string text = aligned(lines) + "\n";
  text += one.asked_for_choice ? choices_shown(stop.question, one)
                               : number_line(one.said_span, *one.measured_span);
  std::string outcome = one.outcome;
  if (!outcome.empty()) outcome.front() = char(outcome.front() - 'a' + 'A');
  text += "\n" + (outcome.empty() ? "" : "  " + outcome + ".\n") + wrapped(one.reveal, width, "  ");
  return text;
}

class Tour {
 public:
  Tour(const Options& options, std::vector<Stop> stops)
      : options_(options), stops_(std::move(stops)), asking_(options.ask && on_terminal()) {}

  int run() {
    begin();
    for (std::size_t i = 0; i < stops_.size() && going_; ++i) {
      visit(i);
      if (going_ && asking_ && i + 1 < stops_.size()) pause();
    }
    end();
    return stopped_ ? exit_codes::interrupted : exit_code_;
  }

 private:
  void begin() const {
    say("\nWhich advice on the speed of training holds on this machine, and why?\n\n");
    say(fmt::format("{} question{}, about a minute each: you guess, this machine measures, you see.\n",
                    stops_.size(), stops_.size() == 1 ? "" : "s"));
    if (asking_) say("Enter skips a guess. Ctrl-C leaves at any time; what was measured is kept.\n");
    else if (!options_.ask) say("Nothing is asked; each question is measured and shown.\n");
    else
      say("There is no terminal here: nothing is asked, nothing waits; each question is measured and "
          "shown.\n");
  }

  void leave(Heard heard) {
    going_ = false;
    stopped_ = stopped_ || heard == Heard::stopped;
  }

  void visit(std::size_t i) {
    const Stop& stop = stops_[i];
    say(rule(fmt::format("Question {} of {}", i + 1, stops_.size()), "lab " + stop.lab.id.substr(0, 2)));
    say(question_text(stop.question));
    std::vector<Prediction> predictions = {skipped(stop.question, stop.lab.id)};
    if (asking_) {
      say("\n" + wrapped("Your guess: " + answer_help(stop.question) + ".", width, "  "));
      const Asked asked = ask(stop.question, stop.lab.id);
      if (asked.heard != Heard::line) return leave(asked.heard);
      predictions = {asked.prediction};
    }
    measure(stop, predictions);
  }

  void measure(const Stop& stop, const std::vector<Prediction>& predictions) {
    std::optional<Session> session = begin_session(run_options(options_, stop), predictions, [&](const Run&) {
      say(fmt::format("\n  {}Measuring, for less than a minute. Leave the machine alone meanwhile.\n\n",
                      predictions.front().is_skipped() ? "" : "Your guess is sealed. "));
    });
    if (!session) return leave(Heard::stopped);
    session->request.announce = false;
    const CampaignEnd end = measure_session(*session);
    exit_code_ = join_exit_codes(exit_code_, end.exit_code);
    kept_.push_back(session->run.folder());
    if (end.interrupted) return leave(Heard::stopped);
    if (on_terminal() && end.exit_code == exit_codes::ok) say(erase_line_above);
    for (const ShownPrediction& one : shown_predictions(session->run.folder() / stop.lab.id))
      say("\n" + reveal(stop, one));
    if (options_.plots && end.anything) draw_session(*session);
    say(fmt::format("\n  {}\n", place_of(session->run)));
    if (stop_requested()) leave(Heard::stopped);
  }

  static std::string place_of(const Run& run) {
    std::error_code error;
    const std::filesystem::path report = run.folder() / "report.html";
    return std::filesystem::is_regular_file(report, error) ? "With its chart: " + report.string()
                                                           : "Its numbers: " + run.folder().string();
  }

  void pause() {
    say("\n  Enter: next question, q: stop > ");
    std::string line;
    const Heard heard = read_line(line);
    if (heard != Heard::line) say("\n");
    if (heard != Heard::line || line.starts_with("q") || line.starts_with("Q")) leave(heard);
  }

  void end() const {
    if (stopped_) say("\nStopped.");
    else say("\nThat was the tour.");
    if (kept_.empty()) say(" Nothing was measured, and nothing is kept.\n");
    else say(fmt::format(" What was measured is kept:\n  {}\n", fmt::join(texts_of(kept_), "\n  ")));
    say("\nNext:\n"
        "  ./perflab predict 04     all questions of one lab\n"
        "  ./perflab run            every lab and every claim, some minutes; writes report.html\n"
        "  ./perflab doctor         what this machine can and cannot tell\n");
  }

  static std::vector<std::string> texts_of(const std::vector<std::filesystem::path>& paths) {
    return {paths.begin(), paths.end()};
  }

  const Options& options_;
  const std::vector<Stop> stops_;
  const bool asking_;
  bool going_ = true, stopped_ = false;
  int exit_code_ = exit_codes::ok;
  std::vector<std::filesystem::path> kept_;
};

}  // namespace

int tour_verb(const Options& options) {
  const std::vector<Lab> all = find_labs(labs_folder());
  std::vector<Stop> stops = stops_of(all);
  if (stops.empty())
    fail(ErrorKind::environment, "no lab in '{}' has a question for the tour; measure with: perflab run",
         labs_folder().string());
  for (const Stop& stop : stops) checked_request(run_options(options, stop), all);
  check_out(options.out);
  return Tour(options, std::move(stops)).run();
}

}  // namespace perflab

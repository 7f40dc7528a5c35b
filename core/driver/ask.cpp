#include "driver/ask.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "base/check.h"
#include "driver/child.h"
#include "driver/text_table.h"

namespace perflab {
namespace {

constexpr std::size_t text_width = 76;

// Waits for input with the stop signals let in only while it waits, so that none comes between asking for it
// and falling asleep.
bool wait_for_input() {
  sigset_t stops, before;
  sigemptyset(&stops);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&stops, number);
  ::pthread_sigmask(SIG_BLOCK, &stops, &before);
  pollfd input{STDIN_FILENO, POLLIN, 0};
  int ready = 0;
  while (!stop_requested() && ready <= 0) {
    ready = ::ppoll(&input, 1, nullptr, &before);
    if (ready < 0 && errno != EINTR) break;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return !stop_requested();
}

void say(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

std::string prompt(const Question& question) {
  const std::string unit = question.choices.empty() ? unit_words(question.unit) : "";
  return unit.empty() ? "  > " : "  (" + unit + ") > ";
}

}  // namespace

bool on_terminal() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

Heard read_line(std::string& line) {
  line.clear();
  while (wait_for_input()) {
    char c = 0;
    const ssize_t got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Heard::end;
    if (c == '\n') return Heard::line;
    line += c;
  }
  return Heard::stopped;
}

std::vector<Question> questions_of(const Lab& lab) {
  std::vector<Question> questions;
  const Json* list = lab.description.find("questions");
  if (list == nullptr) return questions;  // described by an older build
  for (const Json& one : list->array()) {
    Question question;
    question.question_id = one.at("question_id").text();
    question.text = one.at("text").text();
    question.hint = one.at("hint").text();
    question.experiment = one.at("experiment").text();
    question.params = one.at("params").text();
    question.unit = one.at("unit").text();
    question.tour = one.at("tour").boolean();
    for (const Json& choice : one.at("choices").array())
      question.choices.push_back({choice.at("word").text(), choice.at("text").text(), 0, 0});
    questions.push_back(std::move(question));
  }
  return questions;
}

std::string question_text(const Question& question) {
  std::string text =
      wrapped(question.text, text_width, "  ") + "\n" + wrapped(question.hint, text_width - 2, "    ");
  if (question.choices.empty()) return text;
  std::vector<std::vector<std::string>> lines;
  for (const Choice& choice : question.choices) lines.push_back({"   ", choice.word, choice.text});
  return text + "\n" + aligned(lines);
}

std::string answer_help(const Question& question) {
  if (!question.choices.empty()) return "one of the words at the left";
  const std::string unit = unit_words(question.unit);
  return fmt::format("a range that you are 80 % sure of, as 1.5..3, or one number{}",
                     unit.empty() || unit == "times" ? "" : " (in " + unit + ")");
}

Asked ask(const Question& question, const std::string& lab_id) {
  while (true) {
    say(prompt(question));
    std::string line;
    const Heard heard = read_line(line);
    if (heard != Heard::line) {
      say("\n");
      return {heard, {}};
    }
    if (line.find_first_not_of(" \t\r") == std::string::npos) return {Heard::line, skipped(question, lab_id)};
    try {
      return {Heard::line, parse_prediction(question, lab_id, line)};
    } catch (const Error& error) {
      say(wrapped(error.what(), text_width, "  ") + "  Again, please: " + answer_help(question) +
          "; Enter alone skips it.\n");
    }
  }
}

}  // namespace perflab

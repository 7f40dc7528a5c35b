#pragma once
// Ask — a lab's questions on a terminal, one line each. A wrong entry is explained and asked again.
//
// Reading notices Ctrl-C at once: the signal handlers of child.h only set a flag. Main thread only.

#include <optional>
#include <string>
#include <vector>

#include "bench/predictions.h"
#include "bench/questions.h"
#include "driver/labs.h"

namespace perflab {

bool on_terminal();  // somebody can be asked: input and output are a terminal

enum class Heard { line, end, stopped };  // end: Ctrl-D, or nothing more to read; stopped: Ctrl-C
Heard read_line(std::string& line);

// What the lab says of its questions; the ranges of choices stay with the judge.
std::vector<Question> questions_of(const Lab& lab);

// The question, its hint and its choices, wrapped; and what may be typed.
std::string question_text(const Question& question);
std::string answer_help(const Question& question);

struct Asked {
  Heard heard = Heard::line;  // otherwise the user wants to leave, and there is no prediction
  Prediction prediction;
};
// Asks until the answer can be read; an empty line skips the question.
Asked ask(const Question& question, const std::string& lab_id);

}  // namespace perflab

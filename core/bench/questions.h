#pragma once
// Questions — what a reader is asked to predict before a lab is measured: labs/NN_name/questions.csv.
//
// A question names a quantity exactly as a claim does (claims.h) and is answered by a number, an interval, or
// one of several choices, each of which stands for a range of the quantity. Nothing in a question says what
// was measured anywhere, what an article says, or what an expert expects. Reading is strict, as of claims.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perflab {

struct Choice {
  std::string word, text;  // word: what is typed; text: what it means
  double lo, hi;           // lo <= quantity < hi; open ends are infinite. Choices of a question cover the
                           // line without gaps, in order
};

struct Question {
  std::string question_id;         // kebab-case, unique in the lab
  std::string text;                // asked as it stands
  std::string hint;                // how to think about it, without the answer
  std::string experiment, params;  // as in claims.csv
  std::string quantity;            // "a.finish / b.finish" or a metric's name
  std::string unit;                // ratio | ns | us | GBps | count ...
  std::vector<Choice> choices;     // empty: a number is asked for
  bool tour = false;               // asked in the tour; at most one per lab
  std::string reveal;              // one sentence shown beside the measured value, afterwards

  const Choice* choice(std::string_view word) const;  // nullptr: there is none of this word
  const Choice* choice_of(double quantity) const;     // nullptr where a number is asked for
};

// In the file choices read "word|what it means|upper end;...", from below; the last one's end is empty.
std::vector<Question> read_questions(const std::filesystem::path& path);  // Error(data) names line and column
std::vector<Question> parse_questions(std::string_view text, const std::string& source);
std::vector<Question> questions_of(const std::string& lab_id);  // of the source tree; none: no such file

std::string questions_sha256(const std::vector<std::string>& lab_ids);  // "" if none of the labs asks

std::string unit_words(std::string_view unit);  // "times" for ratio, "GB/s" for GBps, "" for count and share

}  // namespace perflab

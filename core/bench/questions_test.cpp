#include "bench/questions.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "base/check.h"
#include "bench/csv.h"

namespace perflab {
namespace {

const std::vector<std::string> header = {"question_id", "text", "hint",    "experiment", "params",
                                         "quantity",    "unit", "choices", "tour",       "reveal"};
using Fields = std::map<std::string, std::string>;

const Fields good = {{"question_id", "how-fast"},
                     {"text", "How fast,\nreally?"},
                     {"hint", "Think."},
                     {"experiment", "stream"},
                     {"params", "level=DRAM"},
                     {"quantity", "plain.finish / nt.finish"},
                     {"unit", "ratio"},
                     {"tour", "1"},
                     {"reveal", "So."}};

Fields with(const std::string& column, const std::string& value, Fields fields = good) {
  fields[column] = value;
  return fields;
}

std::string text_of(const std::vector<Fields>& rows) {
  std::string text = csv_line(header);
  for (const Fields& row : rows) {
    std::vector<std::string> fields;
    for (const std::string& name : header) fields.push_back(row.contains(name) ? row.at(name) : "");
    text += csv_line(fields);
  }
  return text;
}

std::string refused(const std::string& text) {
  try {
    parse_questions(text, "questions.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "not refused";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(Questions, AreReadWithEveryField) {
  const std::vector<Question> read = parse_questions(text_of({good}), "q");
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].question_id, "how-fast");
  EXPECT_EQ(read[0].text, "How fast,\nreally?");
  EXPECT_EQ(read[0].quantity, "plain.finish / nt.finish");
  EXPECT_EQ(read[0].reveal, "So.");
  EXPECT_TRUE(read[0].tour);
  EXPECT_TRUE(read[0].choices.empty());
  EXPECT_EQ(read[0].choice_of(3), nullptr);
}

TEST(Questions, ChoicesCoverTheLineWithoutGaps) {
  const std::vector<Question> read =
      parse_questions(text_of({with("choices", "less|less time|0.9; same|as long|1.1;more|longer|")}), "q");
  const std::vector<Choice>& choices = read[0].choices;
  ASSERT_EQ(choices.size(), 3u);
  EXPECT_EQ(choices.front().lo, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(choices.back().hi, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i + 1 < choices.size(); ++i) EXPECT_EQ(choices[i].hi, choices[i + 1].lo);
  EXPECT_EQ(read[0].choice("same")->text, "as long");
  EXPECT_EQ(read[0].choice("sam"), nullptr);
  EXPECT_EQ(read[0].choice_of(-5)->word, "less");
  EXPECT_EQ(read[0].choice_of(0.9)->word, "same");  // the lower end belongs to a choice
  EXPECT_EQ(read[0].choice_of(1e12)->word, "more");
}

TEST(Questions, AMistakeIsNamedByLineAndColumn) {
  const auto row_two = [](const Fields& fields) { return text_of({with("question_id", "a"), fields}); };
  const Fields other = with("tour", "");
  for (const auto& [column, value] :
       std::vector<std::pair<std::string, std::string>>{{"question_id", ""},
                                                        {"question_id", "How Fast"},
                                                        {"question_id", "a"},
                                                        {"text", ""},
                                                        {"hint", ""},
                                                        {"experiment", ""},
                                                        {"params", "level"},
                                                        {"quantity", ""},
                                                        {"quantity", "plain.total / nt.finish"},
                                                        {"unit", ""},
                                                        {"reveal", ""},
                                                        {"tour", "yes"},
                                                        {"tour", "1"},
                                                        {"choices", "one|alone|"},
                                                        {"choices", "a|x|2;b|y|1;c|z|"},
                                                        {"choices", "a|x|1;a|y|"},
                                                        {"choices", "a|x|;b|y|2"},
                                                        {"choices", "a|x|one;b|y|"},
                                                        {"choices", "a|x|1;b|y|2"},
                                                        {"choices", "a 1|x|1;b|y|"},
                                                        {"choices", "a||1;b|y|"}}) {
    const std::string text = refused(row_two(with(column, value, other)));
    EXPECT_TRUE(has(text, "line 4, column '" + column + "'"))
        << value << ": " << text;  // line 2 and 3: one row
  }
  EXPECT_EQ(refused(row_two(other)), "not refused");
}

TEST(Questions, ColumnsAreExactlyTheKnownOnesAndTheFileIsWhole) {
  std::string text = text_of({good});
  EXPECT_TRUE(has(refused(text.substr(0, text.size() - 1)), "line feed"));
  EXPECT_TRUE(has(refused("expected," + text.substr(0, text.find('\n') + 1)), "'expected': unknown"));
  text.replace(text.find("hint"), 4, "hent");
  EXPECT_TRUE(has(refused(text), "hint"));
}

}  // namespace perflab

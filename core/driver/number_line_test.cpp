#include "driver/number_line.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace perflab {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n') lines.emplace_back();
    else lines.back() += c;
  lines.pop_back();
  return lines;
}

}  // namespace

TEST(NumberLine, PutsBothOnOneLogarithmicScale) {
  EXPECT_EQ(number_line(Span{2, 8}, {42, 43}, 50),
            "  you               |==============|\n"
            "  measured                                           #\n"
            "             +------+---------+-------+------+---------+------+\n"
            "             1      2         5       10     20        50     100\n");
}

TEST(NumberLine, IsLinearFromZeroWhereAllIsClose) {
  const auto lines = lines_of(number_line(Span{1.5, 2}, {1, 1.01}, 50));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[3].substr(13, 4), "0   ");
  EXPECT_LT(lines[1].find('#'), lines[0].find('|'));
}

TEST(NumberLine, ShowsOnlyTheMeasurementWhereNothingWasSaid) {
  const auto lines = lines_of(number_line({}, {5, 500}, 40));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].starts_with("  measured"));
  EXPECT_NE(lines[0].find("|="), std::string::npos);
}

TEST(NumberLine, ZeroNegativeAndHugeNumbersStayOnThePage) {
  for (const auto& [said, seen] : {std::pair<Span, Span>{{0, 0}, {0, 0}},
                                   {{-3, 4}, {-1, -1}},
                                   {{-8, -4}, {-6, -5}},
                                   {{0, 3}, {1e12, 2e12}},
                                   {{1e-9, 1e9}, {1, 1}},
                                   {{1, 1.7e308}, {3, 4}},
                                   {{1e-320, 1}, {3, 4}},
                                   {{1, 1}, {1, 1}}})
    for (const std::string& line : lines_of(number_line(said, seen, 50))) {
      EXPECT_LE(line.size(), 13u + 50 + 6) << line;
      EXPECT_EQ(line.find("nan"), std::string::npos) << line;
    }
}

}  // namespace perflab

#include "driver/text_table.h"

#include <gtest/gtest.h>

namespace perflab {

TEST(TextTable, AlignsByCharactersNotBytes) {
  EXPECT_EQ(aligned({{"a", "b"}, {"\xC2\xB5s", "c"}, {"long", ""}}), "a     b\n\xC2\xB5s    c\nlong  \n");
  EXPECT_EQ(aligned({}), "");
}

TEST(TextTable, FiguresHaveThreeDigitsAndNoExponentBelowAMillion) {
  for (const auto& [number, shown] :
       std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                        {"0", "0"},
                                                        {"1.2345", "1.23"},
                                                        {"0.00012345", "0.000123"},
                                                        {"999.6", "1000"},
                                                        {"8601.1", "8600"},
                                                        {"-23487", "-23500"},
                                                        {"123456", "123000"},
                                                        {"1234567", "1.23e+06"}})
    EXPECT_EQ(three_digits(number), shown);
}

TEST(TextTable, LinesBreakBetweenWords) {
  EXPECT_EQ(wrapped("one two  three", 7, "  "), "  one two\n  three\n");
  EXPECT_EQ(wrapped("unbreakable", 3), "unbreakable\n");
  EXPECT_EQ(wrapped("", 10), "");
}

}  // namespace perflab

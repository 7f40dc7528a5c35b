#include "base/printable.h"

#include <gtest/gtest.h>

namespace perflab {

TEST(Printable, ControlCharactersBecomeQuestionMarks) {
  EXPECT_EQ(printable("a\x1b[2J\x7f\n"), "a?[2J??");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "?");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "?2J");  // CSI in one character
}

TEST(Printable, TextStaysAsItIs) {
  EXPECT_EQ(printable("a\tb \xC2\xB5s \xC3\xBC \xC2"), "a\tb \xC2\xB5s \xC3\xBC \xC2");
  EXPECT_EQ(printable("two\nlines\r", "\n"), "two\nlines?");
}

}  // namespace perflab

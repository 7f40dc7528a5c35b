#include "base/check.h"

#include <gtest/gtest.h>

namespace perflab {

TEST(Check, ThrowsTheFormattedTextAndTheKind) {
  try {
    PL_CHECK(1 + 1 == 3, "sum: got {}; want {}", 2, 3);
    FAIL() << "PL_CHECK did not throw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "sum: got 2; want 3");
    EXPECT_EQ(error.kind(), ErrorKind::check);
  }
}

TEST(Check, LetsATrueConditionPass) { EXPECT_NO_THROW(PL_CHECK(true, "never")); }

TEST(Check, EveryKindHasItsDocumentedExitCode) {
  EXPECT_EQ(exit_code(ErrorKind::check), 1);
  EXPECT_EQ(exit_code(ErrorKind::usage), 2);
  EXPECT_EQ(exit_code(ErrorKind::data), 4);
  EXPECT_EQ(exit_code(ErrorKind::io), 5);
  EXPECT_EQ(exit_code(ErrorKind::environment), 6);
  EXPECT_EQ(exit_code(ErrorKind::distributed), 7);
}

}  // namespace perflab

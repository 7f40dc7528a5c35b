#include "base/process.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace perflab {

TEST(Process, KeepsTheOutputAndTheExitCode) {
  const Captured good = capture({"/bin/sh", "-c", "echo one; echo two >&2; exit 0"});
  EXPECT_TRUE(good.ok);
  EXPECT_EQ(good.output, "one\n");
  const Captured bad = capture({"/bin/sh", "-c", "echo x; exit 3"});
  EXPECT_FALSE(bad.ok);
  EXPECT_EQ(bad.exit_code, 3);
  EXPECT_EQ(bad.output, "x\n");
}

TEST(Process, TakesMoreThanAPipeHolds) {
  const Captured big = capture({"/bin/sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x"});
  EXPECT_TRUE(big.ok);
  EXPECT_EQ(big.output.size(), 300000u);
}

TEST(Process, AMissingProgramIs127) {
  const Captured missing = capture({"/no/such/program"});
  EXPECT_FALSE(missing.ok);
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_THROW(capture({}), Error);
}

TEST(Process, OneThatHangsIsKilled) {
  const Captured hung = capture({"/bin/sh", "-c", "echo before; exec sleep 100"}, 300);
  EXPECT_FALSE(hung.ok);
  EXPECT_EQ(hung.exit_code, -1);
}

TEST(Process, ArgumentsAreNotReadByAShell) {
  EXPECT_EQ(capture({"printf", "%s", "$HOME; echo *"}).output, "$HOME; echo *");
}

}  // namespace perflab

#include "base/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "base/check.h"
#include "base/process_stat.h"

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

// Of a child that hangs, and of one that ends well and leaves somebody behind: nobody is left.
TEST(Process, WhatTheChildStartedEndsWithIt) {
  for (const char* end : {"wait", "exec >&-; exit 0"}) {
    const Captured captured =
        capture({"/bin/sh", "-c", std::string("sleep 1000 >/dev/null & echo $!; ") + end}, 300);
    EXPECT_EQ(captured.ok, std::string(end) != "wait");
    const pid_t left = pid_t(std::stol(captured.output));
    ASSERT_GT(left, 0);
    // Killed, though its death takes a moment and whoever inherited it may not have waited for it. One that
    // lives makes this test run into its limit.
    for (auto stat = read_process_stat(left); stat && stat->state != 'Z'; stat = read_process_stat(left))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(Process, ArgumentsAreNotReadByAShell) {
  EXPECT_EQ(capture({"printf", "%s", "$HOME; echo *"}).output, "$HOME; echo *");
}

}  // namespace perflab

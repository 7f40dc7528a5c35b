#include "driver/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace perflab {

// A lab that reads its input would otherwise eat what a user types for the question after it.
TEST(Child, HasAnEmptyInput) {
  std::array<int, 2> typed{};
  ASSERT_EQ(::pipe(typed.data()), 0);
  ASSERT_EQ(::write(typed[1], "typed\n", 6), 6);
  const int before = ::dup(STDIN_FILENO);
  ::dup2(typed[0], STDIN_FILENO);
  const ChildEnd end = run_child({"/bin/sh", "-c", "read line && exit 9; exit 3"});
  ::dup2(before, STDIN_FILENO);
  for (const int descriptor : {before, typed[0], typed[1]}) ::close(descriptor);
  EXPECT_EQ(end.exit_code, 3);
}

// It holds the pipe's other end: the pipe ends when it does.
TEST(Child, EndsWhenItsDriverIsKilledOutright) {
  std::array<int, 2> heard{};
  ASSERT_EQ(::pipe(heard.data()), 0);
  const pid_t driver = ::fork();
  if (driver == 0) {
    ::dup2(heard[1], STDOUT_FILENO);
    run_child({"/bin/sh", "-c", "echo; exec sleep 1000"});
    ::_exit(0);
  }
  ::close(heard[1]);
  char c = 0;
  ASSERT_EQ(::read(heard[0], &c, 1), 1);
  ::kill(driver, SIGKILL);
  ::waitpid(driver, nullptr, 0);
  EXPECT_EQ(::read(heard[0], &c, 1), 0);
  ::close(heard[0]);
}

TEST(Child, ItsEndIsToldByExitCodeOrSignal) {
  EXPECT_EQ(run_child({"/bin/sh", "-c", "exit 7"}).exit_code, 7);
  EXPECT_EQ(run_child({"/bin/sh", "-c", "kill -KILL $$"}).signal, SIGKILL);
  EXPECT_EQ(run_child({"/no/such/program"}).exit_code, 127);
}

}  // namespace perflab

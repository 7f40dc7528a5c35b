#include "base/standard_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "base/check.h"

namespace perflab {

// In a child, whose exit code is the number that the next file gets.
TEST(StandardStreams, ThatAreClosedAreNotGivenToTheNextFile) {
  for (const bool filled : {false, true}) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int descriptor = 1; descriptor < 64; ++descriptor) ::close(descriptor);
      if (filled) fill_standard_streams();
      ::_exit(::open("/dev/null", O_RDONLY));
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), filled ? 3 : 1);
  }
}

// The exit code of a child that prints more than a buffer holds, its stream being `file`.
int printed_to(const char* file, int stream, int code) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open(file, O_WRONLY), stream);
    keep_printing();
    for (int line = 0; line < 10'000; ++line) fmt::print(stream == 1 ? stdout : stderr, "a line\n");
    ::_exit(after_printing(code));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StandardStreams, OutputThatIsLostIsToldByTheExitCodeAndNeverThrows) {
  EXPECT_EQ(printed_to("/dev/null", STDOUT_FILENO, exit_codes::ok), exit_codes::ok);
  EXPECT_EQ(printed_to("/dev/full", STDOUT_FILENO, exit_codes::ok), exit_codes::io);
  EXPECT_EQ(printed_to("/dev/full", STDOUT_FILENO, exit_codes::interrupted), exit_codes::interrupted);
  EXPECT_EQ(printed_to("/dev/full", STDERR_FILENO, exit_codes::wrong), exit_codes::wrong);
}

}  // namespace perflab

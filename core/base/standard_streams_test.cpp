#include "base/standard_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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

}  // namespace perflab

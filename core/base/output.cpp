#include "base/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace perflab {
namespace {

bool goes_to_a_reader() {  // a pipe's other end may be closed, a file's cannot
  struct stat what {};
  return ::fstat(STDOUT_FILENO, &what) == 0 && (S_ISFIFO(what.st_mode) || S_ISSOCK(what.st_mode));
}

}  // namespace

int finish_output(int code) {
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fflush(stdout) == 0 && !failed_before) return code;
  if (goes_to_a_reader()) return code;
  const std::string why = errno == 0 ? "some of it is missing" : std::strerror(errno);
  std::fputs(("perflab: cannot write to stdout: " + why + "\n").c_str(), stderr);
  return code == exit_codes::ok ? int(exit_codes::io) : code;
}

}  // namespace perflab

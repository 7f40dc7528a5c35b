#include "base/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iostream>

#include "base/check.h"

namespace perflab {
namespace {

int lost = 0;  // errno of the first write to standard output that failed

// Claims success in any case: {fmt} would throw, in the middle of a measurement or inside a handler.
ssize_t write_all(void* cookie, const char* data, std::size_t size) {
  const int descriptor = int(reinterpret_cast<std::intptr_t>(cookie));
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::write(descriptor, data + done, size - done);
    if (count >= 0) {
      done += std::size_t(count);
    } else if (errno == EAGAIN) {
      pollfd waiting{descriptor, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      if (descriptor == STDOUT_FILENO && lost == 0) lost = errno;
      break;
    }
  }
  return ssize_t(size);
}

std::FILE* stream_of(int descriptor, int buffering) {
  std::FILE* stream = ::fopencookie(reinterpret_cast<void*>(std::intptr_t(descriptor)), "w",
                                    {nullptr, write_all, nullptr, nullptr});
  if (stream != nullptr) std::setvbuf(stream, nullptr, buffering, BUFSIZ);
  return stream;
}

}  // namespace

void fill_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      (void)::open("/dev/null", O_RDWR);  // the lowest free number: this one
}

void keep_printing() {
  if (std::FILE* out = stream_of(STDOUT_FILENO, ::isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF)) stdout = out;
  if (std::FILE* error = stream_of(STDERR_FILENO, _IONBF)) stderr = error;
}

int after_printing(int code) {
  std::fflush(stdout);
  errno = 0;
  if (!std::cout.flush() && lost == 0) lost = errno == 0 ? EIO : errno;
  if (lost == 0 || lost == EPIPE) return code;
  fmt::print(stderr, "perflab: standard output could not be written ({}): what was printed is not complete\n",
             std::strerror(lost));
  return code == exit_codes::interrupted ? code : exit_codes::io;
}

}  // namespace perflab

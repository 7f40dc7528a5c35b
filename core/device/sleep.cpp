#include "device/sleep.h"

#include <sys/prctl.h>
#include <time.h>

#include <cerrno>

namespace perflab {

void sleep_until(std::int64_t ns) {
  // The kernel may let a thread sleep 50 us longer to save wake-ups; not here.
  const int slack_ns = ::prctl(PR_GET_TIMERSLACK);
  if (slack_ns > 1) ::prctl(PR_SET_TIMERSLACK, 1UL);
  const timespec until{.tv_sec = time_t(ns / 1'000'000'000), .tv_nsec = long(ns % 1'000'000'000)};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
  if (slack_ns > 1) ::prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(slack_ns));
}

}  // namespace perflab

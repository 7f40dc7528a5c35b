#include "base/clock.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/check.h"

namespace perflab {
namespace {

static_assert(std::chrono::steady_clock::is_steady);

class SteadyClock : public Clock {
 public:
  std::int64_t now_ns() override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  std::int64_t cpu_ns() override { return read(CLOCK_PROCESS_CPUTIME_ID); }
  std::int64_t reference_ns() override { return read(CLOCK_MONOTONIC_RAW); }

 private:
  static std::int64_t read(clockid_t id) {
    timespec time{};
    clock_gettime(id, &time);
    return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  }
};

}  // namespace

Clock& steady_clock() {
  static SteadyClock clock;
  return clock;
}

std::int64_t FakeClock::now_ns() {
  const std::int64_t rounded = now_ns_ / resolution_ns_ * resolution_ns_;
  return distort_ ? distort_(rounded) : rounded;
}

void FakeClock::advance_ns(std::int64_t wall_ns, std::int64_t cpu_ns) {
  now_ns_ += wall_ns;
  cpu_ns_ += cpu_ns < 0 ? wall_ns : cpu_ns;
}

ClockQuality measure_quality(Clock& clock, int readings) {
  PL_CHECK(readings >= 2, "measure_quality: readings={}; want >= 2", readings);
  std::vector<std::int64_t> steps(std::size_t(readings) - 1);
  std::int64_t previous = clock.now_ns();
  for (std::int64_t& step : steps) {
    const std::int64_t now = clock.now_ns();
    step = now - previous;
    previous = now;
  }
  std::sort(steps.begin(), steps.end());
  const auto first_positive = std::upper_bound(steps.begin(), steps.end(), std::int64_t{0});
  return {.resolution_ns = first_positive == steps.end() ? 0 : *first_positive,
          .overhead_ns = std::max<std::int64_t>(0, steps[steps.size() / 2])};
}

std::string utc_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace perflab

#pragma once
// Clock — where every time in perflab comes from; replaceable by a fake one in tests.
//
// now_ns() is monotonic nanoseconds from an arbitrary origin, cpu_ns() the CPU time of all threads of this
// process. A backwards or frozen clock is the caller's to notice (the sampler marks such samples invalid);
// nothing here aborts. Thread-safe, except FakeClock::script.

#include <cstdint>
#include <functional>
#include <string>

namespace perflab {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now_ns() = 0;
  virtual std::int64_t cpu_ns() = 0;
  virtual std::int64_t reference_ns() = 0;  // an independent monotonic clock, to notice when now_ns() steps
};

Clock& steady_clock();  // std::chrono::steady_clock; never stepped by the system's administrator

// Moves only when told to. A script distorts its readings: clocks that step, stop or go back.
class FakeClock : public Clock {
 public:
  std::int64_t now_ns() override;
  std::int64_t cpu_ns() override { return cpu_ns_; }
  std::int64_t reference_ns() override { return now_ns_; }
  void advance_ns(std::int64_t wall_ns, std::int64_t cpu_ns = -1);  // cpu: as wall unless given
  void set_resolution_ns(std::int64_t ns) { resolution_ns_ = ns; }  // readings are rounded down to multiples
  void script(std::function<std::int64_t(std::int64_t true_now_ns)> distort) {
    distort_ = std::move(distort);
  }

 private:
  std::int64_t now_ns_ = 1'000'000'000;
  std::int64_t cpu_ns_ = 0;
  std::int64_t resolution_ns_ = 1;
  std::function<std::int64_t(std::int64_t)> distort_;
};

struct ClockQuality {
  std::int64_t resolution_ns;  // smallest positive step seen
  std::int64_t overhead_ns;    // median distance of two consecutive readings
};
// Reads the clock a few thousand times; a clock that does not move within the readings has the resolution 0.
ClockQuality measure_quality(Clock& clock, int readings = 2000);

std::string utc_text();  // wall time as 2026-11-29T20:12:22Z; for names and manifests, never for durations

}  // namespace perflab

#pragma once
// spin_until — waits for a condition without giving the processor away, for a moment and only while one is
// free.
//
// Waking a sleeping thread takes tens of microseconds, a spinning one notices within a fraction of one. But a
// thread that spins on the processor that the awaited work needs delays it: at most effective_cpus - 1
// threads of the process spin at a time, and none for longer than `spin_limit_ns`. Thread-safe.

#include <cstdint>

#include "base/clock.h"
#include "base/simd.h"

namespace perflab {

inline constexpr std::int64_t spin_limit_ns = 50'000;

class SpinPermit {
 public:
  SpinPermit();
  ~SpinPermit();
  SpinPermit(const SpinPermit&) = delete;
  SpinPermit& operator=(const SpinPermit&) = delete;
  explicit operator bool() const { return granted_; }

 private:
  bool granted_;
};

// False if the condition did not come true in time, or there was no permit.
template <typename Condition>
bool spin_until(const Condition& condition) {
  const SpinPermit permit;
  if (!permit) return condition();
  std::int64_t start_ns = 0;  // the clock is read only after the first round: most waits are shorter
  while (true) {
    for (int i = 0; i < 64; ++i) {
      if (condition()) return true;
      spin_pause();
    }
    const std::int64_t now_ns = steady_clock().now_ns();
    if (start_ns == 0) start_ns = now_ns;
    if (now_ns - start_ns > spin_limit_ns) return condition();
  }
}

}  // namespace perflab

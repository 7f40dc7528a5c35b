#pragma once
// SpinLock — mutual exclusion for a few instructions: no system call, no waiting list.
//
// Only for critical sections that never block and never call foreign code; a waiter gives its processor away
// after a while, because the holder may have lost its own. Satisfies Lockable, so std::lock_guard works.
// Thread-safe.

#include <atomic>
#include <thread>

#include "base/simd.h"

namespace perflab {

class SpinLock {
 public:
  void lock() {
    for (int tries = 0; !try_lock(); ++tries) {
      if (tries < 1000) spin_pause();
      else std::this_thread::yield();
    }
  }
  bool try_lock() {
    return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire);
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

}  // namespace perflab

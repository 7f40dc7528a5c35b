#pragma once
// Counter — sixteen numbers that are counted up, one step after the other: work whose length is chosen and
// whose result is known.
//
// One step takes a few nanoseconds, whatever came before, and no compiler merges two of them. Not
// thread-safe: one task after the other counts, and the host looks only when all have finished.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace perflab::waiting {

class Counter {
 public:
  void count_up(std::int64_t steps) {
    for (std::int64_t step = 0; step < steps; ++step) {
      for (std::uint32_t& value : values_) ++value;
      std::atomic_signal_fence(std::memory_order_seq_cst);  // each step goes through memory
    }
  }
  bool holds(std::uint32_t wanted) const {  // modulo 2^32
    return std::all_of(values_.begin(), values_.end(), [&](std::uint32_t value) { return value == wanted; });
  }

 private:
  alignas(64) std::array<std::uint32_t, 16> values_{};
};

}  // namespace perflab::waiting

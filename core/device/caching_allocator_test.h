#pragma once
// A caching allocator on a device whose streams finish work when a test says so.

#include "device/allocator.h"
#include "device/device_testing.h"

namespace perflab {

inline constexpr std::size_t MiB = std::size_t(1) << 20;

struct Caching {
  explicit Caching(std::size_t memory_bytes = 0) : device(memory_bytes) {}
  ManualDevice device;
  AllocatorHandle allocator = make_caching_allocator(device);

  Buffer take(std::size_t bytes, int stream = 0, Use use = Use::stream_ordered) {
    return Buffer(allocator->take(bytes, device.stream(stream), use));
  }
  AllocatorStats stats() const { return allocator->stats(); }
};

}  // namespace perflab

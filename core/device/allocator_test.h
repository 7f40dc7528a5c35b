#pragma once
// What the tests of the allocators share.

#include <string>

#include "base/check.h"
#include "device/allocator.h"
#include "device/device_testing.h"

namespace perflab {

inline Buffer take(Allocator& allocator, ManualDevice& device, std::size_t bytes, int stream = 0,
                   Use use = Use::stream_ordered) {
  return Buffer(allocator.take(bytes, device.stream(stream), use));
}

inline std::string failure_of(Allocator& allocator, ManualDevice& device, std::size_t bytes) {
  try {
    (void)take(allocator, device, bytes);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::environment ? error.what()
                                                  : std::string("another kind: ") + error.what();
  }
  return "";
}

}  // namespace perflab

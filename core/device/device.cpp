#include "device/device.h"

#include <exception>

#include "base/check.h"
#include "device/allocator.h"
#include "device/runtime.h"

namespace perflab {

Stream& Device::stream(int index) {
  fail(ErrorKind::check, "device {}: stream {} was asked for; this device has no queues", name(), index);
}

Allocator& Device::allocator() {
  fail(ErrorKind::check, "device {}: memory was asked for; this device has none of its own", name());
}

Team& Device::team() { fail(ErrorKind::check, "device {}: this device has no team of threads", name()); }

Buffer Device::allocate(std::size_t bytes, Stream& stream) {
  PL_CHECK(&stream.device() == this, "{}: memory for a stream of {} was asked for; want a stream of {}",
           name(), stream.device().name(), name());
  return Buffer(AllocatorGuard::current(*this).take(bytes, stream, Use::stream_ordered));
}

std::span<Device* const> Device::all() { return Runtime::current().devices(); }

Device& Device::named(std::string_view name) {
  std::string known;
  for (Device* device : all()) {
    if (device->name() == name) return *device;
    known += (known.empty() ? "" : ", ") + device->name();
  }
  fail(ErrorKind::usage, "device '{}' does not exist here; this machine has {}", name, known);
}

Completion drain(std::span<Device* const> devices) {
  PL_CHECK(!devices.empty(), "drain: no device named; want the devices whose completion stops the clock");
  std::exception_ptr
      first;  // all are waited for, also behind an error: their work may use what the caller unwinds
  for (Device* device : devices) try {
      device->synchronize();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  if (first) std::rethrow_exception(first);
  return Completion(devices);
}

}  // namespace perflab

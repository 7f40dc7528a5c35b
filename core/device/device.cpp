#include "device/device.h"

#include "base/check.h"

namespace perflab {
namespace {

class HostDevice : public Device {
 public:
  HostDevice() : Device("cpu:0") {}
  void synchronize() override {}  // a plain call is complete when it returns
};

}  // namespace

std::span<Device* const> Device::all() {
  static HostDevice host;
  static Device* const devices[] = {&host};
  return devices;
}

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
  for (Device* device : devices) device->synchronize();
  return Completion(devices);
}

}  // namespace perflab

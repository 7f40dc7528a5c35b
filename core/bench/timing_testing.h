#pragma once
// What tests of timing share: a probe that reports no disturbance, and a device whose work takes its time
// when it is drained.

#include "base/clock.h"
#include "bench/probe.h"
#include "device/device.h"

namespace perflab {

class SilentProbe : public Probe {
 public:
  ProbeReading read() override { return {}; }
};

// The fake clock moves in synchronize(), by what was enqueued before.
class DrainedDevice : public Device {
 public:
  explicit DrainedDevice(FakeClock& clock) : Device("drained:0"), clock_(clock) {}
  void synchronize() override {
    ++drains;
    clock_.advance_ns(queued_ns_);
    queued_ns_ = 0;
  }
  void enqueue_ns(std::int64_t ns) { queued_ns_ += ns; }

  int drains = 0;

 private:
  FakeClock& clock_;
  std::int64_t queued_ns_ = 0;
};

}  // namespace perflab

#pragma once
// SimDevice — a timed virtual accelerator: work takes as long as a model says, and uses no processor
// meanwhile.
//
// It stands for an accelerator beside a host whose processors are busy with something else: what overlaps
// with what can be shown on two cores. It is a CpuDevice in all other respects: memory, streams, events,
// errors. Its durations are put in, not measured: info().modelled is always true, and whatever uses it must
// say so. Thread-safe.

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/clock.h"
#include "base/cost.h"
#include "device/cpu_device.h"
#include "device/sleep.h"

namespace perflab {

struct SimModel {
  double launch_s = 5e-6;           // >= 0, before every piece of work
  double throughput_GFLOPS = 1000;  // > 0
  double bandwidth_GBps = 100;      // > 0
  double memory_GB = 0;             // 0: no limit of its own

  double seconds(const Cost& cost) const;  // launch + max(flops / throughput, bytes / bandwidth)
};

// When the pieces of one stream end: pure arithmetic on nanoseconds. A piece begins when it was enqueued or
// when the one before it was to end, whichever is later; how late threads wake up does not enter, so lateness
// does not add up.
class SimSchedule {
 public:
  // `not_before_ns`: what else the piece had to wait for, as far as it is known when it is its turn.
  std::int64_t reserve(std::int64_t enqueued_ns, std::int64_t not_before_ns, std::int64_t duration_ns);

 private:
  std::int64_t end_ns_ = 0;
};

class SimDevice : public CpuDevice {
 public:
  // Named "sim:INDEX". Error(check) for a model out of range. `sleep` waits until a time of `clock`.
  explicit SimDevice(int index, SimModel model = {}, Clock& clock = steady_clock(),
                     SleepUntil sleep = sleep_until);
  ~SimDevice() override;

  const SimModel& model() const { return model_; }
  // Enqueues work that occupies the stream for so long. Error(check) for a negative time or a foreign stream.
  void occupy(Stream& stream, double duration_s);
  void occupy(Stream& stream, const Cost& cost) { occupy(stream, model_.seconds(cost)); }

 private:
  struct Lane {                     // of one stream
    SimSchedule schedule;           // used by the stream's work only
    std::uint64_t last_ticket = 0;  // of the last occupy
  };
  SimModel model_;
  Clock& clock_;
  SleepUntil sleep_;
  std::mutex mutex_;
  std::array<Lane, max_streams> lanes_;
};

}  // namespace perflab

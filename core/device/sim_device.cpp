#include "device/sim_device.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace perflab {
namespace {

DeviceInfo sim_info(int index, const SimModel& model) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  PL_CHECK(index >= 0, "sim device: index is {}; want 0 or more", index);
  PL_CHECK(std::isfinite(model.launch_s) && model.launch_s >= 0, "sim:{}: launch is {} s; want 0 or more",
           index, model.launch_s);
  PL_CHECK(positive(model.throughput_GFLOPS) && positive(model.bandwidth_GBps),
           "sim:{}: throughput is {} GFLOPS and bandwidth {} GB/s; want both above 0", index,
           model.throughput_GFLOPS, model.bandwidth_GBps);
  PL_CHECK(model.memory_GB >= 0 && model.memory_GB <= 1e6, "sim:{}: memory is {} GB; want 0 to 1e6", index,
           model.memory_GB);
  return {.name = fmt::format("sim:{}", index),
          .kind = Kind::sim,
          .index = index,
          .cores = 1,
          .pinned_cpus = {},
          .memory_bytes = std::size_t(model.memory_GB * 1e9),
          .modelled = true};
}

}  // namespace

double SimModel::seconds(const Cost& cost) const {
  return launch_s + std::max(cost.flops / throughput_GFLOPS, cost.bytes() / bandwidth_GBps) * 1e-9;
}

std::int64_t SimSchedule::reserve(std::int64_t enqueued_ns, std::int64_t not_before_ns,
                                  std::int64_t duration_ns) {
  return end_ns_ = std::max({enqueued_ns, end_ns_, not_before_ns}) + duration_ns;
}

SimDevice::SimDevice(int index, SimModel model, Clock& clock, SleepUntil sleep)
    : CpuDevice(sim_info(index, model)), model_(model), clock_(clock), sleep_(std::move(sleep)) {}

SimDevice::~SimDevice() {
  try {
    synchronize();  // queued work uses the schedules of this object, which goes before its base
  } catch (...) {   // an error that nobody asked for
  }
}

void SimDevice::occupy(Stream& stream, double duration_s) {
  PL_CHECK(&stream.device() == this, "occupy: the stream is of {}; want one of {}", stream.device().name(),
           name());
  PL_CHECK(std::isfinite(duration_s) && duration_s >= 0 && duration_s <= 3600,
           "{}: occupy for {} s; want 0 to 3600 s", name(), duration_s);
  Lane& lane = lanes_[std::size_t(stream.index())];
  const std::lock_guard lock(mutex_);
  // If nothing came between, the piece waits for the one before it alone, whose end is known exactly. Else,
  // for an event perhaps, it begins when its turn is.
  const std::uint64_t ticket = stream.progress()->issued();
  const bool follows = ticket == lane.last_ticket;
  lane.last_ticket = ticket + 1;
  stream.enqueue([this, &lane, follows, enqueued_ns = clock_.now_ns(),
                  duration_ns = std::int64_t(std::llround(duration_s * 1e9))](StreamContext&) {
    sleep_(lane.schedule.reserve(enqueued_ns, follows ? 0 : clock_.now_ns(), duration_ns));
  });
}

}  // namespace perflab

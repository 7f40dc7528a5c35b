#include "device/link.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"

namespace perflab {

LinkSchedule::LinkSchedule(LinkModel model) : model_(model) {
  PL_CHECK(std::isfinite(model.latency_s) && model.latency_s >= 0 && model.latency_s <= 10,
           "link: latency is {} s; want 0 to 10 s", model.latency_s);
  PL_CHECK(std::isfinite(model.bandwidth_GBps) && model.bandwidth_GBps >= 1e-6 && model.bandwidth_GBps <= 1e6,
           "link: bandwidth is {} GB/s; want 1e-6 to 1e6 GB/s", model.bandwidth_GBps);
}

std::int64_t LinkSchedule::reserve(std::int64_t now_ns, std::size_t bytes) {
  const std::int64_t begin_ns = std::max(now_ns, free_at_ns_);
  free_at_ns_ =
      begin_ns + std::llround(double(bytes) / model_.bandwidth_GBps);  // 1 GB/s is a byte per nanosecond
  return free_at_ns_ + std::llround(model_.latency_s * 1e9);
}

void Link::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::int64_t arrived_ns = 0;
  if (schedule_) {
    const std::lock_guard lock(mutex_);
    arrived_ns = schedule_->reserve(clock_->now_ns(), bytes);
  }
  if (bytes > 0) std::memcpy(to, from, bytes);
  if (schedule_) sleep_(arrived_ns);
}

}  // namespace perflab

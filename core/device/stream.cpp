#include "device/stream.h"

#include "base/check.h"
#include "base/clock.h"

namespace perflab {

Event Stream::record() const {
  std::shared_ptr<const EventSource> source = progress();
  const std::uint64_t ticket = source->issued();
  return {std::move(source), ticket};
}

Event Stream::record_timed() {
  auto time_ns = std::make_shared<std::atomic<std::int64_t>>(0);
  enqueue([time_ns](StreamContext&) { time_ns->store(steady_clock().now_ns(), std::memory_order_relaxed); });
  Event event = record();
  event.time_ns_ = std::move(time_ns);
  return event;
}

void Stream::wait(const Event& event) {
  if (!event.source() || event.source() == progress().get())
    return;  // earlier work of this stream: in order anyway
  Task task = [event](StreamContext&) { event.wait(); };
  task.keep_order();
  enqueue(std::move(task));
}

double seconds_between(const Event& earlier, const Event& later) {
  PL_CHECK(earlier.time_ns_ && later.time_ns_,
           "seconds_between: an event without a time; want two from Stream::record_timed()");
  earlier.wait();
  later.wait();
  return 1e-9 * double(later.time_ns_->load(std::memory_order_relaxed) -
                       earlier.time_ns_->load(std::memory_order_relaxed));
}

}  // namespace perflab

#pragma once
// Event — a point in a stream's order of work.
//
// Recorded by Stream::record(); other streams wait for it without blocking the host, the host waits with
// wait(). A handle is cheap to copy and may outlive its stream and device. Thread-safe. If the stream had
// failed when it came to the event, wait() rethrows that failure: errors travel along dependencies.

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace perflab {

// Counts a stream's work: tickets 1, 2, 3 ... in the order of enqueueing. Shared by the stream and its
// events.
class EventSource {
 public:
  virtual ~EventSource() = default;
  virtual std::uint64_t issued() const = 0;              // the last ticket given out
  virtual bool reached(std::uint64_t ticket) const = 0;  // all work up to it is finished or was skipped
  virtual void wait(
      std::uint64_t ticket) const = 0;  // blocks until reached; rethrows the failure that covers it
};

class Event {
 public:
  Event() = default;  // always ready
  Event(std::shared_ptr<const EventSource> source, std::uint64_t ticket)
      : source_(std::move(source)), ticket_(ticket) {}

  bool ready() const { return !source_ || source_->reached(ticket_); }
  void wait() const {
    if (source_) source_->wait(ticket_);
  }
  const EventSource* source() const { return source_.get(); }

  // The device's clock between two timed events (Stream::record_timed), after waiting for both. Error(check)
  // for one that is not timed.
  friend double seconds_between(const Event& earlier, const Event& later);

 private:
  friend class Stream;
  std::shared_ptr<const EventSource> source_;
  std::uint64_t ticket_ = 0;
  std::shared_ptr<std::atomic<std::int64_t>> time_ns_;  // empty: not timed
};

}  // namespace perflab

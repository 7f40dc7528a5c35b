#pragma once
// Stream — an in-order queue of work on a device.
//
// Work runs later, one piece after the other, in the order of enqueueing. Enqueueing never waits for the
// work. If a piece throws, the stream is poisoned: the pieces behind it are skipped (waits for events are
// not) until synchronize() rethrows that first error and clears it. Streams of a device run side by side;
// events order them. All members are thread-safe; the order of pieces enqueued by different host threads is
// the order in which they came. Stream 0 of a device computes, 1 copies, 2 is for communication.

#include <cstdint>
#include <memory>
#include <utility>

#include "device/event.h"
#include "device/task.h"

namespace perflab {

inline constexpr int compute_stream = 0, copy_stream = 1, communication_stream = 2;
inline constexpr int max_streams = 16;  // per device

class Stream {
 public:
  Stream(Device& device, int index) : device_(device), index_(index) {}
  virtual ~Stream() = default;  // finishes what was enqueued
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Device& device() const { return device_; }
  int index() const { return index_; }

  // most_pending > 0 bounds how far the caller runs ahead: at that many pending pieces it first waits until
  // only half of them are left, so that it is woken once per many pieces.
  virtual void enqueue(Task&& work, std::int64_t most_pending = 0) = 0;
  // For Turn only: the right to run work in the calling thread, or null.
  virtual StreamContext* begin_here() = 0;
  virtual void end_here() noexcept = 0;
  virtual std::shared_ptr<const EventSource> progress() const = 0;

  Event record() const;           // marks everything enqueued so far; enqueues nothing
  Event record_timed();           // the same, and the device notes the time when it gets there
  void wait(const Event& event);  // later work starts after the event; never blocks the caller

  virtual void synchronize() = 0;  // blocks until all is finished; rethrows the first error, then clears it
  virtual std::int64_t pending() const = 0;  // pieces enqueued and not finished
  // Blocks until fewer than `most` pieces are pending: the caller's own limit on how far it runs ahead.
  virtual void wait_for_room(std::int64_t most) = 0;
  virtual std::int64_t queue_bytes() const = 0;  // memory of the queue itself, now
  virtual std::int64_t
  take_longest_queue() = 0;  // most pieces seen pending (looked at every 16), since the last call

 private:
  Device& device_;
  int index_;
};

// A stream's turn, taken by the calling thread: while it lives, work may be run right here in place of the
// stream's thread. Granted only if nothing is queued or running and the stream is not poisoned. It saves a
// synchronous program two thread switches per operation.
class Turn {
 public:
  explicit Turn(Stream& stream) : stream_(stream), context_(stream.begin_here()) {}
  ~Turn() {
    if (context_) stream_.end_here();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  explicit operator bool() const { return context_ != nullptr; }
  StreamContext& context() const { return *context_; }

 private:
  Stream& stream_;
  StreamContext* context_;
};

}  // namespace perflab

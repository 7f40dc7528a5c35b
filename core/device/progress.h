#pragma once
// Progress — how far a stream of a CPU device has come, who waits for it, and which of its work failed.
//
// Shared by the stream and its events, so that events outlive the stream. Tickets issued by the producers,
// completed by whoever runs the work. Waiting spins for a moment and then sleeps. Thread-safe.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "device/event.h"

namespace perflab {

class Progress : public EventSource {
 public:
  alignas(64) std::atomic<std::uint64_t> issued_ticket{0};  // written by producers

  std::uint64_t issued() const override { return issued_ticket.load(std::memory_order_acquire); }
  std::uint64_t completed() const { return completed_.load(std::memory_order_acquire); }
  bool reached(std::uint64_t ticket) const override { return completed() >= ticket; }
  void wait(std::uint64_t ticket) const override;  // rethrows
  // Does not rethrow. Error(check) in work of this very stream, which would wait for itself for ever.
  void wait_quietly(std::uint64_t ticket) const;

  // The stream whose work the calling thread runs, or null; whoever runs it says so.
  static const Progress*& running_here();

  void complete(std::uint64_t ticket);  // by the one that runs the work, in order
  // The stream is poisoned from this ticket on.
  void fail(std::uint64_t ticket, std::exception_ptr error);
  bool poisoned() const { return poisoned_.load(std::memory_order_acquire); }
  bool skips(std::uint64_t ticket);  // true, and remembered, if the stream is poisoned

  struct Failure {
    std::uint64_t first, last;  // tickets that failed or were skipped for it
    std::uint64_t order;        // over all streams: which error came first
    std::exception_ptr error;
  };
  Failure take_failure();  // ends the poisoning; .error is null if there is none

 private:
  alignas(64) std::atomic<std::uint64_t> completed_{0};  // written by the consumer
  std::atomic<bool> poisoned_{false};
  mutable std::atomic<std::uint64_t> wanted_{UINT64_MAX};  // smallest ticket that a sleeper waits for
  mutable std::mutex mutex_;
  mutable std::condition_variable reached_;
  static constexpr std::size_t most_remembered = 1000;  // failures, for events older than the last clearing
  std::atomic<bool> ever_failed_{false};
  std::vector<Failure> failures_;  // the last one is the active one while poisoned
};

}  // namespace perflab

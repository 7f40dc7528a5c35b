#pragma once
// Policy — when an operation is finished: sync, when the call returns; async, when the device says so.
//
// Under sync (the default) the operation runs in the calling thread if the device's compute stream is idle,
// which costs no thread switch; if not, it joins the queue and the call waits. Under async it is enqueued and
// the call returns. RunAhead bounds how many operations a thread may have queued: at the bound, enqueueing
// waits. Guards belong to the thread that made them, nest, and restore on exceptions.

#include <cstdint>
#include <utility>

#include "device/device.h"

namespace perflab {

enum class Policy : std::uint8_t { sync, async };

struct RunAhead {
  std::int64_t most_pending = 4096;  // 0: no bound; the queue then grows with the lead of the host
};

// What the calling thread asked of engines so far; labs take differences.
struct EngineCounts {
  std::int64_t dispatches = 0;  // operations given to execute()
  std::int64_t enqueues = 0;    // of these, put into a queue
  std::int64_t waits = 0;  // for a queue: for each result under sync that was enqueued, for each to_host()
};

namespace engine_detail {
struct ThreadState {
  Policy policy = Policy::sync;
  RunAhead run_ahead{};
  EngineCounts counts{};
};
inline thread_local constinit ThreadState state{};
}  // namespace engine_detail

inline Policy current_policy() { return engine_detail::state.policy; }
EngineCounts take_counts();  // of this thread, and starts over
void count_wait();           // for whoever waits for a queue outside execute()

class PolicyGuard {
 public:
  explicit PolicyGuard(Policy policy, RunAhead run_ahead = {});
  ~PolicyGuard();
  PolicyGuard(const PolicyGuard&) = delete;
  PolicyGuard& operator=(const PolicyGuard&) = delete;

 private:
  Policy outer_policy_;
  RunAhead outer_run_ahead_;
};

void enqueue_bounded(Stream& stream, Task&& work, RunAhead run_ahead);
// Rethrows what the work threw, or what poisoned the stream before it came to the work, and clears that.
void enqueue_and_wait(Stream& stream, Task&& work);

// Runs work(StreamContext&) on the stream as the current policy says.
template <typename Work>
void execute(Stream& stream, Work&& work) {
  engine_detail::ThreadState& state = engine_detail::state;
  ++state.counts.dispatches;
  if (state.policy == Policy::async)
    return enqueue_bounded(stream, Task(std::forward<Work>(work)), state.run_ahead);
  if (Turn turn(stream); turn) return work(turn.context());
  enqueue_and_wait(stream, Task(std::forward<Work>(work)));
}

}  // namespace perflab

#pragma once
// CpuStream — a stream of a CPU device: a queue, and a thread that starts at the first enqueue.
//
// Whoever holds the turn runs work: the thread, or a caller through Turn while the queue is empty. The thread
// spins for a moment when it runs out of work (spin.h), then sleeps until the next enqueue. Destruction runs
// what is queued.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "device/device.h"
#include "device/progress.h"
#include "device/stream.h"
#include "device/task_queue.h"

namespace perflab {

class CpuStream : public Stream {
 public:
  CpuStream(Device& device, int index);
  ~CpuStream() override;

  void enqueue(Task&& work, std::int64_t most_pending = 0) override;
  StreamContext* begin_here() override;
  void end_here() noexcept override;
  std::shared_ptr<const EventSource> progress() const override { return progress_; }
  void synchronize() override;
  std::int64_t pending() const override;
  void wait_for_room(std::int64_t most) override;
  std::int64_t queue_bytes() const override { return queue_.bytes(); }
  std::int64_t take_longest_queue() override { return longest_queue_.exchange(0, std::memory_order_relaxed); }

  Progress& tickets() { return *progress_; }
  Progress::Failure clear_failure();  // .error is null if there is none

 private:
  void make_room(std::int64_t most);
  void start();          // once, at the first enqueue
  void work();           // the thread
  bool wait_for_work();  // false: stop, and nothing is left
  bool may_run() const;  // there is work, and nobody has the turn
  void run_all();        // with the turn held
  void run_front(std::uint64_t ticket);
  void give_turn() noexcept;
  void wake();

  const std::shared_ptr<Progress> progress_;
  TaskQueue queue_;
  StreamContext context_;
  // Producers' last look at the completed tickets: reading the real count on every enqueue would move its
  // cache line to and fro between the processors.
  std::atomic<std::uint64_t> seen_completed_{0};
  alignas(64) std::atomic<bool> turn_taken_{false};
  std::atomic<std::int64_t> longest_queue_{0};  // written with the turn held, as is the next
  const Progress* outer_running_ = nullptr;     // what the thread that took the turn was running before
  alignas(64) std::atomic<bool> asleep_{
      false};  // producers look at it: not beside what the thread keeps writing
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::once_flag started_;
  std::thread thread_;
};

}  // namespace perflab

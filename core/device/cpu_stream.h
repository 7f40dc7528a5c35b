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

  void enqueue(Task work) override;
  StreamContext* begin_here() override;
  void end_here() noexcept override;
  std::shared_ptr<const EventSource> progress() const override { return progress_; }
  void synchronize() override;
  std::int64_t pending() const override;
  void wait_for_room(std::int64_t most) override;
  std::int64_t queue_bytes() const override { return queue_.bytes(); }

  Progress& tickets() { return *progress_; }
  Progress::Failure clear_failure();  // .error is null if there is none

 private:
  void start();          // once, at the first enqueue
  void work();           // the thread
  bool wait_for_work();  // false: stop, and nothing is left
  bool may_run() const;  // there is work, and nobody has the turn
  void run_all();        // with the turn held
  void run_front(std::uint64_t ticket);
  void wake();

  const std::shared_ptr<Progress> progress_;
  TaskQueue queue_;
  StreamContext context_;
  alignas(64) std::atomic<bool> turn_taken_{false};
  std::atomic<bool> asleep_{false}, stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::once_flag started_;
  std::thread thread_;
};

}  // namespace perflab

#pragma once
// TaskQueue — first in, first out, without an upper bound: chunks of tasks in a list, used chunks kept for
// reuse.
//
// Many producers, serialised by the lock inside; one consumer at a time, which the stream sees to. A task is
// visible to the consumer when push() has returned its ticket and the stream has published that.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "base/spin_lock.h"
#include "device/task.h"

namespace perflab {

class TaskQueue {
 public:
  TaskQueue() : head_(std::make_unique<Chunk>()), tail_(head_.get()) {}
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // Appends and publishes: before the next producer gets in, `issued` becomes the task's ticket, counted
  // from 1.
  void push(Task&& task, std::atomic<std::uint64_t>& issued);
  // For the consumer: the oldest task, if a ticket beyond the last is out; and that it has been run and
  // reset.
  Task& front() { return head_->tasks[std::size_t(head_used_)]; }
  void pop();
  std::int64_t bytes() const { return chunks_.load(std::memory_order_relaxed) * std::int64_t(sizeof(Chunk)); }

 private:
  static constexpr int chunk_tasks = 64;
  static constexpr int most_spare_chunks = 16;
  struct Chunk {
    std::unique_ptr<Chunk> next;
    std::array<Task, chunk_tasks> tasks;
  };
  bool append(Task&& task, std::atomic<std::uint64_t>& issued, std::unique_ptr<Chunk>& fresh);

  alignas(64) std::unique_ptr<Chunk> head_;  // the consumer's cache line
  int head_used_ = 0;                        // of head_, run and done
  alignas(64) SpinLock lock_;
  Chunk* tail_;        // owned through head_
  int tail_used_ = 0;  // of tail_, filled
  std::unique_ptr<Chunk> spare_;
  int spare_count_ = 0;
  std::atomic<std::int64_t> chunks_{1};
};

}  // namespace perflab

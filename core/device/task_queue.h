#pragma once
// TaskQueue — first in, first out, without an upper bound: chunks of tasks in a list, used chunks kept for
// reuse.
//
// Many producers, serialised by the lock inside; one consumer at a time, which the stream sees to. A task is
// visible to the consumer when push() has returned its ticket and the stream has published that.

#include <array>
#include <atomic>
#include <cstdint>

#include "base/spin_lock.h"
#include "device/task.h"

namespace perflab {

class TaskQueue {
 public:
  TaskQueue() : head_(new Chunk), tail_(head_) {}
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // Appends and publishes: `issued` becomes the task's ticket, counted from 1, before the next producer gets
  // in.
  void push(Task&& task, std::atomic<std::uint64_t>& issued);
  Task& front() {
    return head_->tasks[std::size_t(head_used_)];
  }            // consumer; only if a ticket beyond the last is out
  void pop();  // consumer: front() has been run and reset
  std::int64_t bytes() const { return chunks_.load(std::memory_order_relaxed) * std::int64_t(sizeof(Chunk)); }

 private:
  static constexpr int chunk_tasks = 64;
  static constexpr int most_spare_chunks = 16;
  struct Chunk {
    Chunk* next = nullptr;
    std::array<Task, chunk_tasks> tasks;
  };
  Chunk* take_chunk();  // with the lock held

  alignas(64) Chunk* head_;  // the consumer's cache line
  int head_used_ = 0;        // of head_, run and done
  alignas(64) SpinLock lock_;
  Chunk* tail_;
  int tail_used_ = 0;  // of tail_, filled
  Chunk* spare_ = nullptr;
  int spare_count_ = 0;
  std::atomic<std::int64_t> chunks_{1};
};

}  // namespace perflab

#include "device/task_queue.h"

#include <mutex>
#include <utility>

namespace perflab {

TaskQueue::~TaskQueue() {
  for (std::unique_ptr<Chunk>* list : {&head_, &spare_})
    while (*list) *list = std::move((*list)->next);  // one by one: a chain that deletes itself would recurse
}

// False, and nothing done, if a new chunk is needed: heap calls are made outside of the lock.
bool TaskQueue::append(Task&& task, std::atomic<std::uint64_t>& issued, std::unique_ptr<Chunk>& fresh) {
  const std::lock_guard guard(lock_);
  if (tail_used_ == chunk_tasks) {
    if (spare_) {
      tail_->next = std::exchange(spare_, std::move(spare_->next));
      --spare_count_;
    } else if (fresh) {
      tail_->next = std::move(fresh);
      chunks_.fetch_add(1, std::memory_order_relaxed);
    } else {
      return false;
    }
    tail_ = tail_->next.get();
    tail_used_ = 0;
  }
  tail_->tasks[std::size_t(tail_used_++)] = std::move(task);
  // Sequentially consistent: the producer then asks whether the consumer sleeps, the consumer the other way
  // round.
  issued.store(issued.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
  // Slots were last written by the consumer. The store above waits until this task's cache lines are here, so
  // the lines of a task to come are asked for now.
  constexpr int ahead = 3;
  if (tail_used_ + ahead < chunk_tasks) {
    const auto* slot = reinterpret_cast<const std::byte*>(&tail_->tasks[std::size_t(tail_used_ + ahead)]);
    for (std::size_t at = 0; at < sizeof(Task); at += 64) __builtin_prefetch(slot + at, 1);
  }
  return true;
}

void TaskQueue::push(Task&& task, std::atomic<std::uint64_t>& issued) {
  std::unique_ptr<Chunk> fresh;
  while (!append(std::move(task), issued, fresh)) fresh = std::make_unique<Chunk>();
}

void TaskQueue::pop() {
  if (++head_used_ < chunk_tasks) return;
  std::unique_ptr<Chunk> done;  // freed after the lock
  const std::lock_guard guard(lock_);
  head_used_ = 0;
  if (!head_->next) {  // the only chunk: it is also the producers', who fill it from the start again
    tail_used_ = 0;
    return;
  }
  done = std::exchange(head_, std::move(head_->next));
  if (spare_count_ == most_spare_chunks) {
    chunks_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  done->next = std::exchange(spare_, nullptr);
  spare_ = std::move(done);
  ++spare_count_;
}

}  // namespace perflab

#include "device/task_queue.h"

#include <memory>
#include <mutex>
#include <utility>

namespace perflab {

TaskQueue::~TaskQueue() {
  for (Chunk* list : {head_, spare_})
    while (list) {
      const std::unique_ptr<Chunk> chunk(list);
      list = chunk->next;
    }
}

TaskQueue::Chunk* TaskQueue::take_chunk() {
  if (Chunk* chunk = spare_) {
    spare_ = chunk->next;
    --spare_count_;
    chunk->next = nullptr;
    return chunk;
  }
  chunks_.fetch_add(1, std::memory_order_relaxed);
  return new Chunk;
}

void TaskQueue::push(Task&& task, std::atomic<std::uint64_t>& issued) {
  const std::lock_guard guard(lock_);
  if (tail_used_ == chunk_tasks) {
    tail_->next = take_chunk();
    tail_ = tail_->next;
    tail_used_ = 0;
  }
  tail_->tasks[std::size_t(tail_used_++)] = std::move(task);
  // Sequentially consistent: the producer then asks whether the consumer sleeps, the consumer the other way
  // round.
  issued.store(issued.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

void TaskQueue::pop() {
  if (++head_used_ < chunk_tasks) return;
  std::unique_ptr<Chunk> surplus;  // freed after the lock
  const std::lock_guard guard(lock_);
  head_used_ = 0;
  if (!head_->next) {  // the only chunk: it is also the producers', who fill it from the start again
    tail_used_ = 0;
    return;
  }
  Chunk* done = std::exchange(head_, head_->next);
  if (spare_count_ == most_spare_chunks) {
    surplus.reset(done);
    chunks_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  done->next = std::exchange(spare_, done);
  ++spare_count_;
}

}  // namespace perflab

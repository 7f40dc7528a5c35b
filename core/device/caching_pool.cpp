#include "device/caching_pool.h"

#include <algorithm>

namespace perflab {

CachedBlock* StreamPool::pop_large(std::size_t bytes, bool pending_too) {
  const std::size_t most = bytes + std::max(bytes / 4, huge_page_bytes);
  CachedBlock* best = nullptr;
  for (CachedBlock* block = large.newest; block; block = block->next) {
    if (block->bytes < bytes || block->bytes > most || (best && block->bytes >= best->bytes)) continue;
    if (pending_too || finished(*block)) best = block;
  }
  return best ? large.remove(best) : nullptr;
}

StreamPool& PoolList::make(Stream& stream, SpinLock& lock) {
  {
    const std::lock_guard guard(lock);
    if (StreamPool* known = find(stream)) return *known;
  }
  auto pool = std::make_unique<StreamPool>(stream, stream.progress());
  std::vector<std::unique_ptr<StreamPool>> more;
  more.reserve(pools_.size() + 1);
  const std::lock_guard guard(lock);
  for (auto& known : pools_) more.push_back(std::move(known));
  more.push_back(std::move(pool));
  pools_.swap(more);
  return *(last_ = pools_.back().get());
}

CachedBlock* PoolList::pop_finished(int size_class, StreamPool& into) {
  for (const auto& pool : pools_) {
    if (pool.get() == &into) continue;
    if (CachedBlock* block = pool->pop(size_class, false)) {
      block->pool = &into;
      return block;
    }
  }
  return nullptr;
}

CachedBlock* PoolList::pop_finished_large(std::size_t bytes, StreamPool& into) {
  for (const auto& pool : pools_) {
    if (pool.get() == &into) continue;
    if (CachedBlock* block = pool->pop_large(bytes, false)) {
      block->pool = &into;
      return block;
    }
  }
  return nullptr;
}

std::vector<WorkPoint> PoolList::last_points() const {
  std::vector<WorkPoint> points;
  for (const auto& pool : pools_) points.push_back({pool->progress, pool->progress->issued()});
  return points;
}

}  // namespace perflab

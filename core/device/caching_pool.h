#pragma once
// caching_pool — what the caching allocator keeps: per stream, lists of blocks that were given back, newest
// first.
//
// A block that comes back carries the stream's last ticket of that moment. The same stream may have it again
// at once, because whoever uses it is enqueued behind; anybody else only when that ticket is reached. All of
// it is guarded by the allocator's locks.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/spin_lock.h"
#include "device/allocator_parts.h"
#include "device/size_class.h"
#include "device/stream.h"

namespace perflab {

struct Region {  // one piece of memory from the system
  explicit Region(Mapping memory) : mapping(std::move(memory)) {}
  Mapping mapping;
  std::size_t used = 0;  // carved from the front
  std::int64_t blocks = 0, idle_blocks = 0;
};
using Regions = std::vector<std::unique_ptr<Region>>;

struct CachedBlock : Block {
  static constexpr int large = -1;
  CachedBlock* next = nullptr;      // older; in the store of records, any other
  CachedBlock* previous = nullptr;  // newer
  std::uint64_t ticket = 0;         // of the last giving back; 0: fresh
  int size_class = large;
  Region* region = nullptr;
};

// Blocks in the order in which they came back. The newest is warm in the caches; the oldest is the first to
// be finished, so that whoever needs a finished one looks at that and at no other.
struct BlockList {
  CachedBlock* newest = nullptr;
  CachedBlock* oldest = nullptr;

  void push(CachedBlock* block) {
    block->next = newest;
    block->previous = nullptr;
    (newest ? newest->previous : oldest) = block;
    newest = block;
  }
  CachedBlock* remove(CachedBlock* block) {
    (block->previous ? block->previous->next : newest) = block->next;
    (block->next ? block->next->previous : oldest) = block->previous;
    return block;
  }
};

struct StreamPool {
  static constexpr int classes = size_class_of(std::size_t(1) << 20) + 1;

  StreamPool(const Stream& of, std::shared_ptr<const EventSource> source)
      : stream(&of), progress(std::move(source)) {}
  const Stream* stream;
  std::shared_ptr<const EventSource> progress;
  std::array<BlockList, classes> bins;
  BlockList large;

  BlockList& list_of(int size_class) {
    return size_class == CachedBlock::large ? large : bins[std::size_t(size_class)];
  }
  void push(CachedBlock* block) { list_of(block->size_class).push(block); }
  // For this stream's next work the newest of its class, for anybody else one that is finished.
  CachedBlock* pop(int size_class, bool pending_too) {
    BlockList& list = bins[std::size_t(size_class)];
    CachedBlock* block = pending_too ? list.newest : list.oldest;
    return block && (pending_too || finished(*block)) ? list.remove(block) : nullptr;
  }
  // The smallest that fits and wastes at most a quarter of what was asked, or a huge page if that is more:
  // large blocks are whole huge pages, so below 8 MiB a quarter would refuse the block of a neighbouring
  // size.
  CachedBlock* pop_large(std::size_t bytes, bool pending_too);
  bool finished(const CachedBlock& block) const {
    return block.ticket == 0 || progress->reached(block.ticket);
  }
};

// The pools of all streams that ever took. There are at most a few, and mostly the same one is asked again.
class PoolList {
 public:
  StreamPool* find(const Stream& stream) {
    if (last_ && last_->stream == &stream) return last_;
    for (const auto& pool : pools_)
      if (pool->stream == &stream) return last_ = pool.get();
    return nullptr;
  }
  StreamPool& make(Stream& stream, SpinLock& lock);  // finds or adds; the heap is asked without the lock
  CachedBlock* pop_finished(int size_class, StreamPool& into);
  CachedBlock* pop_finished_large(std::size_t bytes, StreamPool& into);
  std::vector<WorkPoint> last_points() const;

  template <typename Action>
  void for_each_idle(const Action& action) {
    for (const auto& pool : pools_)
      for_each_list(*pool, [&](BlockList& list) {
        for (CachedBlock* block = list.newest; block; block = block->next)
          if (pool->finished(*block)) action(*block);
      });
  }
  template <typename Condition>
  void remove_if(const Condition& condition, RecordStore<CachedBlock>& records) {
    for (const auto& pool : pools_)
      for_each_list(*pool, [&](BlockList& list) {
        for (CachedBlock *block = list.newest, *next = nullptr; block; block = next) {
          next = block->next;
          if (condition(*block)) records.push(list.remove(block));
        }
      });
  }

 private:
  template <typename Action>
  static void for_each_list(StreamPool& pool, const Action& action) {
    for (BlockList& list : pool.bins) action(list);
    action(pool.large);
  }

  std::vector<std::unique_ptr<StreamPool>> pools_;
  StreamPool* last_ = nullptr;
};

}  // namespace perflab

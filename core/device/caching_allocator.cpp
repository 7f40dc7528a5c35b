#include "device/caching_pool.h"

#include <algorithm>

#include "device/device.h"
#include "device/topology.h"

namespace perflab {
namespace {

constexpr std::size_t largest_small = std::size_t(1) << 20;  // larger blocks are regions of their own
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t largest_shared_region = std::size_t(32) << 20;

// A request for a large block: what to reserve, so that the next, slightly different one fits too. Where the
// device's limit refuses that, the request itself is enough.
std::size_t generous(std::size_t bytes) {
  return round_up(size_of_class(size_class_of(bytes)), huge_page_bytes);
}

// Kept for reuse at most, where the device has no limit of its own: a program that asks for ever larger
// blocks must not fill the machine with the smaller ones.
std::int64_t most_kept() {
  static const std::int64_t quarter = this_machine().memory_bytes / 4;
  return quarter;
}

class CachingAllocator final : public AccountedAllocator {
 public:
  explicit CachingAllocator(Device& device) : AccountedAllocator(device) {}
  ~CachingAllocator() override { release_after(pools_.last_points(), std::move(regions_)); }

  std::string_view name() const override { return "caching"; }
  Block* take(std::size_t bytes, Stream& stream, Use use) override;
  void give(Block* block) noexcept override;
  void trim() override {
    const std::lock_guard growing(growing_);
    trim_held();
  }

 private:
  Block* take_slowly(std::size_t bytes, Stream& stream, Use use);
  Block* take_large(std::size_t bytes, Stream& stream, Use use);
  CachedBlock* carve(StreamPool& pool, int size_class);
  Region* add_region(std::size_t asked_bytes, std::size_t wanted, std::size_t enough);
  Region* try_region(std::size_t bytes);
  void prepare_record();
  void trim_held();

  // With lock_ held.
  Block* hand_out(CachedBlock* block, std::size_t bytes) {
    block->asked_bytes = bytes;
    count_take(bytes);
    return block;
  }
  CachedBlock* new_record(StreamPool& pool, Region& region, std::byte* data, std::size_t bytes,
                          int size_class);

  std::mutex growing_;  // taken before lock_: whoever adds or removes pools, regions or records
  PoolList pools_;
  std::shared_ptr<Regions> regions_ = std::make_shared<Regions>();
  Region* open_ = nullptr;  // the one that small blocks are carved from
  std::size_t next_region_bytes_ = huge_page_bytes;
  RecordStore<CachedBlock> records_;
};

Block* CachingAllocator::take(std::size_t bytes, Stream& stream, Use use) {
  if (bytes > largest_small) return take_large(bytes, stream, use);
  {
    const std::lock_guard lock(lock_);
    if (StreamPool* pool = pools_.find(stream))
      if (CachedBlock* block = pool->pop(size_class_of(bytes), use == Use::stream_ordered))
        return hand_out(block, bytes);
  }
  return take_slowly(bytes, stream, use);
}

void CachingAllocator::give(Block* given) noexcept {
  auto* block = static_cast<CachedBlock*>(given);
  auto* pool = static_cast<StreamPool*>(block->pool);
  block->ticket = pool->progress->issued();
  bool last = false;
  {
    const std::lock_guard lock(lock_);
    pool->push(block);
    last = count_give(block->asked_bytes);
  }
  if (last) delete this;
}

Block* CachingAllocator::take_slowly(std::size_t bytes, Stream& stream, Use use) {
  const int size_class = size_class_of(bytes);
  const std::lock_guard growing(growing_);
  StreamPool& pool = pools_.make(stream, lock_);
  while (true) {
    prepare_record();
    {
      const std::lock_guard lock(lock_);
      CachedBlock* block = pool.pop(size_class, use == Use::stream_ordered);
      if (!block) block = pools_.pop_finished(size_class, pool);
      if (!block) block = carve(pool, size_class);
      if (block) return hand_out(block, bytes);
    }
    open_ = add_region(bytes, next_region_bytes_, round_up(size_of_class(size_class), page_bytes));
    next_region_bytes_ = std::min(2 * next_region_bytes_, largest_shared_region);
  }
}

Block* CachingAllocator::take_large(std::size_t bytes, Stream& stream, Use use) {
  if (bytes > largest_request) fail_out_of_memory(bytes);
  const std::lock_guard growing(growing_);
  StreamPool& pool = pools_.make(stream, lock_);
  {
    const std::lock_guard lock(lock_);
    CachedBlock* block = pool.pop_large(bytes, use == Use::stream_ordered);
    if (!block) block = pools_.pop_finished_large(bytes, pool);
    if (block) return hand_out(block, bytes);
  }
  prepare_record();
  Region* region = add_region(bytes, generous(bytes), bytes);
  const std::lock_guard lock(lock_);
  region->used = region->mapping.bytes();
  CachedBlock* block =
      new_record(pool, *region, region->mapping.data(), region->mapping.bytes(), CachedBlock::large);
  return hand_out(block, bytes);
}

CachedBlock* CachingAllocator::new_record(StreamPool& pool, Region& region, std::byte* data,
                                          std::size_t bytes, int size_class) {
  CachedBlock* block = records_.pop();
  block->data = data;
  block->bytes = bytes;
  block->owner = this;
  block->device = &device_;
  block->pool = &pool;
  block->ticket = 0;
  block->size_class = size_class;
  block->region = &region;
  ++region.blocks;
  return block;
}

CachedBlock* CachingAllocator::carve(StreamPool& pool, int size_class) {
  const std::size_t bytes = size_of_class(size_class);
  if (!open_ || open_->mapping.bytes() - open_->used < bytes) return nullptr;
  std::byte* data = open_->mapping.data() + open_->used;
  open_->used += bytes;
  return new_record(pool, *open_, data, bytes, size_class);
}

void CachingAllocator::prepare_record() {
  if (records_.empty()) records_.grow(lock_);
}

Region* CachingAllocator::try_region(std::size_t bytes) {
  {
    const std::lock_guard lock(lock_);
    if (!fits(bytes)) return nullptr;
  }
  Mapping mapping = Mapping::make(bytes);
  if (!mapping) return nullptr;
  auto region = std::make_unique<Region>(std::move(mapping));
  Region* added = region.get();
  regions_->push_back(std::move(region));
  const std::lock_guard lock(lock_);
  stats_.reserved_bytes += std::int64_t(bytes);
  ++stats_.system_calls;
  return added;
}

Region* CachingAllocator::add_region(std::size_t asked_bytes, std::size_t wanted, std::size_t enough) {
  const AllocatorStats now = stats();
  if (device_.info().memory_bytes == 0 && now.reserved_bytes - now.live_bytes > most_kept()) trim_held();
  for (int attempt = 0; attempt < 2; ++attempt) {
    for (const std::size_t bytes : {wanted, enough})
      if (Region* region = try_region(bytes)) return region;
    if (attempt == 0) trim_held();
  }
  fail_out_of_memory(asked_bytes, enough);
}

// A region goes back when everything that was carved from it is here and idle.
void CachingAllocator::trim_held() {
  Regions gone;
  gone.reserve(regions_->size());
  next_region_bytes_ = huge_page_bytes;
  {
    const std::lock_guard lock(lock_);
    for (const auto& region : *regions_) region->idle_blocks = 0;
    pools_.for_each_idle([](CachedBlock& block) { ++block.region->idle_blocks; });
    pools_.remove_if(
        [](const CachedBlock& block) { return block.region->idle_blocks == block.region->blocks; }, records_);
    for (auto& region : *regions_) {
      if (region->idle_blocks != region->blocks) continue;
      if (region.get() == open_) open_ = nullptr;
      stats_.reserved_bytes -= std::int64_t(region->mapping.bytes());
      gone.push_back(std::move(region));
    }
    std::erase(*regions_, nullptr);
  }
}

}  // namespace

AllocatorHandle make_caching_allocator(Device& device) {
  return AllocatorHandle(std::make_unique<CachingAllocator>(device).release());
}

}  // namespace perflab

// One posix_memalign per block. Freed as soon as the stream's work that was enqueued by then is done; until
// then the block waits in a queue, which every take, give and trim looks through from the front.

#include <stdlib.h>

#include <memory>
#include <vector>

#include "device/allocator_parts.h"
#include "device/device.h"
#include "device/stream.h"

namespace perflab {
namespace {

struct SystemBlock : Block {
  SystemBlock* next = nullptr;
  std::uint64_t ticket = 0;
};

struct FreeData {
  void operator()(std::byte* data) const { ::free(data); }
};
using Data = std::unique_ptr<std::byte, FreeData>;

// Of one stream: blocks given back while work was pending, in the order of their tickets.
struct Waiting {
  const Stream* stream;
  std::shared_ptr<const EventSource> progress;
  SystemBlock* first = nullptr;
  SystemBlock* last = nullptr;
  std::unique_ptr<Waiting> next = nullptr;  // another stream's

  void append(SystemBlock* block) {
    block->next = nullptr;
    (last ? last->next : first) = block;
    last = block;
  }
  SystemBlock* pop_finished() {
    if (!first || (first->ticket != 0 && !progress->reached(first->ticket))) return nullptr;
    SystemBlock* block = std::exchange(first, first->next);
    if (!first) last = nullptr;
    return block;
  }
};

class SystemAllocator final : public AccountedAllocator {
 public:
  explicit SystemAllocator(Device& device) : AccountedAllocator(device) {}
  ~SystemAllocator() override;

  std::string_view name() const override { return "system"; }
  Block* take(std::size_t bytes, Stream& stream, Use use) override;
  void give(Block* block) noexcept override;
  void trim() override { free_finished(); }

 private:
  bool reserve(std::size_t bytes);
  void unreserve(std::size_t bytes);
  void free_finished() noexcept;

  PerStream<Waiting> queues_;
  RecordStore<SystemBlock> records_;
};

SystemAllocator::~SystemAllocator() {
  auto left = std::make_shared<std::vector<Data>>();
  std::vector<WorkPoint> points;
  for (const Waiting* queue = queues_.first(); queue; queue = queue->next.get()) {
    for (SystemBlock* block = queue->first; block; block = block->next) left->emplace_back(block->data);
    points.push_back({queue->progress, queue->progress->issued()});
  }
  release_after(std::move(points), std::move(left));
}

bool SystemAllocator::reserve(std::size_t bytes) {
  const std::lock_guard lock(lock_);
  if (!fits(bytes)) return false;
  stats_.reserved_bytes += std::int64_t(bytes);
  return true;
}

void SystemAllocator::unreserve(std::size_t bytes) {
  const std::lock_guard lock(lock_);
  stats_.reserved_bytes -= std::int64_t(bytes);
}

Block* SystemAllocator::take(std::size_t bytes, Stream& stream, Use) {
  if (bytes > largest_request) fail_out_of_memory(bytes);
  free_finished();
  Waiting& queue = queues_.of(stream, lock_, [&] {
    return std::make_unique<Waiting>(Waiting{.stream = &stream, .progress = stream.progress()});
  });
  if (!reserve(bytes)) fail_out_of_memory(bytes);
  void* data = nullptr;
  if (::posix_memalign(&data, block_alignment, bytes == 0 ? 1 : bytes) != 0) {
    unreserve(bytes);
    fail_out_of_memory(bytes);
  }
  SystemBlock* block = records_.take(lock_);
  block->data = static_cast<std::byte*>(data);
  block->bytes = block->asked_bytes = bytes;
  block->owner = this;
  block->device = &device_;
  block->pool = &queue;
  const std::lock_guard lock(lock_);
  ++stats_.system_calls;
  count_take(bytes);
  return block;
}

void SystemAllocator::give(Block* given) noexcept {
  auto* block = static_cast<SystemBlock*>(given);
  auto* queue = static_cast<Waiting*>(block->pool);
  const std::size_t asked_bytes = block->asked_bytes;
  {
    const std::lock_guard lock(lock_);
    block->ticket = queue->progress->issued();  // under the lock: the queue is in the order of tickets
    queue->append(block);
  }
  free_finished();
  bool last = false;  // counted at the very end: another thread may then delete the allocator
  {
    const std::lock_guard lock(lock_);
    last = count_give(asked_bytes);
  }
  if (last) delete this;
}

void SystemAllocator::free_finished() noexcept {
  while (true) {
    Data data;
    const std::lock_guard lock(lock_);
    for (Waiting* queue = queues_.first(); queue; queue = queue->next.get())
      if (SystemBlock* block = queue->pop_finished()) {
        data.reset(block->data);
        stats_.reserved_bytes -= std::int64_t(block->bytes);
        records_.push(block);
        break;
      }
    if (!data) return;
  }  // the lock goes first, then the data
}

}  // namespace

AllocatorHandle make_system_allocator(Device& device) {
  return AllocatorHandle(std::make_unique<SystemAllocator>(device).release());
}

}  // namespace perflab

#include "device/allocator.h"

#include "device/device.h"

namespace perflab {
namespace {

constinit thread_local AllocatorGuard* innermost = nullptr;

}  // namespace

void Buffer::give_back(Block* block) noexcept {
  block->handles.store(0, std::memory_order_relaxed);
  block->owner->give(block);
}

AllocatorGuard::AllocatorGuard(Device& device, Allocator& allocator)
    : device_(device), allocator_(allocator), outer_(innermost) {
  innermost = this;
}

AllocatorGuard::~AllocatorGuard() { innermost = outer_; }

Allocator& AllocatorGuard::current(Device& device) {
  for (const AllocatorGuard* guard = innermost; guard; guard = guard->outer_)
    if (&guard->device_ == &device) return guard->allocator_;
  return device.allocator();
}

}  // namespace perflab

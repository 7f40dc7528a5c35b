#pragma once
// Buffer — a handle on a piece of device memory; copies share it, the last one gives it back.
//
// Giving back is ordered by the stream that the memory was taken for: work already enqueued there still finds
// it unchanged, because whoever gets it next is enqueued behind that work. Using it on another stream needs
// an event, and the Buffer must live until that work is finished. A handle may outlive the device, and then
// only be destroyed. Handles are as thread-safe as shared_ptr: the count is, one handle used by two threads
// is not.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace perflab {

class Allocator;
class Device;

// One allocation; owned by its allocator, counted by Buffers.
struct Block {
  std::byte* data = nullptr;  // 64-byte aligned
  std::size_t bytes = 0;      // usable, at least what was asked for
  std::size_t asked_bytes = 0;
  std::atomic<std::int32_t> handles{0};
  Allocator* owner = nullptr;
  Device* device = nullptr;
  void* pool = nullptr;  // the allocator's own note: where it goes back to
};

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Block* block) : block_(block) { retain(); }
  Buffer(const Buffer& other) : block_(other.block_) { retain(); }
  Buffer(Buffer&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Buffer& operator=(Buffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Buffer() {
    if (block_ && is_last()) give_back(block_);
  }

  explicit operator bool() const { return block_ != nullptr; }
  std::byte* data() const { return block_->data; }
  std::size_t bytes() const { return block_->asked_bytes; }
  Device& device() const { return *block_->device; }
  bool shares_with(const Buffer& other) const { return block_ == other.block_; }

 private:
  void retain() {
    if (block_) block_->handles.fetch_add(1, std::memory_order_relaxed);
  }
  // A count of one is this handle, which nobody else may copy meanwhile: no need for a locked instruction.
  bool is_last() const {
    return block_->handles.load(std::memory_order_acquire) == 1 ||
           block_->handles.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  static void give_back(Block* block) noexcept;  // allocator.cpp
  Block* block_ = nullptr;
};

}  // namespace perflab

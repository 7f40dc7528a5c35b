#pragma once
// allocator_parts — what the three allocators share: counts, the error, mapped memory, and points in streams.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/spin_lock.h"
#include "device/allocator.h"
#include "device/event.h"

namespace perflab {

inline constexpr std::size_t block_alignment = 64;
inline constexpr std::size_t huge_page_bytes = std::size_t(2) << 20;
// No address space holds more; below it, rounding up cannot overflow.
inline constexpr std::size_t largest_request = std::size_t(1) << 47;

constexpr std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

// Counts under one spin lock, which the implementations use for their lists too; nobody asks the heap while
// holding it. The object goes away when its owner and the last block are gone; blocks that are out need no
// count of their own, they are takes - gives.
class AccountedAllocator : public Allocator {
 public:
  explicit AccountedAllocator(Device& device) : device_(device) {}
  AllocatorStats stats() const override {
    const std::lock_guard lock(lock_);
    return stats_;
  }
  void reset_peak() override {
    const std::lock_guard lock(lock_);
    stats_.peak_bytes = stats_.live_bytes;
  }

 protected:
  // All with lock_ held.
  void count_take(std::size_t asked_bytes) {
    ++stats_.takes;
    stats_.live_bytes += std::int64_t(asked_bytes);
    if (stats_.live_bytes > stats_.peak_bytes) stats_.peak_bytes = stats_.live_bytes;
  }
  // True if nobody is left: the caller unlocks and deletes the allocator.
  [[nodiscard]] bool count_give(std::size_t asked_bytes) {
    ++stats_.gives;
    stats_.live_bytes -= std::int64_t(asked_bytes);
    return retired_ && stats_.takes == stats_.gives;
  }
  bool fits(std::size_t more_bytes) const;  // this allocator alone, below the device's limit
  // Error(environment): who asked how much, what that is rounded to, what is live, what the limit is. Without
  // the lock.
  [[noreturn]] void fail_out_of_memory(std::size_t asked_bytes, std::size_t rounded_bytes = 0) const;

  Device& device_;
  mutable SpinLock lock_;
  AllocatorStats stats_;

 private:
  void retire() noexcept override;
  bool retired_ = false;
};

// Records of blocks, made some at a time and used again and again. The lists are guarded by the allocator's
// spin lock; the heap is asked without it, under a mutex.
template <typename Record>
class RecordStore {
 public:
  // With the lock held.
  bool empty() const { return unused_ == nullptr; }
  Record* pop() { return std::exchange(unused_, unused_->next); }
  void push(Record* record) {
    record->next = unused_;
    unused_ = record;
  }
  // Without it.
  void grow(SpinLock& lock) {
    const std::lock_guard growing(growing_);
    grow_held(lock);
  }
  Record* take(SpinLock& lock) {
    if (Record* record = try_take(lock)) return record;
    const std::lock_guard growing(growing_);
    while (true) {
      if (Record* record = try_take(lock)) return record;  // another thread may have been faster
      grow_held(lock);
    }
  }

 private:
  Record* try_take(SpinLock& lock) {
    const std::lock_guard guard(lock);
    return empty() ? nullptr : pop();
  }
  void grow_held(SpinLock& lock) {
    constexpr std::size_t count = 64;
    slabs_.push_back(std::make_unique<Record[]>(count));
    Record* first = slabs_.back().get();
    const std::lock_guard guard(lock);
    for (std::size_t i = count; i-- > 0;) push(first + i);
  }

  std::mutex growing_;
  std::vector<std::unique_ptr<Record[]>> slabs_;
  Record* unused_ = nullptr;
};

// One Entry per stream that ever took: a few, found by walking along. Entry has `const Stream* stream` and
// `std::unique_ptr<Entry> next`. Guarded by the allocator's spin lock; linking one in asks nobody for memory.
template <typename Entry>
class PerStream {
 public:
  Entry* first() const { return first_.get(); }
  // The stream's entry; if there is none, one that `make` makes without the lock.
  template <typename Make>
  Entry& of(const Stream& stream, SpinLock& lock, const Make& make) {
    {
      const std::lock_guard guard(lock);
      if (Entry* known = find(stream)) return *known;
    }
    std::unique_ptr<Entry> fresh = make();
    const std::lock_guard guard(lock);
    if (Entry* known = find(stream)) return *known;  // another thread was faster
    fresh->next = std::move(first_);
    first_ = std::move(fresh);
    return *first_;
  }

 private:
  Entry* find(const Stream& stream) const {
    Entry* entry = first();
    while (entry && entry->stream != &stream) entry = entry->next.get();
    return entry;
  }
  std::unique_ptr<Entry> first_;
};

// Memory of its own from the system, 2 MiB-aligned and advised to be huge pages where it is large enough for
// one.
class Mapping {
 public:
  static Mapping make(std::size_t bytes);  // empty when the system has no more
  Mapping() = default;
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping();

  explicit operator bool() const { return data_ != nullptr; }
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// A point in a stream's work, kept without the stream.
struct WorkPoint {
  std::shared_ptr<const EventSource> progress;
  std::uint64_t ticket = 0;  // 0: before all work
  bool passed() const { return ticket == 0 || progress->reached(ticket); }
};

// Memory that an allocator leaves behind while enqueued work may still use it. Released at once if all points
// are passed; otherwise the process keeps it, and the next allocator that goes away after they are passed
// releases it in this call. The thread that drops an allocator may be the one that has to do that work, so
// nobody waits.
void release_after(std::vector<WorkPoint> points, std::shared_ptr<void> memory);

}  // namespace perflab

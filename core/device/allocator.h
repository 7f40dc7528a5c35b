#pragma once
// Allocator — where a device's memory comes from: System, Caching (the default) or Arena.
//
// A lab's statement about memory is a count, not a reading of the system's monitor. Exact and the same in
// every run of the same program: takes and gives always, live and peak bytes too where every operation is
// waited for (the sync policy). Exact, but dependent on how far the queued work has come: live and peak bytes
// when work holds memory until it is done (copies between devices do), and reserved bytes and system calls
// whenever memory is given back while work is pending, because what is not yet idle cannot be reused by
// everybody or returned.
//
// Each allocator holds its own reserve against the device's limit; it does not see what others of the same
// device hold. take and give are thread-safe. An allocator lives until its owner and the last Buffer are
// gone, whichever comes last, so tensors may outlive their device.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "device/buffer.h"

namespace perflab {

class Stream;

struct AllocatorStats {
  std::int64_t live_bytes = 0;      // asked for and not given back
  std::int64_t peak_bytes = 0;      // most live_bytes since the last reset_peak()
  std::int64_t reserved_bytes = 0;  // held from the system, live or cached
  std::int64_t takes = 0, gives = 0;
  std::int64_t system_calls = 0;  // times that the system was asked for memory
};

// Device memory for work on one stream, or memory that nobody is still using, which the host may write at
// once.
enum class Use : std::uint8_t { stream_ordered, idle };

class Allocator {
 public:
  virtual std::string_view name() const = 0;  // "system", "caching", "arena"
  // At least `bytes` (0 is allowed), 64-byte aligned, uninitialised. Error(environment) names device,
  // request, what it is rounded to, live bytes and limit when there is no more.
  virtual Block* take(std::size_t bytes, Stream& stream, Use use) = 0;
  virtual void give(Block* block) noexcept = 0;  // called by the last Buffer
  virtual AllocatorStats stats() const = 0;
  virtual void reset_peak() = 0;
  virtual void trim() {}  // gives cached memory that is idle back to the system

 protected:
  Allocator() = default;
  virtual ~Allocator() = default;

 private:
  friend struct RetireAllocator;
  // The owner is gone. The allocator deletes itself, now or in the give() of its last block: blocks know it
  // by a plain pointer, so there is nobody else who could.
  virtual void retire() noexcept = 0;
};

struct RetireAllocator {
  void operator()(Allocator* allocator) const noexcept { allocator->retire(); }
};
using AllocatorHandle = std::unique_ptr<Allocator, RetireAllocator>;

// One malloc per block, given back at once; blocks that are still in use by enqueued work are given back when
// that work is done.
AllocatorHandle make_system_allocator(Device& device);
// Size classes carved from arenas that are aligned to 2 MiB and advised to be huge pages; keeps what is given
// back and reuses it in the order of the stream. Large blocks are arenas of their own.
AllocatorHandle make_caching_allocator(Device& device);
// One region of `bytes`, handed out front to back; giving back does nothing until all of it has been given
// back, then it starts over at the front. Where a block lies, and whether it fits, follows from the order of
// takes and gives alone: a take that the place is not free for yet (idle memory, or memory for another stream
// than the one whose work is pending) waits for that work. Enqueued work that would wait for its own stream
// gets an Error(check) instead. Error(environment) when it is full.
AllocatorHandle make_arena_allocator(Device& device, std::size_t bytes);

// While it lives, Device::allocate for the allocator's device on this thread uses that allocator. Nests.
class AllocatorGuard {
 public:
  AllocatorGuard(Device& device, Allocator& allocator);
  ~AllocatorGuard();
  AllocatorGuard(const AllocatorGuard&) = delete;
  AllocatorGuard& operator=(const AllocatorGuard&) = delete;

  static Allocator& current(Device& device);  // the innermost guard's for that device, else the device's own

 private:
  Device& device_;
  Allocator& allocator_;
  AllocatorGuard* outer_;
};

}  // namespace perflab

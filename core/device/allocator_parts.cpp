#include "device/allocator_parts.h"

#include <sys/mman.h>

#include <algorithm>

#include "base/check.h"
#include "base/units.h"
#include "device/device.h"

namespace perflab {

bool AccountedAllocator::fits(std::size_t more_bytes) const {
  const std::size_t limit = device_.info().memory_bytes;
  const std::size_t reserved = std::size_t(stats_.reserved_bytes);
  return limit == 0 || (reserved <= limit && more_bytes <= limit - reserved);
}

void AccountedAllocator::fail_out_of_memory(std::size_t asked_bytes, std::size_t rounded_bytes) const {
  const AllocatorStats now = stats();
  const std::size_t limit = device_.info().memory_bytes;
  const std::int64_t kept = now.reserved_bytes - now.live_bytes;
  fail(
      ErrorKind::environment,
      "{}: out of memory: asked {}{}, live {} of {}{}; let go of what is not needed, wait for enqueued "
      "work, or give the device more",
      device_.name(), format_bytes(double(asked_bytes)),
      rounded_bytes > asked_bytes ? fmt::format(" (rounded to {})", format_bytes(double(rounded_bytes))) : "",
      format_bytes(double(now.live_bytes)), limit == 0 ? "what the system has" : format_bytes(double(limit)),
      kept > 0 ? fmt::format(", {} kept for reuse or still used by enqueued work", format_bytes(double(kept)))
               : "");
}

void AccountedAllocator::retire() noexcept {
  bool last = false;
  {
    const std::lock_guard lock(lock_);
    retired_ = true;
    last = stats_.takes == stats_.gives;
  }
  if (last) delete this;
}

Mapping Mapping::make(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page_bytes ? huge_page_bytes : 1;
  const std::size_t mapped = bytes + alignment - 1;
  void* start = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  Mapping mapping;
  if (start == MAP_FAILED) return mapping;
  // The surplus on both sides goes back: a 2 MiB-aligned piece is what can become huge pages.
  const std::size_t head =
      round_up(reinterpret_cast<std::size_t>(start), alignment) - reinterpret_cast<std::size_t>(start);
  mapping.data_ = static_cast<std::byte*>(start) + head;
  mapping.bytes_ = bytes;
  if (head > 0) ::munmap(start, head);
  const std::size_t page_bytes = 4096;
  const std::size_t end = round_up(head + bytes, page_bytes);
  if (mapped > end) ::munmap(static_cast<std::byte*>(start) + end, mapped - end);
  if (alignment > 1)
    ::madvise(mapping.data_, bytes, MADV_HUGEPAGE);  // refused where there are none: plain pages then
  return mapping;
}

Mapping::~Mapping() {
  if (data_) ::munmap(data_, bytes_);
}

namespace {

struct Remains {
  std::vector<WorkPoint> points;
  std::shared_ptr<void> memory;
};

bool all_passed(const std::vector<WorkPoint>& points) {
  return std::all_of(points.begin(), points.end(), [](const WorkPoint& point) { return point.passed(); });
}

}  // namespace

void release_after(std::vector<WorkPoint> points, std::shared_ptr<void> memory) {
  // Allocators are gone by then, so what they left has no other owner than the process.
  static std::mutex mutex;
  static std::vector<Remains> kept;
  const std::lock_guard lock(mutex);
  std::erase_if(kept, [](const Remains& remains) { return all_passed(remains.points); });
  if (!all_passed(points)) kept.push_back({std::move(points), std::move(memory)});
}

}  // namespace perflab

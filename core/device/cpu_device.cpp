#include "device/cpu_device.h"

#include "base/check.h"
#include "device/cpu_stream.h"

namespace perflab {

CpuDevice::CpuDevice(DeviceInfo info) : Device(std::move(info)) {
  PL_CHECK(!name().empty(), "device: no name; want cpu:0, cpu:1 ...");
  const int cores = this->info().cores;
  PL_CHECK(cores >= 1 && cores <= 1024, "{}: {} cores; want 1..1024", name(), cores);
  allocator_ = make_caching_allocator(*this);
}

CpuDevice::~CpuDevice() {
  // Streams wait for one another's events, and their work may enqueue more: all run dry before the first one
  // goes.
  std::uint64_t before = 0;
  do {
    before = issued();
    for (const auto& stream : owned_)
      if (stream) stream->tickets().wait_quietly(stream->tickets().issued());
  } while (issued() != before);
}

std::uint64_t CpuDevice::issued() const {
  std::uint64_t sum = 0;
  for (const auto& slot : streams_)
    if (const CpuStream* stream = slot.load(std::memory_order_acquire)) sum += stream->progress()->issued();
  return sum;
}

std::int64_t CpuDevice::pending() const {
  std::int64_t sum = 0;
  for (const auto& slot : streams_)
    if (const CpuStream* stream = slot.load(std::memory_order_acquire)) sum += stream->pending();
  return sum;
}

Stream& CpuDevice::stream(int index) {
  PL_CHECK(index >= 0 && index < max_streams, "{}: stream {}; want 0..{}", name(), index, max_streams - 1);
  const auto slot = std::size_t(index);
  if (CpuStream* stream = streams_[slot].load(std::memory_order_acquire)) return *stream;
  const std::lock_guard guard(mutex_);
  if (!owned_[slot]) {
    owned_[slot] = std::make_unique<CpuStream>(*this, index);
    streams_[slot].store(owned_[slot].get(), std::memory_order_release);
    if (index >= used_.load(std::memory_order_relaxed)) used_.store(index + 1, std::memory_order_release);
  }
  return *owned_[slot];
}

Team& CpuDevice::team() {
  const std::lock_guard guard(mutex_);
  if (!team_) team_ = std::make_unique<Team>(info().cores);
  return *team_;
}

void CpuDevice::synchronize() {
  const int used = used_.load(std::memory_order_acquire);
  for (int i = 0; i < used; ++i)
    if (CpuStream* stream = streams_[std::size_t(i)].load(std::memory_order_acquire))
      stream->tickets().wait_quietly(stream->tickets().issued());
  Progress::Failure first{};
  for (int i = 0; i < used; ++i) {
    CpuStream* stream = streams_[std::size_t(i)].load(std::memory_order_acquire);
    if (!stream) continue;
    const Progress::Failure failure = stream->clear_failure();
    if (failure.error && (!first.error || failure.order < first.order)) first = failure;
  }
  if (first.error) std::rethrow_exception(first.error);
}

}  // namespace perflab

#pragma once
// device_testing — a device for tests whose streams run nothing by themselves: the test says how far they
// have come.

#include <array>
#include <atomic>
#include <memory>

#include "device/allocator.h"
#include "device/device.h"

namespace perflab {

class ManualProgress : public EventSource {
 public:
  std::uint64_t issued() const override { return issued_; }
  bool reached(std::uint64_t ticket) const override { return ticket <= done_; }
  // The work gets done because somebody waits for it.
  void wait(std::uint64_t ticket) const override {
    ++waits_;
    if (done_ < ticket) done_ = ticket;
  }

  std::atomic<std::uint64_t> issued_{0};
  mutable std::atomic<std::uint64_t> done_{0}, waits_{0};
};

class ManualStream : public Stream {
 public:
  using Stream::Stream;
  void enqueue_something() { ++progress_->issued_; }
  void finish_one() { ++progress_->done_; }
  std::uint64_t waits() const { return progress_->waits_; }  // that somebody made for its work
  void finish_all() { progress_->done_ = progress_->issued_.load(); }

  void enqueue(Task&&, std::int64_t) override { enqueue_something(); }
  StreamContext* begin_here() override { return nullptr; }
  void end_here() noexcept override {}
  std::shared_ptr<const EventSource> progress() const override { return progress_; }
  void synchronize() override { finish_all(); }
  std::int64_t pending() const override { return std::int64_t(progress_->issued_ - progress_->done_); }
  void wait_for_room(std::int64_t) override {}
  std::int64_t queue_bytes() const override { return 0; }
  std::int64_t take_longest_queue() override { return 0; }

 private:
  std::shared_ptr<ManualProgress> progress_ = std::make_shared<ManualProgress>();
};

class ManualDevice : public Device {
 public:
  explicit ManualDevice(std::size_t memory_bytes = 0)
      : Device(DeviceInfo{.name = "manual:0", .pinned_cpus = {}, .memory_bytes = memory_bytes}) {}
  void synchronize() override {
    for (ManualStream& stream : streams_) stream.finish_all();
  }
  ManualStream& stream(int index = compute_stream) override { return streams_[std::size_t(index)]; }
  Allocator& allocator() override { return *allocator_; }

 private:
  std::array<ManualStream, 3> streams_{ManualStream(*this, 0), ManualStream(*this, 1),
                                       ManualStream(*this, 2)};
  AllocatorHandle allocator_ = make_caching_allocator(*this);
};

}  // namespace perflab

#pragma once
// CpuDevice — a virtual device on this machine's processors that behaves as an accelerator does.
//
// Own memory (a caching allocator), up to 16 streams, each with a thread that starts at the first enqueue,
// and one team of info().cores threads for work on stream 0. The stream threads spin for a short while when
// they run out of work, if a processor is free for that, and then sleep. Thread-safe.

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "device/allocator.h"
#include "device/device.h"
#include "device/team.h"

namespace perflab {

class CpuStream;

class CpuDevice : public Device {
 public:
  explicit CpuDevice(DeviceInfo info);  // Error(check) for a name that is empty, or cores outside 1..1024
  ~CpuDevice() override;                // finishes all streams first

  std::uint64_t issued() const override;
  std::int64_t pending() const override;
  void synchronize() override;
  Stream& stream(int index = compute_stream) override;  // Error(check) outside 0..15
  Allocator& allocator() override { return *allocator_; }
  Team& team() override;

 private:
  AllocatorHandle allocator_;
  std::mutex mutex_;            // creation of streams and of the team
  std::unique_ptr<Team> team_;  // outlives the streams, whose work uses it
  std::array<std::atomic<CpuStream*>, max_streams> streams_{};
  std::array<std::unique_ptr<CpuStream>, max_streams> owned_;
  std::atomic<int> used_{0};  // streams 0..used_-1 may exist
};

}  // namespace perflab

#pragma once
// Device — a thing that work is given to and that can be waited for.
//
// Devices are identity objects, owned by the Runtime (or by a test) and compared by address. "cpu:0", "cpu:1"
// ... are virtual devices: each has memory, streams on threads, and a team of its own, and behaves as an
// accelerator does. Work that a plain function call does on the calling thread is complete when the call
// returns: no device is needed for it, and draining an idle device costs nothing. Thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/buffer.h"
#include "device/stream.h"

namespace perflab {

class Allocator;
class Team;

enum class Kind : std::uint8_t { cpu, sim, cuda };

struct DeviceInfo {
  std::string name;  // "cpu:0"
  Kind kind = Kind::cpu;
  int index = 0;
  int cores = 1;                 // threads of its team
  std::vector<int> pinned_cpus;  // logical processors its stream threads stay on; empty: anywhere
  std::size_t memory_bytes = 0;  // most that may be allocated; 0 = no limit of its own
  bool modelled = false;         // its durations are put in, not measured: every result must say so
};

class Device {
 public:
  explicit Device(DeviceInfo info) : info_(std::move(info)) {}
  explicit Device(std::string name) : info_{.name = std::move(name), .pinned_cpus = {}} {}
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const { return info_; }
  const std::string& name() const { return info_.name; }
  Kind kind() const { return info_.kind; }
  int index() const { return info_.index; }

  virtual std::uint64_t issued() const { return 0; }  // pieces of work enqueued so far, on all streams
  virtual std::int64_t pending() const { return 0; }  // those of them that are not finished
  // Waits for all streams, then rethrows the error that came first, and clears.
  virtual void synchronize() = 0;
  // The rest is an Error(check) for a device that has none.
  virtual Stream& stream(int index = compute_stream);  // created on first use
  virtual Allocator& allocator();  // the device's own; AllocatorGuard (allocator.h) puts another in its place
  virtual Team& team();            // for the executor of the compute stream only (parallel.h)

  // Uninitialised memory for work on `stream`. Error(environment) when the device's memory is used up.
  Buffer allocate(std::size_t bytes, Stream& stream);
  Buffer allocate(std::size_t bytes) { return allocate(bytes, stream()); }

  static std::span<Device* const> all();        // of the current Runtime: cpu:0.. then cuda:0..
  static Device& named(std::string_view name);  // Error(usage) lists the devices that exist

 private:
  DeviceInfo info_;
};

// Proof that devices were drained. Only drain() makes one, so a clock that asks for a Completion cannot be
// stopped without naming what was waited for.
class Completion {
 public:
  std::span<Device* const> devices() const { return devices_; }

 private:
  friend Completion drain(std::span<Device* const> devices);
  explicit Completion(std::span<Device* const> devices) : devices_(devices) {}
  std::span<Device* const> devices_;  // no copy: drain() runs inside timed intervals
};

// Waits for each of the devices, at least one. Error(check) for an empty list. The Completion refers to the
// list given.
Completion drain(std::span<Device* const> devices);

}  // namespace perflab

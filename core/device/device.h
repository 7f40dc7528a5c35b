#pragma once
// Device — a thing that work is given to and that can be waited for.
//
// "cpu:0" is the calling machine's processor: work given to it by a plain function call is complete when the
// call returns, so draining it costs nothing. Devices are identity objects, compared by address. Thread-safe.

#include <span>
#include <string>
#include <string_view>

namespace perflab {

class Device {
 public:
  explicit Device(std::string name) : name_(std::move(name)) {}
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  virtual void synchronize() = 0;  // returns when everything given to the device so far is complete

  static std::span<Device* const> all();        // cpu:0 first
  static Device& named(std::string_view name);  // Error(usage) lists the devices that exist

 private:
  std::string name_;
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

#pragma once
// Runtime — owns the devices and the links between them, and destroys all in the right order.
//
// main makes one (of a lab, the driver, a test program) and it is the current one while it lives; a second
// one inside (tests) takes its place until it is destroyed. Destruction first finishes what the devices'
// streams hold. Tensors, events and buffers may outlive it. Construct and destroy on one thread; current()
// may be asked from any.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/link.h"

namespace perflab {

struct RuntimeOptions {
  int cpu_devices = 1;       // 1..64
  int cores_per_device = 0;  // 0: the effective processors, divided among the devices, at least one each
  std::size_t memory_bytes_per_device = 0;  // 0: no limit of its own
  std::optional<LinkModel> link = {};       // between all pairs of cpu devices; none: plain memcpy
  std::filesystem::path plugin = {};  // libperflab_cuda.so; empty: beside the program, then one folder up
};

class Runtime {
 public:
  explicit Runtime(RuntimeOptions options = {});
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  std::span<Device* const> devices() const { return listed_; }
  Device& add(std::unique_ptr<Device> device);  // joins devices(); Error(check) for a name that exists
  Link& link(Device& from, Device& to);         // made on first use
  bool links_are_modelled() const;              // copies between two of its cpu devices take a model's time
  const std::string& no_cuda_reason() const {
    return no_cuda_;
  }  // one line; empty when there is a cuda device

  static Runtime& current();  // Error(check) if main made none

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::vector<Device*> listed_;
  std::string no_cuda_;
  Runtime* outer_;
};

}  // namespace perflab

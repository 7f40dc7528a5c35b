#pragma once
// Pinning — host thread and device on processors of their own, or on the same one.

#include <sched.h>

#include <memory>
#include <vector>

#include "device/cpu_device.h"

namespace perflab::waiting {

std::vector<int> allowed_processors();  // numbers of those that this thread may use, ascending

// While it lives, the calling thread stays on that processor. Does nothing where the system refuses.
class PinGuard {
 public:
  explicit PinGuard(int processor);
  ~PinGuard();
  PinGuard(const PinGuard&) = delete;
  PinGuard& operator=(const PinGuard&) = delete;

 private:
  cpu_set_t before_;
  bool pinned_;
};

// A device with one thread that stays there; the same one for all who ask while somebody holds it.
std::shared_ptr<CpuDevice> device_on(int processor);

}  // namespace perflab::waiting

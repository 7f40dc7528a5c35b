#include "device/spin.h"

#include <atomic>

#include "device/topology.h"

namespace perflab {
namespace {
std::atomic<int> spinning{0};
}  // namespace

SpinPermit::SpinPermit() {
  static const int most = this_machine().effective_cpus - 1;
  granted_ = spinning.fetch_add(1, std::memory_order_relaxed) < most;
}

SpinPermit::~SpinPermit() { spinning.fetch_sub(1, std::memory_order_relaxed); }

}  // namespace perflab

#include "bench/load.h"

#include <algorithm>

namespace perflab {
namespace {

constexpr std::int64_t shortest_ns = 50'000'000;  // a few ticks of the kernel's accounting

}  // namespace

std::optional<double> Load::others_share() const {
  const std::optional<Probe::Busy> now = probe_.busy();
  const std::int64_t elapsed_ns = clock_.now_ns() - start_ns_;
  if (!busy_ || !now || elapsed_ns < shortest_ns) return std::nullopt;
  const std::int64_t own_ns = clock_.cpu_ns() + probe_.children_cpu_ns() - own_ns_;
  const double others = double(now->busy_ns - busy_->busy_ns) - double(own_ns);
  return std::clamp(others / double(elapsed_ns) / now->processors, 0.0, 1.0);
}

}  // namespace perflab

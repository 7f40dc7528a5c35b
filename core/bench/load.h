#pragma once
// Load — what everybody else took of the processors since a moment: other processes, and the hypervisor
// (stolen time). Processes that we started work for us and are not others.
//
// A second process on the same processors slows all variants alike, so neither the A/A copy nor the stopping
// rule sees it.

#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "bench/probe.h"

namespace perflab {

// Above this share of all processors a case decides nothing: one of eight, or a quarter of one of two.
inline constexpr double most_others_share = 0.125;

class Load {
 public:
  Load(Clock& clock, Probe& probe)
      : clock_(clock),
        probe_(probe),
        start_ns_(clock.now_ns()),
        own_ns_(clock.cpu_ns() + probe.children_cpu_ns()),
        busy_(probe.busy()) {}

  // 0..1 of all processors; nothing while the time is too short for the kernel's accounting, or if it keeps
  // none.
  std::optional<double> others_share() const;

 private:
  Clock& clock_;
  Probe& probe_;
  std::int64_t start_ns_, own_ns_;
  std::optional<Probe::Busy> busy_;
};

}  // namespace perflab

#pragma once
// take_sample — one timed group of calls: the only place where a judged time is read.
//
// Between the first and the last clock reading nothing happens but the calls and the drain of the named
// devices. Everything else (probe, census, reference clock) is read outside. The result says by itself
// whether it is valid.

#include "bench/sampler.h"

namespace perflab {

// One variant of a point while it is sampled. The A/A copy is an arm that shares the baseline's Prepared.
struct Arm {
  Prepared* prepared = nullptr;
  std::string name{};
  std::int64_t inner = 1;
  std::int64_t first_call_ns = 0;
  std::string warmup_state{};
  int warmup_calls = 0;
};

// The timed interval itself: three clock readings, the calls and the drain, nothing else.
inline void time_calls(Stopwatch& watch, Prepared& prepared, std::int64_t calls, Counts& counts) {
  watch.start();
  for (std::int64_t call = 0; call < calls; ++call) prepared.once(counts);
  watch.submitted();
  watch.finished(drain(prepared.waited_for));
}

Sample take_sample(const Arm& arm, const PointJob& job, const SamplerContext& context, Phase phase);

// invalid_reason of a sample that has fewer than a hundred steps of the clock in it.
inline constexpr const char* too_short = "too_short";

// Raises the arm's calls until a sample is long enough for the clock, at most to Prepared::max_inner.
void calibrate(Arm& arm, const PointJob& job, const SamplerContext& context);

// Calls once more, reads the output back and compares: verified_ns, checksum, and wrong_result if it differs.
void verify_sample(const Arm& arm, const SamplerContext& context, Sample& sample);

// The first call, the calls per sample, and warm-up until steady as the profile says; appends every sample it
// takes.
void warm_up(Arm& arm, const PointJob& job, const SamplerContext& context, std::vector<Sample>& taken);

}  // namespace perflab

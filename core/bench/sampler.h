#pragma once
// Sampler — takes the judged measurements of one point: warm-up, calibration, randomised complete blocks with
// an A/A copy, stopping rule, invalid samples re-taken. It knows nothing of files; a fake clock and a fake
// probe drive it in tests.
//
// Every block holds one valid sample of every variant (and of the A/A copy), in seeded random order. A
// sample's clock starts right before the first of inner_iters calls; submit is read when the last call has
// returned, finish after the named devices were drained.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "bench/case.h"
#include "bench/load.h"
#include "bench/probe.h"
#include "bench/profile.h"
#include "bench/sample.h"

namespace perflab {

// A stopwatch that cannot be stopped without naming the devices waited for.
class Stopwatch {
 public:
  explicit Stopwatch(Clock& clock) : clock_(clock) {}
  void start() { start_ns_ = clock_.now_ns(); }
  void submitted() { submit_ns_ = clock_.now_ns(); }
  void finished(const Completion& proof) {
    (void)proof;
    finish_ns_ = clock_.now_ns();
  }
  std::int64_t start_ns() const { return start_ns_; }
  std::int64_t submit_ns() const { return submit_ns_ - start_ns_; }
  std::int64_t finish_ns() const { return finish_ns_ - start_ns_; }

 private:
  Clock& clock_;
  std::int64_t start_ns_ = 0, submit_ns_ = 0, finish_ns_ = 0;
};

struct PointJob {
  std::vector<Prepared*> variants;  // prepared, status ok; at least one
  std::string baseline;             // variant that ratios are taken against
  bool with_aa = true;
  int invocation = 0;
  int fault = 0;
  std::uint64_t seed = 0;
  std::vector<Sample> earlier;  // what an interrupted launch of the same invocation recorded; to be continued
};

struct SamplerContext {
  Clock& clock;
  Probe& probe;
  const Profile& profile;
  ClockQuality clock_quality;
  std::int64_t run_start_ns;  // t_start_ns counts from here
  std::int64_t lab_start_ns;
  std::function<bool()> interrupted;                  // asked between samples
  std::function<void(std::span<const Sample>)> keep;  // called after warm-up and after each complete block
  const Load* launch_load = nullptr;  // stands in for points that are too short to be asked themselves
};

struct PointOutcome {
  std::vector<CaseRow> rows{};  // one per variant and the A/A copy
  bool interrupted = false;
};

// What cases.csv says about a prepared case before any sample: also for skipped and failed ones.
CaseRow case_row(const Prepared& prepared, const std::string& variant, const PointJob& job,
                 const Profile& profile);

PointOutcome sample_point(const PointJob& job, const SamplerContext& context);

}  // namespace perflab

// Calibration and warm-up of one arm.

#include <algorithm>
#include <cmath>

#include "bench/statistics.h"
#include "bench/take.h"

namespace perflab {
namespace {

constexpr std::int64_t shortest_sample_ns = 1'000'000;
constexpr std::int64_t most_inner = std::int64_t(1) << 30;
constexpr std::size_t window = 5;       // samples; two successive windows are compared
constexpr double steady_change = 0.02;  // of their medians
constexpr int most_warmup_samples = 50;

std::int64_t target_ns(const SamplerContext& context) {
  const ClockQuality& quality = context.clock_quality;
  std::int64_t target =
      std::max({shortest_sample_ns, 1000 * quality.resolution_ns, 100 * quality.overhead_ns});
  if (context.profile.case_cap_ns > 0) target = std::min(target, context.profile.case_cap_ns / 4);
  return target;
}

bool steady(const std::vector<double>& times_ns) {
  if (times_ns.size() < 2 * window) return false;
  const std::span<const double> all(times_ns);
  const double last = median(all.last(window)), previous = median(all.last(2 * window).first(window));
  return std::fabs(last - previous) < steady_change * previous;
}

}  // namespace

// Doubles the calls until a sample is long enough. A clock that does not move ends it too: its samples are
// invalid later.
void calibrate(Arm& arm, const PointJob& job, const SamplerContext& context) {
  const std::int64_t limit = arm.prepared->max_inner > 0 ? arm.prepared->max_inner : most_inner;
  const std::int64_t wanted_ns = target_ns(context);
  std::int64_t without_progress = 0;
  while (arm.inner < limit) {
    const Sample sample = take_sample(arm, job, context, Phase::warmup);
    const double elapsed_ns = sample.finish_ns.value_or(0) * double(arm.inner);
    if (elapsed_ns >= double(wanted_ns)) return;
    if (elapsed_ns <= 0 && ++without_progress > 20) return;
    // Aim a fifth beyond the target, but never more than tenfold on the word of one short sample.
    const double factor = elapsed_ns > 0 ? std::clamp(1.2 * double(wanted_ns) / elapsed_ns, 1.5, 10.0) : 2.0;
    arm.inner = std::min(limit, std::int64_t(std::ceil(double(arm.inner) * factor)));
  }
}

void warm_up(Arm& arm, const PointJob& job, const SamplerContext& context, std::vector<Sample>& taken) {
  const Profile& profile = context.profile;
  const std::int64_t start_ns = context.clock.now_ns();
  arm.inner = 1;
  Sample first = take_sample(arm, job, context, Phase::first);
  arm.first_call_ns = std::int64_t(first.finish_ns.value_or(0));
  taken.push_back(std::move(first));
  calibrate(arm, job, context);

  arm.warmup_calls = 1;
  std::vector<double> times_ns;
  const bool until_steady = profile.warmup_until_steady;
  // A lab that has spent its time is not warmed up at length for six blocks.
  const bool lab_spent = profile.lab_cap_ns > 0 && start_ns - context.lab_start_ns >= profile.lab_cap_ns;
  const std::int64_t cap_ns = lab_spent ? profile.warmup_cap_ns / 5 : profile.warmup_cap_ns;
  // Forward steps alone: a clock that is set back must not make the warm-up longer, one that never moves not
  // endless.
  std::int64_t elapsed_ns = 0, last_ns = start_ns;
  int without_progress = 0;
  while (!context.interrupted()) {
    const std::int64_t step_ns = context.clock.now_ns() - last_ns;
    last_ns += step_ns;
    elapsed_ns += std::max<std::int64_t>(step_ns, 0);
    without_progress = step_ns > 0 ? 0 : without_progress + 1;
    const bool enough = arm.warmup_calls >= profile.warmup_calls && elapsed_ns >= profile.warmup_min_ns;
    if (enough && (!until_steady || steady(times_ns))) break;
    // Fifty samples of a millisecond are over before the 200 ms that some profiles ask for at least.
    const bool many = int(times_ns.size()) >= most_warmup_samples && elapsed_ns >= profile.warmup_min_ns;
    const bool stuck = without_progress >= most_warmup_samples;
    const bool capped = many || stuck || (cap_ns > 0 && elapsed_ns >= cap_ns);
    if (capped && arm.warmup_calls >= profile.warmup_calls) {
      arm.warmup_state = "not_steady";
      return;
    }
    Sample sample = take_sample(arm, job, context, Phase::warmup);
    sample.block = arm.warmup_calls;
    times_ns.push_back(sample.finish_ns.value_or(0));
    taken.push_back(std::move(sample));
    ++arm.warmup_calls;
  }
  arm.warmup_state = until_steady ? "steady" : "fixed";
}

}  // namespace perflab

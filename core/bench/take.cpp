#include "bench/take.h"

#include <algorithm>

#include "base/check.h"

namespace perflab {
namespace {

// Shorter than this many ticks of the clock, a sample's rounding error exceeds one per cent.
constexpr std::int64_t least_ticks = 100;
constexpr double throttled_clock_share = 0.75;

Sample blank_sample(const Arm& arm, const PointJob& job, Phase phase) {
  const Prepared& prepared = *arm.prepared;
  Sample sample;
  sample.experiment = prepared.experiment;
  sample.case_id = prepared.id();
  sample.variant = arm.name;
  for (const auto& [axis, value] : prepared.point) sample.axes[axis] = axis_text(value);
  sample.device = prepared.waited_for.front()->name();
  sample.evidence = prepared.evidence;
  sample.link = prepared.link;
  sample.logical = prepared.logical_devices;
  sample.fault = job.fault;
  sample.phase = phase;
  sample.invocation = job.invocation;
  sample.inner_iters = arm.inner;
  return sample;
}

std::optional<std::int64_t> delta(std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
  if (!before || !after) return std::nullopt;
  return *after - *before;
}

void read_probe_into(Sample& sample, const ProbeReading& before, const ProbeReading& after) {
  sample.invol_ctx_switches = delta(before.involuntary_switches, after.involuntary_switches);
  sample.major_faults = delta(before.major_faults, after.major_faults);
  sample.cfs_throttled_delta = delta(before.cfs_throttled, after.cfs_throttled);
  sample.core_throttle_delta = delta(before.core_throttle, after.core_throttle);
  sample.cpu_mhz = after.cpu_mhz;
  sample.temp_c = after.temp_c;
}

// A body that named the wrong devices has been timed without its work: some of it is still queued elsewhere.
bool work_is_left() {
  const std::span<Device* const> devices = Device::all();
  return std::any_of(devices.begin(), devices.end(),
                     [](const Device* device) { return device->pending() > 0; });
}

// The reference interval encloses the timed one and is longer by two clock readings. A thread that loses the
// processor just between them looks like a clock that stepped back; such a sample is taken again, which costs
// less than a wrong time.
constexpr double slack_ns = 50e3;
bool clock_disagrees(std::int64_t timed_ns, std::int64_t reference_ns) {
  const auto timed = double(timed_ns), reference = double(reference_ns);
  return timed > 1.01 * reference + slack_ns || timed < 0.99 * reference - slack_ns;
}

std::string invalid_reason(const Sample& sample, const Prepared& prepared, const ProbeReading& after,
                           bool launch_only, std::int64_t finish_ns, std::int64_t submit_ns,
                           std::int64_t reference_ns, std::int64_t resolution_ns) {
  if (finish_ns <= 0 || submit_ns < 0 || submit_ns > finish_ns) return "nonpositive_duration";
  if (launch_only) return "launch_only";
  // What another process says it took lies inside our round trip to it.
  if (sample.finish_ns.value_or(0) * double(sample.inner_iters) > 1.01 * double(finish_ns) + slack_ns)
    return "clock_unstable";
  if (clock_disagrees(finish_ns, reference_ns)) return "clock_unstable";
  if (finish_ns < least_ticks * resolution_ns) return too_short;
  if (after.clock_share < throttled_clock_share) return "throttled_gpu";
  if (sample.core_throttle_delta.value_or(0) > 0) return "throttled_cpu";
  if (sample.cfs_throttled_delta.value_or(0) > 0) return "cfs_throttled";
  if (sample.threads_seen && *sample.threads_seen < prepared.threads_expected) return "thread_mismatch";
  const auto recompilations = sample.metrics.find("recompilations_count");
  if (recompilations != sample.metrics.end() && recompilations->second > 0) return "recompiled";
  return "";
}

}  // namespace

Sample take_sample(const Arm& arm, const PointJob& job, const SamplerContext& context, Phase phase) {
  Prepared& prepared = *arm.prepared;
  Clock& clock = context.clock;
  Sample sample = blank_sample(arm, job, phase);
  if (prepared.before_sample) prepared.before_sample();
  Counts counts(prepared.declared_metrics);
  const ProbeReading before = context.probe.read();
  const std::int64_t cpu_start_ns = clock.cpu_ns();
  const std::int64_t reference_start_ns = clock.reference_ns();

  Stopwatch watch(clock);
  time_calls(watch, prepared, arm.inner, counts);

  const std::int64_t reference_ns = clock.reference_ns() - reference_start_ns;
  const bool launch_only = work_is_left();
  const std::int64_t cpu_ns = clock.cpu_ns() - cpu_start_ns;
  const ProbeReading after = context.probe.read();
  const auto calls = double(arm.inner);
  sample.t_start_ns = watch.start_ns() - context.run_start_ns;
  sample.submit_ns = counts.submit_there_ns().value_or(double(watch.submit_ns())) / calls;
  sample.finish_ns = counts.finish_there_ns().value_or(double(watch.finish_ns())) / calls;
  sample.proc_cpu_ns_per_iter = double(cpu_ns) / calls;
  if (prepared.census) sample.threads_seen = prepared.census();
  sample.metrics = counts.per_call(arm.inner);
  sample.metrics.insert(prepared.metrics.begin(), prepared.metrics.end());
  read_probe_into(sample, before, after);
  sample.invalid_reason =
      invalid_reason(sample, prepared, after, launch_only, watch.finish_ns(), watch.submit_ns(), reference_ns,
                     phase == Phase::timed ? context.clock_quality.resolution_ns : 0);
  sample.valid = sample.invalid_reason.empty();
  return sample;
}

void verify_sample(const Arm& arm, const SamplerContext& context, Sample& sample) {
  Prepared& prepared = *arm.prepared;
  if (!prepared.verify) return;
  if (prepared.before_sample) prepared.before_sample();
  Counts counts(prepared.declared_metrics);
  const std::int64_t start_ns = context.clock.now_ns();
  prepared.once(counts);
  drain(prepared.waited_for);
  const Verified verified = prepared.verify();
  const std::int64_t verified_ns = context.clock.now_ns() - start_ns;
  if (verified_ns > 0) sample.verified_ns = double(verified_ns);
  sample.checksum = fmt::format("{:016x}", verified.checksum);
  if (verified.correct) return;
  sample.valid = false;
  sample.invalid_reason = "wrong_result";
}

}  // namespace perflab

#include "bench/gbench_cases.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "bench/take.h"

namespace perflab {
namespace {

void add_to_label(std::string& label, const std::string& text) {
  if (label.find(text) == std::string::npos) label += (label.empty() ? "" : ", ") + text;
}

// Sums over samples of different lengths, weighted by their calls.
class Sums {
 public:
  void add(const Sample& sample) {
    const auto calls = double(sample.inner_iters);
    finish_ns_ += sample.finish_ns.value_or(0) * calls;
    submit_ns_ += sample.submit_ns.value_or(0) * calls;
    cpu_ns_ += sample.proc_cpu_ns_per_iter.value_or(0) * calls;
    for (const auto& [metric, value] : sample.metrics) metrics_[metric] += value * calls;
  }
  double finish_ns() const { return finish_ns_; }
  std::map<std::string, double> per_iteration(std::int64_t iterations, const Cost& cost) const {
    const auto calls = double(iterations);
    std::map<std::string, double> counters;
    for (const auto& [metric, sum] : metrics_) counters[metric] = sum / calls;
    counters["submit_ns"] = submit_ns_ / calls;
    counters["cores_used"] = cpu_ns_ / finish_ns_;
    if (cost.bytes() > 0) counters["bytes_per_second"] = 1e9 * cost.bytes() * calls / finish_ns_;
    if (cost.flops > 0) counters["flops_per_second"] = 1e9 * cost.flops * calls / finish_ns_;
    std::erase_if(counters, [](const auto& counter) { return !std::isfinite(counter.second); });
    return counters;
  }

 private:
  double finish_ns_ = 0, submit_ns_ = 0, cpu_ns_ = 0;
  std::map<std::string, double> metrics_;
};

Iterations ended(int exit_code, std::string error) {
  Iterations iterations;
  iterations.exit_code = exit_code;
  iterations.error = std::move(error);
  return iterations;
}

Iterations take_iterations(Prepared& prepared, std::int64_t iterations, int fault,
                           const SamplerContext& context) {
  const PointJob job{.variants = {},
                     .baseline = "",
                     .with_aa = false,
                     .invocation = 0,
                     .fault = fault,
                     .seed = 0,
                     .earlier = {}};
  Arm arm{.prepared = &prepared, .name = prepared.variant};
  Iterations result;
  Sums sums;
  Sample sample;
  for (std::int64_t left = iterations; left > 0; left -= arm.inner) {
    if (context.interrupted()) return ended(exit_codes::interrupted, "interrupted");
    arm.inner = prepared.max_inner > 0 ? std::min(left, prepared.max_inner) : left;
    sample = take_sample(arm, job, context, Phase::timed);
    if (sample.invalid_reason == "nonpositive_duration")
      return ended(exit_codes::no_samples, "nonpositive_duration: the clock did not move forward");
    if (sample.invalid_reason == "launch_only")
      return ended(exit_codes::wrong, "launch_only: a device still had work when the clock stopped");
    if (!sample.valid) add_to_label(result.label, sample.invalid_reason);
    sums.add(sample);
  }
  verify_sample(arm, context, sample);
  if (sample.invalid_reason == "wrong_result")
    return ended(
        exit_codes::wrong,
        "wrong_result: the output read back after the timed calls differs from the one that was checked");
  result.finish_ns = sums.finish_ns();
  result.counters = sums.per_iteration(iterations, prepared.cost);
  if (prepared.evidence != "measured") add_to_label(result.label, prepared.evidence);
  if (prepared.link == "modelled") add_to_label(result.label, "link modelled");
  return result;
}

}  // namespace

CasesOnDemand::CasesOnDemand(const std::deque<Experiment>& experiments, const LaunchRequest& request)
    : request_(request),
      plan_(make_plan(experiments, request.profile, request.plan)),
      fault_(choose_fault(experiments, request.fault)),
      device_(Device::named(request.device)) {
  for (std::size_t point = 0; point < plan_.size(); ++point)
    for (const std::string& variant : plan_[point].experiment->variant_names())
      names_.push_back(
          {point, variant, case_id(plan_[point].experiment->name(), plan_[point].point) + "/" + variant});
}

std::vector<std::string> CasesOnDemand::metric_names() const {
  std::set<std::string> names;
  for (const PlannedPoint& planned : plan_)
    names.insert(planned.experiment->metric_names().begin(), planned.experiment->metric_names().end());
  return {names.begin(), names.end()};
}

std::vector<Prepared> CasesOnDemand::prepare_point(const PlannedPoint& planned) const {
  const int fault = fault_.experiment == planned.experiment ? fault_.number : 0;
  std::vector<Prepared> variants;
  for (const std::string& variant : planned.experiment->variant_names())
    variants.push_back(prepare(*planned.experiment, planned.point, variant, device_, request_.seed, fault));
  return variants;
}

Prepared& CasesOnDemand::get(const Name& name) {
  auto found = alive_.find(name.point);
  if (found == alive_.end()) {
    keep_all_ = keep_all_ || seen_.contains(name.point);
    if (!keep_all_) alive_.clear();  // before the next one takes memory
    seen_.insert(name.point);
    found = alive_.emplace(name.point, prepare_point(plan_.at(name.point))).first;
  }
  return *std::find_if(found->second.begin(), found->second.end(),
                       [&](const Prepared& prepared) { return prepared.variant == name.variant; });
}

Iterations run_iterations(Prepared& prepared, std::int64_t iterations, int fault,
                          const SamplerContext& context) {
  PL_CHECK(iterations > 0 && prepared.status == "ok",
           "{}: {} iterations of a case that is {}; want 1 or more, ok", prepared.id(), iterations,
           prepared.status);
  try {
    return take_iterations(prepared, iterations, fault, context);
  } catch (const std::exception& error) {
    return ended(exit_codes::wrong, std::string("body_error: ") + error.what());
  }
}

std::vector<std::string> extra_counters() {
  return {"submit_ns", "cores_used", "bytes_per_second", "flops_per_second"};
}

}  // namespace perflab

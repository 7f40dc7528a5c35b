// What the judge knows about a run before it looks at claims.

#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.h"
#include "bench/judge_parts.h"

namespace perflab {
namespace {

Ceilings with_own(const JudgeInput& input, const std::deque<Experiment>& experiments) {
  Ceilings ceilings = input.ceilings;
  raise_ceilings(ceilings, input, experiments);
  return ceilings;
}

template <typename Record>
std::vector<Record> of_launch(std::vector<Record> records, int invocation) {
  std::erase_if(records, [&](const Record& record) { return record.invocation != invocation; });
  return records;
}

}  // namespace

Launch::Launch(const JudgeInput& input, const std::deque<Experiment>& experiments, int invocation)
    : results(of_launch(input.samples, invocation), of_launch(input.cases, invocation)),
      derived(derive_all(results, experiments)) {}

std::map<std::string, Derived> derive_all(const Results& results, const std::deque<Experiment>& experiments) {
  std::map<std::string, Derived> derived;
  for (const Experiment& experiment : experiments) {
    if (!experiment.derivation() || results.find(experiment.name()).empty()) continue;
    experiment.derivation()(results, derived[experiment.name()]);
    std::set<std::string> names;
    for (const DerivedRow& row : derived[experiment.name()].rows())
      PL_CHECK(names.insert(row.metric).second, "{}: derives '{}' twice; want one row per metric",
               experiment.name(), row.metric);
  }
  return derived;
}

Evidence::Evidence(const JudgeInput& judge_input, const std::deque<Experiment>& lab_experiments)
    : input(judge_input),
      experiments(lab_experiments),
      results(judge_input.samples, judge_input.cases),
      ceilings(with_own(judge_input, lab_experiments)),
      derived(derive_all(results, lab_experiments)) {
  std::set<int> invocations;
  std::size_t timed = 0, unstable = 0;
  for (const Sample& sample : input.samples) {
    invocations.insert(sample.invocation);
    if (sample.fault != 0) fault = sample.fault;
    if (sample.phase != Phase::timed) continue;
    ++timed;
    unstable += sample.invalid_reason == "clock_unstable" || sample.invalid_reason == "nonpositive_duration";
  }
  for (const CaseRow& row : input.cases) {
    if (row.fault != 0) fault = row.fault;
    profile = row.profile;
    decides = row.decides;
  }
  launches.assign(invocations.begin(), invocations.end());
  if (launches.size() >= 3)
    for (const int launch : launches)
      each_launch.push_back(std::make_unique<Launch>(input, experiments, launch));
  if (timed > 0) unstable_clock_share = double(unstable) / double(timed);
}

const Experiment* Evidence::experiment(const std::string& name) const {
  for (const Experiment& one : experiments)
    if (one.name() == name) return &one;
  return nullptr;
}

bool Evidence::defines_ceilings(const std::string& name) const {
  const Experiment* found = experiment(name);
  return found && found->ceilings();
}

namespace {

const Series* beside(const Evidence& evidence, const Series& series, std::string_view variant) {
  for (const Series& other : evidence.results.all())
    if (other.info.case_id == series.info.case_id && other.info.variant == variant) return &other;
  return nullptr;
}

}  // namespace

const Series* baseline_of(const Evidence& evidence, const Series& series) {
  if (series.info.variant == series.info.baseline) return nullptr;
  return beside(evidence, series, series.info.baseline);
}

const Series* control_of(const Evidence& evidence, const Series& series) {
  const Series* here = beside(evidence, series, aa_variant);
  if (here && !here->timed.empty()) return here;
  const Series* shared = nullptr;
  std::set<std::string> variants;
  for (const Series& other : evidence.results.all()) {
    if (other.info.experiment != series.info.experiment) continue;
    if (other.info.variant != aa_variant) variants.insert(other.info.variant);
    else if (!shared && !other.timed.empty()) shared = &other;
  }
  return variants.size() == 1 ? shared : nullptr;
}

std::optional<BlockEstimate> control_ratio(const Evidence& evidence, const Series& series,
                                           std::string_view metric, double level) {
  const Series* control = control_of(evidence, series);
  if (!control) return std::nullopt;
  const Series* baseline = baseline_of(evidence, *control);
  return baseline ? Results::pair_blocks(*control, metric, *baseline, metric, level) : std::nullopt;
}

double comparison_level(const Evidence& evidence, const Series& series) {
  int compared = 0;
  for (const Series& other : evidence.results.all())
    compared += other.info.case_id == series.info.case_id && other.info.variant != aa_variant &&
                other.info.variant != other.info.baseline && !other.timed.empty();
  return bonferroni_level(0.95, std::max(compared, 1));
}

double invalid_share(const Series& series) {
  const double taken = double(series.timed.size()) + series.n_invalid;
  return taken > 0 ? series.n_invalid / taken : 0;
}

bool is_disturbed(const Series& series) {
  return std::any_of(series.invocations.begin(), series.invocations.end(),
                     [](const CaseRow& row) { return row.others_cpu_share.value_or(0) > most_others_share; });
}

double separates_above_ratio(const Evidence& evidence) {
  std::vector<double> ratios;
  for (const Series& series : evidence.results.all()) {
    if (series.info.variant != aa_variant) continue;
    const auto ratio = control_ratio(evidence, series, "finish");
    if (ratio && ratio->estimate.interval) ratios.push_back(mde_ratio(ratio->estimate));
  }
  return ratios.empty() ? 0 : median(ratios);
}

bool is_steady(const Series& series) {
  return std::none_of(series.invocations.begin(), series.invocations.end(),
                      [](const CaseRow& row) { return row.warmup_state == "not_steady"; });
}

bool is_wrong(const Series& series) {
  return std::any_of(series.invocations.begin(), series.invocations.end(), [](const CaseRow& row) {
    return row.gate == "failed" || (row.status == "failed" && row.status_reason != "no_valid_samples");
  });
}

bool needs_software(const Claim& claim) { return claim.needs_hw.find("sw:") != std::string::npos; }

bool any_stands_in(const std::vector<const Series*>& used, const Claim& claim) {
  return std::any_of(used.begin(), used.end(), [&](const Series* series) {
    return series->info.subject == "perflab_engine" &&
           (needs_software(claim) || !series->info.device.starts_with("cuda:"));
  });
}

bool ratio_excludes_one(const Estimate& ratio) {
  return ratio.interval && (ratio.interval->lo > 1 || ratio.interval->hi < 1);
}

}  // namespace perflab

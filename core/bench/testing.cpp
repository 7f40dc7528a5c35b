#include "bench/testing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace perflab {
namespace {

std::string id_of(const std::string& experiment, const Match& axes) {
  std::string id = experiment;
  for (const auto& [axis, value] : axes) id += '/' + axis + '=' + value;
  return id;
}

}  // namespace

std::vector<double> steady(double value, int n) { return std::vector<double>(std::size_t(n), value); }

double normal(const Random& random, std::uint64_t index) {
  const double u = (double(random.bits(2 * index)) + 0.5) / 4294967296.0;  // never 0
  const double v = double(random.bits(2 * index + 1)) / 4294967296.0;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

std::vector<double> noisy(double center, double relative, int n, std::uint64_t seed) {
  const Random random(seed);
  std::vector<double> values;
  for (int i = 0; i < n; ++i)
    values.push_back(center * std::exp(relative * normal(random, std::uint64_t(i))));
  return values;
}

ConstructedRun::ConstructedRun(std::string experiment, std::string profile)
    : experiment_(std::move(experiment)), profile_(std::move(profile)) {}

ConstructedRun& ConstructedRun::experiment(std::string name) {
  experiment_ = std::move(name);
  return *this;
}
ConstructedRun& ConstructedRun::work(Cost per_call) {
  work_ = per_call;
  return *this;
}
ConstructedRun& ConstructedRun::bound(Bound bound) {
  bound_ = std::move(bound);
  return *this;
}
ConstructedRun& ConstructedRun::evidence(std::string evidence, std::string subject) {
  evidence_ = std::move(evidence);
  subject_ = std::move(subject);
  return *this;
}
ConstructedRun& ConstructedRun::invocation(int number) {
  invocation_ = number;
  return *this;
}
ConstructedRun& ConstructedRun::fault(int number) {
  fault_ = number;
  return *this;
}
ConstructedRun& ConstructedRun::device(std::string name) {
  device_ = std::move(name);
  return *this;
}
ConstructedRun& ConstructedRun::warmup_state(std::string state) {
  warmup_state_ = std::move(state);
  return *this;
}

void ConstructedRun::add(const Match& axes, const std::string& variant, const std::string& baseline,
                         const std::vector<double>& times, int order) {
  CaseRow row;
  row.experiment = experiment_;
  row.case_id = last_case_;
  row.variant = variant;
  row.baseline = baseline;
  for (const auto& [axis, value] : axes) row.axes[axis] = value;
  row.invocation = invocation_;
  row.profile = profile_;
  row.decides = profile_ != "smoke";
  row.fault = fault_;
  row.device = device_;
  row.evidence = evidence_;
  row.subject = subject_;
  row.link = "none";
  row.cache_state = "hot";
  row.cost = work_;
  row.level = bound_.level;
  row.pattern = bound_.pattern;
  row.threads = bound_.threads;
  row.working_set_bytes = bound_.working_set_bytes;
  row.gate = "passed";
  row.first_call_ns = times.empty() ? 0 : std::int64_t(times.front());
  row.warmup_state = warmup_state_;
  row.warmup_calls = 3;
  row.inner_iters = 1;
  row.blocks = int(times.size());
  row.stop_reason = "precision";
  row.status = "ok";
  cases.push_back(row);
  for (std::size_t block = 0; block < times.size(); ++block) {
    Sample sample;
    sample.experiment = experiment_;
    sample.case_id = last_case_;
    sample.variant = variant;
    sample.axes = row.axes;
    sample.device = device_;
    sample.evidence = evidence_;
    sample.link = "none";
    sample.fault = fault_;
    sample.invocation = invocation_;
    sample.block = int(block);
    sample.order_in_block = order;
    sample.t_start_ns = std::int64_t(samples.size()) * 1'000'000;
    sample.submit_ns = sample.finish_ns = times[block];
    samples.push_back(std::move(sample));
  }
}

ConstructedRun& ConstructedRun::point(const Match& axes, const Times& finish_ns) {
  PL_CHECK(!finish_ns.empty(), "constructed run: a point without variants; want at least one");
  const bool first = std::none_of(cases.begin(), cases.end(), [&](const CaseRow& row) {
    return row.experiment == experiment_ && row.invocation == invocation_;
  });
  last_case_ = id_of(experiment_, axes);
  const std::string& baseline = finish_ns.front().first;
  bool aa_given = false;
  int order = 0;
  for (const auto& [variant, times] : finish_ns) {
    add(axes, variant, baseline, times, order++);
    aa_given = aa_given || variant == aa_variant;
  }
  if (!aa_given && (first || finish_ns.size() > 1))
    add(axes, aa_variant, baseline, finish_ns.front().second, order);
  return *this;
}

std::vector<Sample*> ConstructedRun::last(std::string_view variant) {
  std::vector<Sample*> found;
  for (Sample& sample : samples)
    if (sample.case_id == last_case_ && sample.variant == variant && sample.invocation == invocation_)
      found.push_back(&sample);
  PL_CHECK(!found.empty(), "constructed run: no samples of '{}' at '{}'", variant, last_case_);
  return found;
}

ConstructedRun& ConstructedRun::clock(std::string_view clock, std::string_view variant,
                                      const std::vector<double>& values) {
  const std::vector<Sample*> found = last(variant);
  PL_CHECK(found.size() == values.size(), "constructed run: {} values for {} blocks", values.size(),
           found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (clock == "submit") found[i]->submit_ns = values[i];
    else if (clock == "verified") found[i]->verified_ns = values[i];
    else if (clock == "proc_cpu") found[i]->proc_cpu_ns_per_iter = values[i];
    else fail(ErrorKind::check, "constructed run: clock '{}'; want submit, verified or proc_cpu", clock);
  }
  return *this;
}

ConstructedRun& ConstructedRun::metric(const std::string& name, std::string_view variant,
                                       const std::vector<double>& values) {
  const std::vector<Sample*> found = last(variant);
  PL_CHECK(found.size() == values.size(), "constructed run: {} values for {} blocks", values.size(),
           found.size());
  for (std::size_t i = 0; i < found.size(); ++i) found[i]->metrics[name] = values[i];
  return *this;
}

ConstructedRun& ConstructedRun::invalid(std::string_view variant, int block, std::string reason) {
  Sample& sample = *last(variant).at(std::size_t(block));
  sample.valid = false;
  sample.invalid_reason = std::move(reason);
  return *this;
}

ConstructedRun& ConstructedRun::ending(std::string_view variant, std::string status, std::string reason) {
  for (CaseRow& row : cases)
    if (row.case_id == last_case_ && row.variant == variant && row.invocation == invocation_) {
      row.status = status;
      row.status_reason = reason;
      if (reason == "wrong_result") row.gate = "failed";
    }
  return *this;
}

ConstructedRun& ConstructedRun::skipped(const Match& axes, std::string variant, std::string reason) {
  last_case_ = id_of(experiment_, axes);
  add(axes, variant, variant, {}, 0);
  CaseRow& row = cases.back();
  row.gate = "none";
  row.stop_reason.clear();
  row.first_call_ns.reset();
  row.status = "skipped";
  row.status_reason = std::move(reason);
  return *this;
}

JudgeInput ConstructedRun::input(std::vector<Claim> claims) const {
  JudgeInput input;
  input.run_id = "20260101T000000Z-000000";
  input.lab_id = "00_constructed";
  input.samples = samples;
  input.cases = cases;
  input.claims = std::move(claims);
  return input;
}

const VerdictRow& verdict_of(const Judgement& judgement, std::string_view claim_id) {
  for (const VerdictRow& row : judgement.verdicts)
    if (row.claim.claim_id == claim_id) return row;
  fail(ErrorKind::check, "no verdict on claim '{}'", claim_id);
}

std::string verdict_words(const Judgement& judgement, std::string_view claim_id) {
  const Decision& decision = verdict_of(judgement, claim_id).decision;
  return word_text(decision.word) + (decision.reason.empty() ? "" : " (" + decision.reason + ")");
}

std::string summary_cell(const Judgement& judgement, std::string_view case_id, std::string_view variant,
                         std::string_view metric, std::string_view column) {
  const auto at = [&](std::string_view name) {
    const auto found = std::find(judgement.summary_header.begin(), judgement.summary_header.end(), name);
    PL_CHECK(found != judgement.summary_header.end(), "summary: no column '{}'", name);
    return std::size_t(found - judgement.summary_header.begin());
  };
  const std::vector<std::string>* match = nullptr;
  for (const auto& row : judgement.summary) {
    if (row[at("case_id")] != case_id || row[at("variant")] != variant || row[at("metric")] != metric)
      continue;
    PL_CHECK(!match, "summary: two rows for {} {} {}", case_id, variant, metric);
    match = &row;
  }
  PL_CHECK(match, "summary: no row for {} {} {}", case_id, variant, metric);
  return (*match)[at(column)];
}

}  // namespace perflab

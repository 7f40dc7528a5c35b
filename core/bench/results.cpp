#include "bench/results.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"

namespace perflab {
namespace {

std::pair<int, int> place(const Sample& sample) { return {sample.invocation, sample.block}; }

// Work per nanosecond is giga-work per second.
std::optional<Estimate> rate(double work, const Series& series) {
  const BlockValues times = series.blocks("finish");
  if (work <= 0 || times.values.empty()) return std::nullopt;
  Estimate result = estimate_blocks(times).estimate;
  result.median = work / result.median;
  if (auto& interval = result.interval)
    interval = {work / interval->hi, work / interval->lo, interval->level};
  return result;
}

// A case that no launch finished has no row: what its samples say is all there is.
CaseRow made_up_from(const Sample& sample) {
  CaseRow row;
  row.experiment = sample.experiment;
  row.case_id = sample.case_id;
  row.variant = sample.variant;
  row.axes = sample.axes;
  row.invocation = sample.invocation;
  row.fault = sample.fault;
  row.device = sample.device;
  row.evidence = sample.evidence;
  row.link = sample.link;
  row.gate = "passed";  // nothing is timed before its gate
  row.stop_reason = "interrupted";
  row.status = "ok";
  row.status_reason = "interrupted";
  return row;
}

}  // namespace

std::optional<double> Series::value(const Sample& sample, std::string_view metric) const {
  if (metric == "submit") return sample.submit_ns;
  if (metric == "finish") return sample.finish_ns;
  if (metric == "verified") return sample.verified_ns;
  if (metric == "proc_cpu") return sample.proc_cpu_ns_per_iter;
  if (metric == "bandwidth" || metric == "throughput") {
    const double work = metric == "bandwidth" ? info.cost.bytes() : info.cost.flops;
    if (work <= 0 || !sample.finish_ns || *sample.finish_ns <= 0) return std::nullopt;
    return work / *sample.finish_ns;
  }
  const auto found = sample.metrics.find(std::string(metric));
  return found == sample.metrics.end() ? std::nullopt : std::optional(found->second);
}

BlockValues Series::blocks(std::string_view metric) const {
  BlockValues result;
  for (const Sample* sample : timed)
    if (const std::optional<double> one = value(*sample, metric)) {
      result.values.push_back(*one);
      result.invocations.push_back(sample->invocation);
    }
  return result;
}

std::vector<double> Series::clock(std::string_view name) const {
  constexpr std::array clocks = {"submit", "finish", "verified", "proc_cpu"};
  PL_CHECK(std::find(clocks.begin(), clocks.end(), name) != clocks.end(),
           "results: clock '{}'; want submit, finish, verified or proc_cpu", name);
  return blocks(name).values;
}

std::vector<double> Series::metric(std::string_view name) const { return blocks(name).values; }

Estimate Series::finish_ns() const {
  const BlockValues times = blocks("finish");
  PL_CHECK(!times.values.empty(), "{} {}: no valid sample with a finish clock", info.case_id, info.variant);
  return estimate_blocks(times).estimate;
}

std::optional<Estimate> Series::bandwidth_GBps() const { return rate(info.cost.bytes(), *this); }
std::optional<Estimate> Series::throughput_GFLOPS() const { return rate(info.cost.flops, *this); }

const std::string& Series::axis(std::string_view name) const {
  static const std::string none;
  const auto found = info.axes.find(std::string(name));
  return found == info.axes.end() ? none : found->second;
}

std::optional<double> break_even_calls(const Series& series, const Series& baseline) {
  if (series.timed.empty() || baseline.timed.empty()) return std::nullopt;
  if (!series.info.first_call_ns || !baseline.info.first_call_ns) return std::nullopt;
  const double gained_ns = median(baseline.clock("finish")) - median(series.clock("finish"));
  const auto invested_ns = double(*series.info.first_call_ns - *baseline.info.first_call_ns);
  if (gained_ns <= 0) return std::nullopt;
  return invested_ns < 0 ? 1 : std::floor(invested_ns / gained_ns) + 2;
}

Results::Results(std::vector<Sample> samples, std::vector<CaseRow> cases) : samples_(std::move(samples)) {
  std::map<std::pair<std::string, std::string>, std::size_t>
      places;  // (case, variant) -> series, in file order
  const auto series_of = [&](const std::string& id, const std::string& variant) -> Series& {
    const auto [found, fresh] = places.try_emplace({id, variant}, series_.size());
    if (fresh) series_.emplace_back();
    return series_[found->second];
  };
  for (CaseRow& row : cases) {
    auto& rows = series_of(row.case_id, row.variant).invocations;
    // A resumed launch writes its row again: the last one counts. What disturbed the first session's blocks
    // still stands beside them.
    for (const CaseRow& earlier : rows)
      if (earlier.invocation == row.invocation) {
        row.others_cpu_share = std::max(row.others_cpu_share, earlier.others_cpu_share);
        if (earlier.warmup_state == "not_steady") row.warmup_state = earlier.warmup_state;
      }
    std::erase_if(rows, [&](const CaseRow& earlier) { return earlier.invocation == row.invocation; });
    rows.push_back(std::move(row));
  }
  for (const Sample& sample : samples_) {
    Series& series = series_of(sample.case_id, sample.variant);
    if (series.invocations.empty() && series.info.case_id.empty()) series.info = made_up_from(sample);
    if (sample.phase != Phase::timed) continue;
    if (sample.valid) series.timed.push_back(&sample);
    else ++series.n_invalid;
    const bool finished =
        std::any_of(series.invocations.begin(), series.invocations.end(), [&](const CaseRow& row) {
          return row.invocation == sample.invocation && row.stop_reason != "interrupted";
        });
    series.interrupted = series.interrupted || !finished;
  }
  for (Series& series : series_) {
    std::stable_sort(series.invocations.begin(), series.invocations.end(),
                     [](const CaseRow& a, const CaseRow& b) { return a.invocation < b.invocation; });
    std::stable_sort(series.timed.begin(), series.timed.end(),
                     [](const Sample* a, const Sample* b) { return place(*a) < place(*b); });
    if (!series.invocations.empty()) series.info = series.invocations.back();
  }
}

std::vector<const Series*> Results::find(std::string_view experiment, const Match& match,
                                         std::string_view variant) const {
  std::vector<const Series*> found;
  for (const Series& series : series_) {
    if (series.info.experiment != experiment) continue;
    if (variant.empty() ? series.info.variant == aa_variant : series.info.variant != variant) continue;
    if (std::all_of(match.begin(), match.end(),
                    [&](const auto& pair) { return series.axis(pair.first) == pair.second; }))
      found.push_back(&series);
  }
  return found;
}

const Series* Results::only(std::string_view experiment, const Match& match, std::string_view variant) const {
  const std::vector<const Series*> found = find(experiment, match, variant);
  return found.size() == 1 ? found.front() : nullptr;
}

std::optional<BlockEstimate> Results::pair_blocks(const Series& a, std::string_view metric_a, const Series& b,
                                                  std::string_view metric_b, double level) {
  BlockValues ratios;
  auto other = b.timed.begin();
  for (const Sample* sample : a.timed) {  // both are in block order
    while (other != b.timed.end() && place(**other) < place(*sample)) ++other;
    if (other == b.timed.end()) break;
    if (place(**other) != place(*sample)) continue;
    const std::optional<double> over = a.value(*sample, metric_a), under = b.value(**other, metric_b);
    if (!over || !under || *over <= 0 || *under <= 0) continue;
    ratios.values.push_back(*over / *under);
    ratios.invocations.push_back(sample->invocation);
  }
  if (ratios.values.empty()) return std::nullopt;
  return estimate_block_ratios(ratios, level);
}

std::optional<Estimate> Results::ratio(const Series& a, std::string_view clock_a, const Series& b,
                                       std::string_view clock_b, double level) const {
  const auto blocks = pair_blocks(a, clock_a, b, clock_b, level);
  return blocks ? std::optional(blocks->estimate) : std::nullopt;
}

void Derived::add(DerivedRow row) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const bool whole = finite(row.value) &&
                     (!row.interval || (finite(row.interval->lo) && finite(row.interval->hi))) &&
                     std::all_of(row.every_sample.begin(), row.every_sample.end(), finite);
  if (!row.missing && !whole) {  // a quotient without its divisor, when part of a run's files is gone
    row.missing = true;
    row.note = "undefined_value";
    row.interval.reset();
    row.every_sample.clear();
  }
  rows_.push_back(std::move(row));
}

void Derived::missing(std::string metric, std::string unit, std::string reason) {
  DerivedRow row;
  row.metric = std::move(metric);
  row.unit = std::move(unit);
  row.note = std::move(reason);
  row.missing = true;
  rows_.push_back(std::move(row));
}

}  // namespace perflab

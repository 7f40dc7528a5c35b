// summary.csv: one row per case, variant and metric, as results/README.md describes it.

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/units.h"
#include "bench/judge_parts.h"
#include "bench/record_csv.h"

namespace perflab {
namespace {

using Cells = std::map<std::string, std::string>;

struct Metric {
  std::string name, unit;
};

std::string number(double value) { return format_number(value); }
std::string flag(bool value) { return value ? "1" : "0"; }

void put_interval(Cells& cells, const std::string& lo, const std::string& hi,
                  const std::optional<Interval>& interval) {
  if (!interval) return;
  cells[lo] = number(interval->lo);
  cells[hi] = number(interval->hi);
}

// "transfer_GBps" has the unit GBps; a name without an underscore counts.
std::string unit_suffix(const std::string& metric) {
  const std::size_t underscore = metric.rfind('_');
  return underscore == std::string::npos ? "count" : metric.substr(underscore + 1);
}

std::vector<Metric> metrics_of(const Series& series) {
  std::vector<Metric> metrics;
  const auto add = [&](const std::string& name, const std::string& unit) {
    if (!series.blocks(name).values.empty()) metrics.push_back({name, unit});
  };
  for (const char* clock : {"submit", "finish", "verified", "proc_cpu"}) add(clock, "ns");
  add("bandwidth", "GBps");
  add("throughput", "GFLOPS");
  std::set<std::string> declared;
  for (const Sample* sample : series.timed)
    for (const auto& [name, value] : sample->metrics) declared.insert(name);
  for (const std::string& name : declared) add(name, unit_suffix(name));
  return metrics;
}

Cells identity(const Evidence& evidence, const Series& series, const Metric& metric) {
  const CaseRow& row = series.info;
  Cells cells = {{"schema_version", fmt::format("{}", schema_version)},
                 {"run_id", evidence.input.run_id},
                 {"lab_id", evidence.input.lab_id},
                 {"experiment", row.experiment},
                 {"case_id", row.case_id},
                 {"variant", row.variant},
                 {"baseline", row.baseline},
                 {"metric", metric.name},
                 {"unit", metric.unit},
                 {"evidence", row.evidence},
                 {"cache_state", row.cache_state},
                 {"n_valid", fmt::format("{}", series.timed.size())},
                 {"n_invalid", fmt::format("{}", series.n_invalid)},
                 {"n_invocations", fmt::format("{}", series.invocations.size())},
                 {"warmup_state", is_steady(series) ? row.warmup_state : "not_steady"},
                 {"stop_reason", series.interrupted ? "interrupted" : row.stop_reason}};
  for (const auto& [axis, value] : row.axes) cells["p_" + axis] = value;
  if (row.first_call_ns) cells["first_call_ns"] = fmt::format("{}", *row.first_call_ns);
  return cells;
}

void put_distribution(Cells& cells, const Series& series, const Metric& metric) {
  const BlockValues blocks = series.blocks(metric.name);
  const bool positive =
      std::all_of(blocks.values.begin(), blocks.values.end(), [](double value) { return value > 0; });
  const BlockEstimate block = estimate_blocks(blocks);
  Estimate center = block.estimate;
  if (metric.name == "bandwidth") center = series.bandwidth_GBps().value_or(center);
  if (metric.name == "throughput") center = series.throughput_GFLOPS().value_or(center);
  cells["median"] = number(center.median);
  put_interval(cells, "ci_lo", "ci_hi", center.interval);
  if (center.interval) {
    cells["ci_level"] = number(center.interval->level);
    cells["ci_method"] = block.method;
  }
  cells["mad"] = number(mad(blocks.values));
  cells["q1"] = number(quantile_nearest_rank(blocks.values, 0.25));
  cells["q3"] = number(quantile_nearest_rank(blocks.values, 0.75));
  cells["min"] = number(quantile_nearest_rank(blocks.values, 0));
  cells["max"] = number(quantile_nearest_rank(blocks.values, 1));
  if (center.median != 0) cells["drift_pct"] = number(drift_pct(blocks.values));
  cells["lag1_autocorr"] = number(block.lag1);
  cells["iid_ok"] = flag(block.iid_ok);
  if (positive) cells["bimodal"] = flag(is_bimodal(blocks.values));
  const std::vector<bool> severe = severe_outliers(blocks.values);
  cells["outliers"] = fmt::format("{}", std::count(severe.begin(), severe.end(), true));
}

void put_ratios(Cells& cells, const Evidence& evidence, const Series& series, const Metric& metric) {
  const bool copy = series.info.variant == aa_variant;
  if (const Series* baseline = baseline_of(evidence, series)) {
    const double level = copy ? 0.95 : comparison_level(evidence, series);
    if (const auto ratio = Results::pair_blocks(series, metric.name, *baseline, metric.name, level)) {
      cells["ratio"] = number(ratio->estimate.median);
      put_interval(cells, "ratio_ci_lo", "ratio_ci_hi", ratio->estimate.interval);
      if (ratio->estimate.interval) cells["mde_ratio"] = number(mde_ratio(ratio->estimate));
    }
    if (metric.name == "finish" && !copy)
      if (const auto calls = break_even_calls(series, *baseline)) cells["break_even_calls"] = number(*calls);
  }
  if (const auto control = control_ratio(evidence, series, metric.name)) {
    cells["aa_ratio"] = number(control->estimate.median);
    put_interval(cells, "aa_ci_lo", "aa_ci_hi", control->estimate.interval);
    if (control->estimate.interval) cells["env_fit"] = flag(!ratio_excludes_one(control->estimate));
  }
}

void put_ceiling(Cells& cells, const Bounds& bounds, const Metric& metric) {
  const bool rate = metric.name == "bandwidth" || metric.name == "throughput";
  if (!rate || metric.unit != bounds.unit || !bounds.ceiling) return;
  cells["ceiling"] = number(*bounds.ceiling);
  cells["pct_of_ceiling"] = number(100 * parse_number(cells["median"]) / *bounds.ceiling);
}

// The first thing a reader of this row should know.
void put_status(Cells& cells, const Series& series, const Bounds& bounds) {
  const auto set = [&](const char* status, const std::string& reason) {
    cells["status"] = status;
    cells["status_reason"] = reason;
  };
  const double drift = cells["drift_pct"].empty() ? 0 : std::abs(parse_number(cells["drift_pct"]));
  if (is_wrong(series))
    return set("failed", series.info.status_reason.empty() ? "wrong_result" : series.info.status_reason);
  if (!bounds.reason.empty()) return set("failed", bounds.reason);
  if (series.interrupted) return set("noisy", "interrupted");
  if (invalid_share(series) > most_invalid) return set("noisy", "too_many_invalid");
  if (is_disturbed(series)) {
    cells["env_fit"] = flag(false);
    return set("noisy", "machine_busy");
  }
  if (cells["env_fit"] == "0") return set("noisy", "aa_unfit");
  if (!is_steady(series)) return set("noisy", "warmup_not_steady");
  if (drift > most_drift_pct) return set("noisy", "drift");
  if (cells["bimodal"] == "1") return set("noisy", "bimodal");
  if (cells["iid_ok"] == "0") return set("noisy", "autocorrelated");
  if (!bounds.unit.empty() && !bounds.ceiling) return set("ok", "ceiling_unknown");
  set("ok", "");
}

// A variant without one valid sample has a row that says why, and no number.
void put_absence(Cells& cells, const Series& series) {
  const std::string& reason = series.info.status_reason;
  cells["status_reason"] = reason;
  if (series.info.status == "skipped") {
    cells["status"] = reason.starts_with("needs_") || reason.starts_with("no_") ? "not_testable" : "skipped";
    return;
  }
  cells["status"] = "failed";
  if (reason.empty()) cells["status_reason"] = series.interrupted ? "interrupted" : "no_valid_samples";
}

// All samples of a variant lost for the same reason: always_throttled_cpu says more than no_valid_samples.
std::string common_reason(const Evidence& evidence, const Series& series) {
  std::set<std::string> reasons;
  for (const Sample& sample : evidence.results.samples())
    if (sample.case_id == series.info.case_id && sample.variant == series.info.variant &&
        sample.phase == Phase::timed)
      reasons.insert(sample.invalid_reason);
  return reasons.size() == 1 && !reasons.begin()->empty() ? "always_" + *reasons.begin() : "";
}

Cells derived_cells(const Evidence& evidence, const std::string& experiment, const DerivedRow& row) {
  Cells cells = {{"schema_version", fmt::format("{}", schema_version)},
                 {"run_id", evidence.input.run_id},
                 {"lab_id", evidence.input.lab_id},
                 {"experiment", experiment},
                 {"metric", row.metric},
                 {"unit", row.unit},
                 {"evidence", row.evidence},
                 {"n_invocations", fmt::format("{}", evidence.launches.size())},
                 {"status", row.missing ? "not_testable" : "ok"},
                 {"status_reason", row.note}};
  if (row.missing) return cells;
  cells["n_valid"] = fmt::format("{}", row.n);
  cells["median"] = number(row.value);
  put_interval(cells, "ci_lo", "ci_hi", row.interval);
  if (row.interval) {
    cells["ci_level"] = number(row.interval->level);
    cells["ci_method"] = "derived";
  }
  return cells;
}

std::vector<std::string> in_order(const std::vector<std::string>& header, const Cells& cells) {
  std::vector<std::string> fields;
  for (const std::string& name : header) {
    const auto found = cells.find(name);
    fields.push_back(found == cells.end() ? "" : found->second);
  }
  for (const auto& [name, value] : cells)
    PL_CHECK(std::find(header.begin(), header.end(), name) != header.end(), "summary: no column '{}'", name);
  return fields;
}

}  // namespace

std::vector<std::string> summary_header(const Evidence& evidence) {
  std::vector<std::string> header = {"schema_version", "run_id", "lab_id", "experiment", "case_id"};
  std::vector<std::string> axes = lab_schema(evidence.experiments, "", "").axes;
  for (const Series& series : evidence.results.all())
    for (const auto& [axis, value] : series.info.axes)
      if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  for (const std::string& axis : axes) header.push_back("p_" + axis);
  for (const char* name : {"variant",
                           "baseline",
                           "metric",
                           "unit",
                           "evidence",
                           "cache_state",
                           "n_valid",
                           "n_invalid",
                           "n_invocations",
                           "median",
                           "ci_lo",
                           "ci_hi",
                           "ci_level",
                           "ci_method",
                           "mad",
                           "q1",
                           "q3",
                           "min",
                           "max",
                           "ratio",
                           "ratio_ci_lo",
                           "ratio_ci_hi",
                           "mde_ratio",
                           "aa_ratio",
                           "aa_ci_lo",
                           "aa_ci_hi",
                           "ceiling",
                           "pct_of_ceiling",
                           "predicted",
                           "predicted_lo",
                           "predicted_hi",
                           "first_call_ns",
                           "break_even_calls",
                           "warmup_state",
                           "stop_reason",
                           "drift_pct",
                           "lag1_autocorr",
                           "iid_ok",
                           "bimodal",
                           "outliers",
                           "env_fit",
                           "status",
                           "status_reason"})
    header.emplace_back(name);
  return header;
}

std::vector<std::vector<std::string>> summary_rows(const Evidence& evidence) {
  const std::vector<std::string> header = summary_header(evidence);
  std::vector<std::vector<std::string>> rows;
  for (const Series& series : evidence.results.all()) {
    const std::vector<Metric> metrics = metrics_of(series);
    const Bounds bounds = bounds_of(evidence, series);
    if (metrics.empty()) {
      Cells cells = identity(evidence, series, {"finish", "ns"});
      put_absence(cells, series);
      if (const std::string reason = common_reason(evidence, series);
          cells["status_reason"] == "no_valid_samples" && !reason.empty())
        cells["status_reason"] = reason;
      rows.push_back(in_order(header, cells));
    }
    for (const Metric& metric : metrics) {
      Cells cells = identity(evidence, series, metric);
      put_distribution(cells, series, metric);
      put_ratios(cells, evidence, series, metric);
      put_ceiling(cells, bounds, metric);
      put_status(cells, series, bounds);
      rows.push_back(in_order(header, cells));
    }
  }
  for (const Experiment& experiment : evidence.experiments)
    if (const auto found = evidence.derived.find(experiment.name()); found != evidence.derived.end())
      for (const DerivedRow& row : found->second.rows())
        rows.push_back(in_order(header, derived_cells(evidence, experiment.name(), row)));
  if (const double ratio = separates_above_ratio(evidence); ratio > 0)
    rows.push_back(in_order(
        header,
        derived_cells(evidence, "", {.metric = separates_above_metric, .unit = "ratio", .value = ratio})));
  return rows;
}

}  // namespace perflab

#include "derive.h"

#include <algorithm>

namespace perflab::waiting {
namespace {

void add_or_missing(Derived& derived, DerivedRow row, const std::optional<Estimate>& value,
                    std::string reason) {
  std::erase(row.used, nullptr);
  row.missing = !value;
  if (value) {
    row.value = value->median;
    row.interval = value->interval;
    row.n = value->n;
  } else {
    row.note = std::move(reason);
  }
  derived.add(std::move(row));
}

}  // namespace

std::string reason_for_none(const Series* series) {
  constexpr std::string_view missing_peer = "peer_missing:";
  if (series == nullptr) return "case_not_run";
  const std::string& reason = series->info.status_reason;
  if (reason.starts_with(missing_peer)) return "needs_" + reason.substr(missing_peer.size());
  if (series->info.status == "skipped") return reason;
  return series->timed.empty() ? "no_valid_samples" : "";
}

void add_ratio(Derived& derived, std::string name, const Series* a, std::string_view metric_a,
               const Series* b, std::string_view metric_b, std::string implausible) {
  std::string reason = reason_for_none(a);
  if (reason.empty()) reason = reason_for_none(b);
  std::optional<Estimate> ratio;
  if (reason.empty()) {
    const auto pairs = Results::pair_blocks(*a, metric_a, *b, metric_b);
    if (pairs) ratio = pairs->estimate;
    else reason = "no_such_quantity";
  }
  DerivedRow row{
      .metric = std::move(name), .unit = "ratio", .implausible = std::move(implausible), .used = {a}};
  if (b != a) row.used.push_back(b);
  add_or_missing(derived, std::move(row), ratio, std::move(reason));
}

void add_median(Derived& derived, std::string name, std::string unit, const Series* series,
                std::string_view metric, double factor) {
  std::string reason = reason_for_none(series);
  std::optional<Estimate> value;
  if (reason.empty()) {
    const BlockValues blocks = series->blocks(metric);
    if (blocks.values.empty()) {
      reason = "no_such_quantity";
    } else {
      value = estimate_blocks(blocks).estimate;
      value->median *= factor;
      if (value->interval)
        value->interval =
            Interval{factor * value->interval->lo, factor * value->interval->hi, value->interval->level};
    }
  }
  add_or_missing(derived, {.metric = std::move(name), .unit = std::move(unit), .used = {series}}, value,
                 std::move(reason));
}

void add_every_sample(Derived& derived, std::string name, const Series* series, std::string_view metric) {
  std::string reason = reason_for_none(series);
  std::optional<Estimate> value;
  DerivedRow row{.metric = std::move(name), .unit = "count", .used = {series}};
  if (reason.empty()) {
    row.every_sample = series->metric(metric);
    if (row.every_sample.empty()) reason = "no_such_quantity";
    else value = estimate(row.every_sample);
  }
  add_or_missing(derived, std::move(row), value, std::move(reason));
}

}  // namespace perflab::waiting

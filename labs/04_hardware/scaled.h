#pragma once
// Small helpers for derive(): estimates in another unit, and rows that say what they rest on and why they are
// empty.

#include <optional>
#include <string>
#include <vector>

#include "bench/results.h"

namespace perflab::hardware {

inline Estimate scaled(Estimate estimate, double factor) {  // factor > 0
  estimate.median *= factor;
  if (estimate.interval)
    estimate.interval =
        Interval{estimate.interval->lo * factor, estimate.interval->hi * factor, estimate.interval->level};
  return estimate;
}

inline void add_or_missing(Derived& derived, std::string metric, std::string unit,
                           const std::optional<Estimate>& value, std::string reason,
                           std::vector<const Series*> used = {}) {
  DerivedRow row;
  row.metric = std::move(metric);
  row.unit = std::move(unit);
  row.used = std::move(used);
  std::erase(row.used, nullptr);
  if (!value) {  // what it would rest on still counts: a wrong result there is more than a missing number
    row.missing = true;
    row.note = std::move(reason);
    return derived.add(std::move(row));
  }
  row.value = value->median;
  row.interval = value->interval;
  row.n = value->n;
  derived.add(std::move(row));
}

}  // namespace perflab::hardware

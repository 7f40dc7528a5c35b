#pragma once
// Small helpers for derive(): estimates in another unit, and rows that say why they are empty.

#include <optional>
#include <string>

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
                           const std::optional<Estimate>& value, std::string reason) {
  if (!value) return derived.missing(std::move(metric), std::move(unit), std::move(reason));
  DerivedRow row;
  row.metric = std::move(metric);
  row.unit = std::move(unit);
  row.value = value->median;
  row.interval = value->interval;
  row.n = value->n;
  derived.add(std::move(row));
}

}  // namespace perflab::hardware

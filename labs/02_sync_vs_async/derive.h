#pragma once
// Small helpers for derive(): ratios and medians that say what they rest on and why they are empty.

#include <string>
#include <string_view>

#include "bench/results.h"

namespace perflab::waiting {

// Why there is no number from this series; "" if there is one. A peer that is not installed reads needs_NAME.
std::string reason_for_none(const Series* series);

// a.metric_a / b.metric_b, paired per block. implausible: why it cannot be, if it breaks a physical bound.
void add_ratio(Derived& derived, std::string name, const Series* a, std::string_view metric_a,
               const Series* b, std::string_view metric_b, std::string implausible = {});
// Median and interval of a series' metric, times factor.
void add_median(Derived& derived, std::string name, std::string unit, const Series* series,
                std::string_view metric, double factor = 1);
// A count of which every sample matters.
void add_every_sample(Derived& derived, std::string name, const Series* series, std::string_view metric);

}  // namespace perflab::waiting

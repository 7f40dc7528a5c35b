#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace perflab {
namespace {

std::vector<double> sorted_copy(std::span<const double> values, const char* who) {
  PL_CHECK(!values.empty(), "{}: no values; want at least one", who);
  for (const double value : values) PL_CHECK(std::isfinite(value), "{}: a value is not finite", who);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

double middle(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

}  // namespace

double median(std::span<const double> values) { return middle(sorted_copy(values, "median")); }

double quantile_nearest_rank(std::span<const double> values, double q) {
  PL_CHECK(q >= 0 && q <= 1, "quantile: q is {}; want 0..1", q);
  const std::vector<double> sorted = sorted_copy(values, "quantile");
  const auto rank = std::size_t(std::ceil(q * double(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

double mad(std::span<const double> values) {
  const double center = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - center));
  return median(distances);
}

// The median lies outside (x_lo, x_hi) when fewer than lo, or more than n - lo, of n fair coins fall below
// it.
double median_interval_coverage(int n, int lo_rank) {
  PL_CHECK(n >= 1 && lo_rank >= 1, "median interval: n {}, rank {}; want both at least 1", n, lo_rank);
  double log_term =
      -double(n) * std::log(2.0);  // of P(exactly k below), in logarithms: 2^-n underflows for n > 1074
  double below = 0;
  for (int k = 0; k < lo_rank; ++k) {
    below += std::exp(log_term);
    log_term += std::log(double(n - k) / double(k + 1));
  }
  return 1 - 2 * below;
}

std::optional<std::pair<int, int>> median_interval_ranks(int n, double level) {
  PL_CHECK(level > 0 && level < 1, "median interval: level is {}; want between 0 and 1", level);
  if (n < 1) return std::nullopt;
  int lo = 0;
  while (lo + 1 <= n / 2 && median_interval_coverage(n, lo + 1) >= level) ++lo;
  if (lo == 0) return std::nullopt;
  return std::pair{lo, n + 1 - lo};
}

std::optional<Interval> median_interval(std::span<const double> values, double level) {
  const std::vector<double> sorted = sorted_copy(values, "median interval");
  const auto ranks = median_interval_ranks(int(sorted.size()), level);
  if (!ranks) return std::nullopt;
  return Interval{sorted[std::size_t(ranks->first - 1)], sorted[std::size_t(ranks->second - 1)],
                  median_interval_coverage(int(sorted.size()), ranks->first)};
}

Estimate estimate(std::span<const double> values, double level) {
  return {median(values), median_interval(values, level), int(values.size())};
}

Estimate ratio_estimate(std::span<const double> a, std::span<const double> b, double level) {
  PL_CHECK(a.size() == b.size(), "ratio: {} and {} values; want pairs", a.size(), b.size());
  std::vector<double> logs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    PL_CHECK(a[i] > 0 && b[i] > 0, "ratio: pair {} is {} / {}; want positive values", i, a[i], b[i]);
    logs.push_back(std::log(a[i] / b[i]));
  }
  Estimate ratio = estimate(logs, level);
  ratio.median = std::exp(ratio.median);
  if (ratio.interval)
    ratio.interval = {std::exp(ratio.interval->lo), std::exp(ratio.interval->hi), ratio.interval->level};
  return ratio;
}

double bonferroni_level(double level, int comparisons) {
  PL_CHECK(comparisons >= 1, "Bonferroni: {} comparisons; want at least 1", comparisons);
  return 1 - (1 - level) / comparisons;
}

double half_width_log(const Estimate& ratio) {
  if (!ratio.interval) return std::numeric_limits<double>::infinity();
  PL_CHECK(ratio.interval->lo > 0, "half width: interval starts at {}; want a positive ratio",
           ratio.interval->lo);
  return 0.5 * (std::log(ratio.interval->hi) - std::log(ratio.interval->lo));
}

double mde_ratio(const Estimate& ratio) { return ratio.interval ? std::exp(half_width_log(ratio)) : 0; }

int samples_for_tail(double quantile) {
  PL_CHECK(quantile > 0 && quantile < 1, "tail: quantile is {}; want between 0 and 1", quantile);
  // The largest of n samples lies above the quantile with probability 1 - q^n; want 95 %.
  return int(std::ceil(std::log(0.05) / std::log(quantile)));
}

}  // namespace perflab

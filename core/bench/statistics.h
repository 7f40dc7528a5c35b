#pragma once
// Statistics — medians, order-statistic intervals and the flags that say when not to trust them. Pure
// functions.
//
// Inputs are finite; times and ratios positive where a logarithm is taken (Error(check) otherwise).
// Everything is deterministic: bootstraps take a fixed seed. docs/measuring.md gives the reasons for each
// choice.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace perflab {

double median(std::span<const double> values);  // mean of the two middle ones for even n; n >= 1
double quantile_nearest_rank(std::span<const double> values, double q);
double mad(std::span<const double> values);  // median absolute deviation from the median

struct Interval {
  double lo, hi;
  double level;  // actual coverage of the order-statistic interval, >= the level asked for
};
// Ranks (1-based, lo and hi) of the shortest symmetric order-statistic interval of the median with coverage
// >= level; nothing when n is too small. Exact binomial: n=10 -> (2, 9) at 97.9 %.
std::optional<std::pair<int, int>> median_interval_ranks(int n, double level);
double median_interval_coverage(int n, int lo_rank);  // of the interval from lo_rank to n + 1 - lo_rank
std::optional<Interval> median_interval(std::span<const double> values, double level = 0.95);

struct Estimate {
  double median = 0;
  std::optional<Interval> interval;  // none for n < 6
  int n = 0;
};
Estimate estimate(std::span<const double> values, double level = 0.95);
// exp of the median of log(a/b) over pairs, with the interval transformed; sizes equal.
Estimate ratio_estimate(std::span<const double> a, std::span<const double> b, double level = 0.95);
double bonferroni_level(double level, int comparisons);  // 1 - (1-level)/m

double half_width_log(const Estimate& ratio);                 // (log hi - log lo) / 2; +inf without interval
double lag1_autocorrelation(std::span<const double> values);  // 0 for n < 3 or constant values
double theil_sen_slope(std::span<const double> x,
                       std::span<const double> y);  // more than 2000 points are thinned evenly
double drift_pct(std::span<const double> values);   // robust slope over the whole run, in % of the median
// Largest log gap > 3x the median gap, both sides >= 20 %. A gap under 1 % is the clock's grain, not a
// second mode.
bool is_bimodal(std::span<const double> values);
// An incomplete last batch is left out.
std::vector<double> batch_means(std::span<const double> values, int batch);
// The smallest ratio from 1 that this interval could have separated; 0 without interval.
double mde_ratio(const Estimate& ratio);
double modified_z(double value, double center, double mad_value);
// Modified z > 10 or beyond 3x the quartile range.
std::vector<bool> severe_outliers(std::span<const double> values);

struct Slope {
  double value, lo, hi;
};
// Least squares on the logarithms: the exponent p of y = c * x^p, with its 95 % percentile interval over
// resampled points.
Slope bootstrap_log_slope(std::span<const double> x, std::span<const double> y, std::uint64_t seed,
                          int resamples = 2000);
// A labelled extra only: per-case ratios come first. No interval for fewer than 6 ratios.
Estimate geometric_mean_bootstrap(std::span<const double> ratios, std::uint64_t seed, int resamples = 2000);
int samples_for_tail(double quantile);  // 59 for 0.95, 299 for 0.99

}  // namespace perflab

// Bootstraps with a fixed seed: slopes over a sweep and geometric means over cases.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "base/random.h"
#include "bench/statistics.h"

namespace perflab {
namespace {

std::vector<double> logs_of(std::span<const double> values, const char* who) {
  std::vector<double> logs;
  for (const double value : values) {
    PL_CHECK(value > 0, "{}: a value is {}; want positive ones", who, value);
    logs.push_back(std::log(value));
  }
  return logs;
}

// NaN-free: nothing when all x are equal.
std::optional<double> least_squares(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = double(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
  }
  if (xx < 1e-18) return std::nullopt;
  return xy / xx;
}

}  // namespace

Slope bootstrap_log_slope(std::span<const double> x, std::span<const double> y, std::uint64_t seed,
                          int resamples) {
  PL_CHECK(x.size() == y.size(), "log slope: {} and {} values; want pairs", x.size(), y.size());
  PL_CHECK(resamples >= 40, "log slope: {} resamples; want at least 40 for a 95 % interval", resamples);
  const std::vector<double> log_x = logs_of(x, "log slope"), log_y = logs_of(y, "log slope");
  const std::optional<double> slope = x.empty() ? std::nullopt : least_squares(log_x, log_y);
  PL_CHECK(slope, "log slope: {} points share one x; want two different ones", x.size());

  const Random random(seed);
  std::uint64_t draws = 0;
  std::vector<double> slopes, drawn_x(x.size()), drawn_y(x.size());
  for (int k = 0; k < resamples; ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::uint64_t pick = random.below(draws++, x.size());
      drawn_x[i] = log_x[pick];
      drawn_y[i] = log_y[pick];
    }
    if (const auto drawn = least_squares(drawn_x, drawn_y)) slopes.push_back(*drawn);
  }
  if (slopes.empty()) return {*slope, *slope, *slope};
  return {*slope, quantile_nearest_rank(slopes, 0.025), quantile_nearest_rank(slopes, 0.975)};
}

Estimate geometric_mean_bootstrap(std::span<const double> ratios, std::uint64_t seed, int resamples) {
  PL_CHECK(!ratios.empty(), "geometric mean: no ratios; want at least one");
  PL_CHECK(resamples >= 40, "geometric mean: {} resamples; want at least 40 for a 95 % interval", resamples);
  const std::vector<double> logs = logs_of(ratios, "geometric mean");
  const auto n = double(logs.size());
  Estimate result{std::exp(std::accumulate(logs.begin(), logs.end(), 0.0) / n), std::nullopt,
                  int(logs.size())};
  if (logs.size() < 6) return result;

  const Random random(seed);
  std::uint64_t draws = 0;
  std::vector<double> means;
  for (int k = 0; k < resamples; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < logs.size(); ++i) sum += logs[random.below(draws++, logs.size())];
    means.push_back(std::exp(sum / n));
  }
  result.interval = {quantile_nearest_rank(means, 0.025), quantile_nearest_rank(means, 0.975), 0.95};
  return result;
}

}  // namespace perflab

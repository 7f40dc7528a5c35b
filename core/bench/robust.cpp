// Flags and robust slopes: the part of statistics.h that says when an interval should not be believed.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check.h"
#include "bench/statistics.h"

namespace perflab {
namespace {

constexpr std::size_t most_slope_points = 2000;  // two million slopes are sorted in a fraction of a second

}  // namespace

double lag1_autocorrelation(std::span<const double> values) {
  if (values.size() < 3) return 0;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double distance = values[i] - mean;
    squares += distance * distance;
    if (i > 0) products += distance * (values[i - 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

double theil_sen_slope(std::span<const double> x, std::span<const double> y) {
  PL_CHECK(x.size() == y.size(), "slope: {} and {} values; want pairs", x.size(), y.size());
  const std::size_t step = (x.size() + most_slope_points - 1) / most_slope_points;
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); i += step)
    for (std::size_t k = i + step; k < x.size(); k += step)
      if (x[i] != x[k]) slopes.push_back((y[k] - y[i]) / (x[k] - x[i]));
  PL_CHECK(!slopes.empty(), "slope: {} points share one x; want two different ones", x.size());
  return median(slopes);
}

double drift_pct(std::span<const double> values) {
  if (values.size() < 3) return 0;
  std::vector<double> index(values.size());
  std::iota(index.begin(), index.end(), 0.0);
  const double center = median(values);
  PL_CHECK(center != 0, "drift: the median is 0; want times or rates");
  return 100 * theil_sen_slope(index, values) * double(values.size() - 1) / std::abs(center);
}

bool is_bimodal(std::span<const double> values) {
  constexpr double grain = 0.01;
  if (values.size() < 5) return false;
  std::vector<double> logs;
  for (const double value : values) {
    PL_CHECK(value > 0, "bimodality: a value is {}; want positive ones", value);
    logs.push_back(std::log(value));
  }
  std::sort(logs.begin(), logs.end());
  std::vector<double> gaps;
  for (std::size_t i = 1; i < logs.size(); ++i) gaps.push_back(logs[i] - logs[i - 1]);
  const auto largest = std::max_element(gaps.begin(), gaps.end());
  const auto left = double(largest - gaps.begin() + 1), right = double(logs.size()) - left;
  const bool both_sides = std::min(left, right) >= 0.2 * double(logs.size());
  return both_sides && *largest > grain && *largest > 3 * median(gaps);
}

std::vector<double> batch_means(std::span<const double> values, int batch) {
  PL_CHECK(batch >= 1, "batch means: batches of {}; want at least 1", batch);
  std::vector<double> means;
  const auto size = std::size_t(batch);
  for (std::size_t begin = 0; begin + size <= values.size(); begin += size) {
    const auto part = values.subspan(begin, size);
    means.push_back(std::accumulate(part.begin(), part.end(), 0.0) / batch);
  }
  return means;
}

double modified_z(double value, double center, double mad_value) {
  if (value == center) return 0;
  if (mad_value == 0) return std::copysign(std::numeric_limits<double>::max(), value - center);
  return 0.6745 * (value - center) / mad_value;  // 0.6745 MADs are one standard deviation of normal data
}

std::vector<bool> severe_outliers(std::span<const double> values) {
  if (values.empty()) return {};
  const double center = median(values), spread = mad(values);
  const double q1 = quantile_nearest_rank(values, 0.25), q3 = quantile_nearest_rank(values, 0.75);
  const double reach = 3 * (q3 - q1);
  std::vector<bool> severe;
  for (const double value : values)
    severe.push_back(std::abs(modified_z(value, center, spread)) > 10 || value < q1 - reach ||
                     value > q3 + reach);
  return severe;
}

}  // namespace perflab

#include "bench/blocks.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.h"

namespace perflab {
namespace {

constexpr double remembers = 0.3;

using Launches = std::map<int, std::vector<double>>;

Launches by_launch(const BlockValues& blocks) {
  Launches launches;
  for (std::size_t i = 0; i < blocks.values.size(); ++i)
    launches[blocks.invocations[i]].push_back(blocks.values[i]);
  return launches;
}

std::vector<double> medians(const Launches& launches) {
  std::vector<double> result;
  for (const auto& [invocation, values] : launches) result.push_back(median(values));
  return result;
}

// Spread as a variance from the MAD (1.4826 MADs are one standard deviation of normal data): one spike in one
// launch must not look like a difference within all of them.
double robust_variance(const std::vector<double>& values) {
  const double sigma = 1.4826 * mad(values);
  return sigma * sigma;
}

double variance(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / double(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / double(values.size() - 1);
}

bool launches_differ(const Launches& launches) {
  if (launches.size() < 2) return false;
  std::vector<double> within;
  for (const auto& [invocation, values] : launches) within.push_back(robust_variance(values));
  const double between = variance(medians(launches));
  return between > 0 && between > median(within);
}

double lag1_within(const BlockValues& blocks, const Launches& launches) {
  std::map<int, double> centers;
  for (const auto& [invocation, values] : launches) centers[invocation] = median(values);
  std::vector<double> centred;
  for (std::size_t i = 0; i < blocks.values.size(); ++i)
    centred.push_back(blocks.values[i] - centers.at(blocks.invocations[i]));
  return lag1_autocorrelation(centred);
}

// Batches of at least two blocks, and as near to ten batches as the number of blocks allows.
std::vector<double> batches(const Launches& launches, std::size_t blocks) {
  const int size = std::max(2, int(blocks / 10));
  std::vector<double> means;
  for (const auto& [invocation, values] : launches) {
    const std::vector<double> part = batch_means(values, size);
    means.insert(means.end(), part.begin(), part.end());
  }
  return means;
}

}  // namespace

BlockEstimate estimate_blocks(const BlockValues& blocks, double level) {
  PL_CHECK(blocks.values.size() == blocks.invocations.size(), "blocks: {} values, {} invocations; want pairs",
           blocks.values.size(), blocks.invocations.size());
  PL_CHECK(!blocks.values.empty(), "blocks: no values; want at least one");
  BlockEstimate result;
  const Launches launches = by_launch(blocks);
  result.lag1 = lag1_within(blocks, launches);
  result.iid_ok = std::abs(result.lag1) <= remembers;
  result.between_launches = launches_differ(launches);
  result.estimate = estimate(blocks.values, level);
  if (result.between_launches) {
    result.method = "invocation";
    result.estimate.interval = median_interval(medians(launches), level);
  } else if (result.lag1 > remembers) {
    // Negative memory makes the plain interval too wide, never too narrow; only positive memory needs
    // batches.
    result.method = "batch_means";
    const std::vector<double> means = batches(launches, blocks.values.size());
    result.estimate.interval = means.empty() ? std::nullopt : median_interval(means, level);
  }
  if (auto& interval = result.estimate.interval) {  // of another unit: may just miss the blocks' median
    interval->lo = std::min(interval->lo, result.estimate.median);
    interval->hi = std::max(interval->hi, result.estimate.median);
  }
  return result;
}

int launches_in(const BlockValues& blocks) { return int(by_launch(blocks).size()); }

Units independent_units(const BlockValues& blocks, bool launch_is_unit) {
  const Launches launches = by_launch(blocks);
  if (launch_is_unit) return {medians(launches), "invocation"};
  if (lag1_within(blocks, launches) > remembers)
    if (std::vector<double> means = batches(launches, blocks.values.size()); !means.empty())
      return {std::move(means), "batch_means"};
  return {blocks.values, "order_statistic"};
}

BlockEstimate estimate_block_ratios(const BlockValues& ratios, double level) {
  BlockValues logs = ratios;
  for (double& value : logs.values) {
    PL_CHECK(value > 0, "blocks: a ratio is {}; want positive ones", value);
    value = std::log(value);
  }
  BlockEstimate result = estimate_blocks(logs, level);
  result.estimate.median = std::exp(result.estimate.median);
  if (auto& interval = result.estimate.interval)
    interval = {std::exp(interval->lo), std::exp(interval->hi), interval->level};
  return result;
}

}  // namespace perflab

#include "bench/rank_ratio.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"

namespace perflab {
namespace {

constexpr int most_exact = 400;            // n + m, for the exact distribution
constexpr std::size_t most_values = 2000;  // of one side: four million ratios are sorted in a second

// Shares of all orders of n + m values by U, the number of pairs in which b is smaller. The counts are the
// coefficients of the Gaussian binomial, built factor by factor; shares, because counts overflow.
std::vector<double> rank_shares(int n, int m) {
  const int pairs = n * m;
  std::vector<double> counts(std::size_t(pairs) + 1, 0.0);
  counts[0] = 1;
  for (int i = 1; i <= n; ++i) {
    for (int u = pairs; u >= m + i; --u) counts[std::size_t(u)] -= counts[std::size_t(u - m - i)];
    for (int u = i; u <= pairs; ++u) counts[std::size_t(u)] += counts[std::size_t(u - i)];
    const double largest = *std::max_element(counts.begin(), counts.end());
    for (double& count : counts) count /= largest;
  }
  double sum = 0;
  for (const double count : counts) sum += count;
  for (double& count : counts) count /= sum;
  return counts;
}

// Largest rank k with P(U < k) <= tail, and that probability; k = 0 if there is none.
RankInterval exact_rank(int n, int m, double tail) {
  const std::vector<double> shares = rank_shares(n, m);
  double below = 0;
  std::int64_t rank = 0;
  while (std::size_t(rank) < shares.size() && below + shares[std::size_t(rank)] <= tail)
    below += shares[std::size_t(rank++)];
  return {rank, 1 - 2 * below};
}

double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

RankInterval approximate_rank(int n, int m, double tail) {
  const double pairs = double(n) * m, mean = pairs / 2, sigma = std::sqrt(pairs * (n + m + 1) / 12);
  const auto below = [&](std::int64_t rank) { return normal_below((double(rank) - 0.5 - mean) / sigma); };
  std::int64_t lo = 0, hi = std::int64_t(mean);  // P(U < rank) grows with rank
  while (lo < hi) {
    const std::int64_t middle = (lo + hi + 1) / 2;
    if (below(middle) <= tail) lo = middle;
    else hi = middle - 1;
  }
  return {lo, 1 - 2 * below(lo)};
}

std::vector<double> sorted_logs(std::span<const double> values) {
  PL_CHECK(!values.empty(), "ratio of two sets: one is empty; want at least one value in each");
  const std::size_t step = (values.size() + most_values - 1) / most_values;
  std::vector<double> logs;
  for (std::size_t i = 0; i < values.size(); i += step) {
    PL_CHECK(std::isfinite(values[i]) && values[i] > 0,
             "ratio of two sets: a value is {}; want positive ones", values[i]);
    logs.push_back(std::log(values[i]));
  }
  std::sort(logs.begin(), logs.end());
  return logs;
}

double middle_of(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

}  // namespace

std::optional<RankInterval> rank_interval(int n, int m, double level) {
  PL_CHECK(n >= 1 && m >= 1, "rank interval: {} and {} values; want at least one each", n, m);
  PL_CHECK(level > 0 && level < 1, "rank interval: level is {}; want between 0 and 1", level);
  const double tail = 0.5 * (1 - level);
  if (n + m > most_exact) return approximate_rank(n, m, tail);
  if (const RankInterval wanted = exact_rank(n, m, tail); wanted.rank > 0) return wanted;
  // Of all orders of n + m values one has every b above every a.
  const double widest = 1 - 2 / std::exp(std::lgamma(n + m + 1) - std::lgamma(n + 1) - std::lgamma(m + 1));
  if (widest < least_level) return std::nullopt;
  return RankInterval{1, widest};
}

Estimate independent_ratio(std::span<const double> a, std::span<const double> b, double level) {
  const std::vector<double> from = sorted_logs(a), to = sorted_logs(b);
  const int n = int(from.size()), m = int(to.size());
  const double center = middle_of(to) - middle_of(from);
  Estimate result{std::exp(center), std::nullopt, std::min(n, m)};
  const std::optional<RankInterval> ends = rank_interval(n, m, level);
  if (!ends) return result;
  std::vector<double> ratios;
  ratios.reserve(from.size() * to.size());
  for (const double under : from)
    for (const double over : to) ratios.push_back(over - under);
  std::sort(ratios.begin(), ratios.end());
  const auto rank = std::size_t(std::max<std::int64_t>(ends->rank, 1));
  result.interval = {std::exp(std::min(ratios[rank - 1], center)),
                     std::exp(std::max(ratios[ratios.size() - rank], center)), ends->level};
  return result;
}

}  // namespace perflab

#pragma once
// rank_ratio — how many times as large b is as a, for two sets of times that were not taken in pairs.
//
// The interval inverts the Mann-Whitney test (Moses; the matching centre is Hodges and Lehmann's): of all n*m
// ratios b_j / a_i, sorted, the k-th from either end, where k comes from the exact distribution of ranks
// under "one set is a multiple of the other". No normal distribution, no random numbers. Ten values against
// ten reach levels that two separate order-statistic intervals would need thirty for. Pure functions.

#include <span>

#include "bench/statistics.h"

namespace perflab {

// An interval below the level asked for is taken only if it covers this much: the widest that few values
// give.
inline constexpr double least_level = 0.995;

// How many of the n*m sorted ratios to leave out at each end plus one (1-based rank of the interval's ends),
// and what that interval covers. Nothing if even the widest interval covers neither `level` nor least_level.
struct RankInterval {
  std::int64_t rank;
  double level;
};
std::optional<RankInterval> rank_interval(int n, int m, double level);

// median(b) / median(a) with the interval of the ratio, widened to hold it if the two disagree. All values
// positive, both sets not empty. n is the smaller count. Sets of more than 2000 are thinned evenly.
Estimate independent_ratio(std::span<const double> a, std::span<const double> b, double level = 0.95);

}  // namespace perflab

#pragma once
// Blocks — the interval of a series of block values, with the two questions asked that decide what one
// observation is: do launches differ more than blocks do, and does a block remember the one before?
//
// Launches that differ more: the launch is the unit (its median one value). Blocks that remember (lag-1
// autocorrelation above 0.3): means of batches of blocks are the unit. Otherwise the block is. Pure
// functions.

#include <span>
#include <string>
#include <vector>

#include "bench/statistics.h"

namespace perflab {

// One value per block, in the order they were taken, each with the launch it comes from.
struct BlockValues {
  std::vector<double> values;
  std::vector<int> invocations;  // same size
};

struct BlockEstimate {
  Estimate estimate;
  std::string method = "order_statistic";  // | batch_means | invocation
  double lag1 = 0;                         // within launches
  bool iid_ok = true;                      // |lag1| <= 0.3
  bool between_launches = false;           // their variance exceeds the blocks'
};

// The values that count as observations of their own where nothing is paired: the launches' medians if they
// are to be the unit, else means of batches if blocks remember the one before, else the blocks.
struct Units {
  std::vector<double> values;
  std::string method = "order_statistic";  // as in BlockEstimate
};
Units independent_units(const BlockValues& blocks, bool launch_is_unit);
int launches_in(const BlockValues& blocks);

// Times, rates, counts. Values may be 0 or negative (counts).
BlockEstimate estimate_blocks(const BlockValues& blocks, double level = 0.95);
// Positive ratios: the same on their logarithms, transformed back.
BlockEstimate estimate_block_ratios(const BlockValues& ratios, double level = 0.95);

}  // namespace perflab

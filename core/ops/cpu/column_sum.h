#pragma once
// column_sum — the sum of all rows of [..., n]: the gradient of a row that was repeated.
//
// A fixed tree that depends on the shape only: 64 rows after one another, such sums after one another within
// a block of rows, then the blocks in pairs. So the result is the same for every number of threads. f32
// accumulation.

#include "ops/op.h"

namespace perflab {

void column_sum_kernel(const KernelArgs& args, StreamContext& context);

}  // namespace perflab

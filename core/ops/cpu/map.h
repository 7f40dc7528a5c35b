#pragma once
// map — the CPU kernels of the elementwise operations: a loop around each functor, and one skeleton each for
// one and for two inputs.

#include "ops/rows.h"

namespace perflab {

void add_map_kernels(OpTable& table);  // every line of op_list.h

}  // namespace perflab

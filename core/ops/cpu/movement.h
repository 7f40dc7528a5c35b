#pragma once
// movement — CPU kernels of cast, fill and sgd_step.

#include "ops/op.h"

namespace perflab {

void cast_kernel(const KernelArgs& args, StreamContext& context);
void fill_kernel(const KernelArgs& args, StreamContext& context);  // a everywhere
void sgd_step_kernel(const KernelArgs& args,
                     StreamContext& context);  // out = in[0] - a * in[1]; out is in[0]

}  // namespace perflab

#pragma once
// row_kernels — the kernels of the reductions: combiners of row_reduce.h and a loop over the row that is
// still in cache.
//
// Inputs and output as reductions.cpp's shape rules leave them. Maxima are subtracted before exponentials, so
// large logits do not overflow; a row with a NaN, or with an infinite maximum, becomes NaN. Thread-safe: no
// state.

#include "ops/op.h"

namespace perflab {

void row_sum_kernel(const KernelArgs& args, StreamContext& context);
void row_max_kernel(const KernelArgs& args, StreamContext& context);
void softmax_kernel(const KernelArgs& args, StreamContext& context);
void log_softmax_kernel(const KernelArgs& args, StreamContext& context);
void layer_norm_kernel(const KernelArgs& args, StreamContext& context);  // a: epsilon
void cross_entropy_kernel(const KernelArgs& args,
                          StreamContext& context);  // Error(data): a label outside 0..n-1

void row_broadcast_kernel(const KernelArgs& args, StreamContext& context);  // d: [...] -> [..., n]
// x, row maxima, d: equal maxima share d; a maximum that is NaN makes the whole row NaN.
void row_max_grad_kernel(const KernelArgs& args, StreamContext& context);
void softmax_grad_kernel(const KernelArgs& args, StreamContext& context);        // softmax, d
void log_softmax_grad_kernel(const KernelArgs& args, StreamContext& context);    // log_softmax, d
void layer_norm_grad_kernel(const KernelArgs& args, StreamContext& context);     // x, d
void cross_entropy_grad_kernel(const KernelArgs& args, StreamContext& context);  // logits, labels, d

}  // namespace perflab

#pragma once
// gemm — matrix products on the processor, by oneDNN. Nothing else in perflab includes its header.
//
// oneDNN brings threads of its own (OpenMP). Each call says how many it may use: a context with one thread,
// which is every stream but a device's compute stream, gets one. Bitwise repeatable for a fixed number of
// threads only.

#include <cstdint>

#include "ops/op.h"

namespace perflab {

struct GemmSizes {
  std::int64_t m = 0, n = 0, k = 0;
  bool trans_a = false, trans_b = false;  // a is stored [k,m], b is stored [n,k]
};

// c [m,n] = a [m,k] * b [k,n], all f32 and row-major, without overlap; a size of 0 is legal, k = 0 gives
// zeros. The library's own call, for kernels and for labs that compare with it. Error(environment) if the
// library refuses.
void library_sgemm(const GemmSizes& sizes, const float* a, const float* b, float* c, int threads);

void matmul_kernel(const KernelArgs& args,
                   StreamContext& context);  // f16 and bf16 are widened and rounded once

}  // namespace perflab

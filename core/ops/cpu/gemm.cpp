#include "ops/cpu/gemm.h"

#include <dnnl.h>

#include <algorithm>

#include "base/check.h"
#include "device/allocator.h"
#include "device/team.h"
#include "ops/cpu/movement.h"

namespace perflab {
namespace {

// Memory that nobody uses: the running kernel stands in front of what its stream's order is about.
Buffer workspace(std::int64_t elements, StreamContext& context) {
  return Buffer(
      context.device.allocator().take(std::size_t(elements) * sizeof(float), context.stream, Use::idle));
}
float* floats_of(const Buffer& buffer) { return reinterpret_cast<float*>(buffer.data()); }

void cast_to(const Operand& out, const Operand& in, StreamContext& context) {
  KernelArgs args;
  args.in[0] = in;
  args.out = out;
  cast_kernel(args, context);
}
Buffer widened(const Operand& operand, StreamContext& context) {
  const Buffer wide = workspace(operand.shape.elements(), context);
  cast_to({wide.data(), operand.shape, Dtype::f32}, operand, context);
  return wide;
}

}  // namespace

void library_sgemm(const GemmSizes& sizes, const float* a, const float* b, float* c, int threads) {
  const auto [m, n, k, trans_a, trans_b] = sizes;
  if (m == 0 || n == 0) return;
  if (k == 0) {
    std::fill_n(c, m * n, 0.0f);
    return;
  }
  Team::limit_library_threads(threads);
  const dnnl_status_t status = dnnl_sgemm(trans_a ? 'T' : 'N', trans_b ? 'T' : 'N', m, n, k, 1.0f, a,
                                          trans_a ? m : k, b, trans_b ? k : n, 0.0f, c, n);
  if (status != dnnl_success)
    fail(ErrorKind::environment, "matmul: oneDNN refused [{},{}] x [{},{}] with status {}", m, k, k, n,
         int(status));
}

void matmul_kernel(const KernelArgs& args, StreamContext& context) {
  const Operand &a = args.in[0], &b = args.in[1], &out = args.out;
  const GemmSizes sizes{.m = out.shape[0],
                        .n = out.shape[1],
                        .k = a.shape[args.trans_a ? 0 : 1],
                        .trans_a = args.trans_a,
                        .trans_b = args.trans_b};
  if (out.dtype == Dtype::f32)
    return library_sgemm(sizes, a.as<float>(), b.as<float>(), out.as<float>(), context.threads);
  const Buffer wide_a = widened(a, context), wide_b = widened(b, context);
  const Buffer wide_out = workspace(sizes.m * sizes.n, context);
  library_sgemm(sizes, floats_of(wide_a), floats_of(wide_b), floats_of(wide_out), context.threads);
  cast_to(out, {wide_out.data(), out.shape, Dtype::f32}, context);
}

}  // namespace perflab

#include "ops/cpu/movement.h"

#include <algorithm>

#include "ops/cpu/tiles.h"

namespace perflab {
namespace {

void step(float* __restrict weights, const float* __restrict gradient, std::int64_t count, float rate) {
  for (std::int64_t i = 0; i < count; ++i) weights[i] -= rate * gradient[i];
}

}  // namespace

void cast_kernel(const KernelArgs& args, StreamContext& context) {
  const Operand& x = args.in[0];
  const std::int64_t elements = args.out.shape.elements();
  const std::int64_t bytes = elements * std::int64_t(bytes_of(x.dtype) + bytes_of(args.out.dtype));
  const bool stream = bypasses_caches(args.out, bytes);
  parallel_for(context, elements, grain_elements, [&](std::int64_t begin, std::int64_t end) {
    produce(args.out, stream, begin, end, [&](std::int64_t first, std::int64_t count, float* to) {
      to_f32(address_of(x, first), x.dtype, to, count);
    });
  });
}

void fill_kernel(const KernelArgs& args, StreamContext& context) {
  const std::int64_t elements = args.out.shape.elements();
  const bool stream = bypasses_caches(args.out, elements * std::int64_t(bytes_of(args.out.dtype)));
  parallel_for(context, elements, grain_elements, [&](std::int64_t begin, std::int64_t end) {
    produce(args.out, stream, begin, end,
            [&](std::int64_t, std::int64_t count, float* to) { std::fill_n(to, count, args.a); });
  });
}

void sgd_step_kernel(const KernelArgs& args, StreamContext& context) {
  const Operand& gradient = args.in[1];
  parallel_for(context, args.out.shape.elements(), grain_elements, [&](std::int64_t begin, std::int64_t end) {
    alignas(64) float wide[tile_elements];
    produce(args.out, false, begin, end, [&](std::int64_t first, std::int64_t count, float* to) {
      if (args.out.dtype != Dtype::f32) to_f32(address_of(args.out, first), args.out.dtype, to, count);
      step(to, floats_at(gradient, first, count, wide), count, args.a);  // f32: `to` is where the weights are
    });
  });
}

}  // namespace perflab

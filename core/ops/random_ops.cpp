// uniform and normal: rows of the table.

#include "base/check.h"
#include "ops/cpu/random_fill.h"
#include "ops/rows.h"

namespace perflab {
namespace {

Result random_shape(const Call& call) {
  PL_CHECK(call.attrs.dtype == Dtype::f32, "{}: dtype is {}; want f32", info(call.op).name,
           name_of(call.attrs.dtype));
  return {call.attrs.shape, Dtype::f32};
}

// Integers and their scaling to the unit interval count as none. Box and Muller's transform is eight for two
// numbers: logarithm, times -2, root, angle, sine, cosine, two products.
template <int FlopsPerElement>
Cost random_cost(const Call& call) {
  const auto n = double(call.attrs.shape.elements());
  return {.flops = FlopsPerElement * n, .bytes_read = 0, .bytes_written = 4 * n};
}

}  // namespace

void add_random_rows(OpTable& table) {
  table[std::size_t(Op::uniform)] = {.name = "uniform",
                                     .inputs = 0,
                                     .cls = Class::random,
                                     .shape = random_shape,
                                     .cost = random_cost<0>,
                                     .cpu = uniform_kernel};
  table[std::size_t(Op::normal)] = {.name = "normal",
                                    .inputs = 0,
                                    .cls = Class::random,
                                    .shape = random_shape,
                                    .cost = random_cost<4>,
                                    .cpu = normal_kernel};
}

}  // namespace perflab

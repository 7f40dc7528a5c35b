// Rows of the operations that move numbers: cast, fill, and the in-place update sgd_step.
#include "ops/cpu/movement.h"
#include "base/check.h"
#include "ops/functions.h"
#include "ops/rows.h"

namespace perflab {
namespace {

Result cast_shape(const Call& call) {
  require_floating(call);
  PL_CHECK(is_floating(call.attrs.dtype), "cast: to {}; want f32, f16 or bf16", name_of(call.attrs.dtype));
  return {call.in[0].shape(), call.attrs.dtype};
}
Cost cast_cost(const Call& call) {
  const Tensor& x = call.in[0];
  return {.bytes_read = double(x.bytes()),
          .bytes_written = double(x.elements()) * double(bytes_of(call.attrs.dtype))};
}
Grads cast_grad(const Call& c, const Tensor&, const Tensor& d) { return {cast(d, c.in[0].dtype())}; }

Result fill_shape(const Call& call) {
  PL_CHECK(is_floating(call.attrs.dtype), "fill: dtype {}; want f32, f16 or bf16", name_of(call.attrs.dtype));
  return {call.attrs.shape, call.attrs.dtype};
}
Cost fill_cost(const Call& call) {
  return {.bytes_written = double(call.attrs.shape.elements()) * double(bytes_of(call.attrs.dtype))};
}

Result sgd_step_shape(const Call& call) {
  const Tensor &weights = call.in[0], &gradient = call.in[1];
  PL_CHECK(weights.shape() == gradient.shape() && weights.dtype() == gradient.dtype(),
           "sgd_step: weights are {} {}, the gradient is {} {}; want the same shape and dtype",
           name_of(weights.dtype()), weights.shape(), name_of(gradient.dtype()), gradient.shape());
  return same_as_input(call);
}
Cost sgd_step_cost(const Call& call) { return elementwise_cost(call, 2); }

}  // namespace

void add_movement_rows(OpTable& table) {
  table[std::size_t(Op::cast)] = {.name = "cast",
                                  .cls = Class::movement,
                                  .shape = cast_shape,
                                  .cost = cast_cost,
                                  .grad = cast_grad,
                                  .cpu = cast_kernel};
  table[std::size_t(Op::fill)] = {.name = "fill",
                                  .inputs = 0,
                                  .cls = Class::movement,
                                  .shape = fill_shape,
                                  .cost = fill_cost,
                                  .cpu = fill_kernel};
  table[std::size_t(Op::sgd_step)] = {.name = "sgd_step",
                                      .inputs = 2,
                                      .cls = Class::opaque,
                                      .cast = Cast::wide,
                                      .shape = sgd_step_shape,
                                      .cost = sgd_step_cost,
                                      .cpu = sgd_step_kernel,
                                      .writes = 1};
}

}  // namespace perflab

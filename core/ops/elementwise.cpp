// Rows of the elementwise operations: everything but the arithmetic (functors.h) and the kernels
// (cpu/map.cpp); and of column_sum, which the gradient of a repeated row needs.
#include "base/check.h"
#include "ops/cpu/column_sum.h"
#include "ops/cpu/map.h"
#include "ops/functions.h"

namespace perflab {
namespace {

bool is_row_of(const Shape& y, const Shape& x) {
  return x.rank() >= 1 && y.rank() >= 1 && y[-1] == x[-1] && y.elements() == x[-1];
}

Result binary_shape(const Call& call) {
  require_floating(call);
  const Tensor &x = call.in[0], &y = call.in[1];
  PL_CHECK(x.dtype() == y.dtype(), "{}: inputs are {} and {}; want one dtype, see cast()", info(call.op).name,
           name_of(x.dtype()), name_of(y.dtype()));
  PL_CHECK(y.shape() == x.shape() || y.elements() == 1 || is_row_of(y.shape(), x.shape()),
           "{}: shapes are {} and {}; want equal shapes, or a second input that is one row or one element of "
           "the first",
           info(call.op).name, x.shape(), y.shape());
  return {x.shape(), x.dtype()};
}

template <int flops>
Cost map_cost(const Call& call) {
  return elementwise_cost(call, flops);
}

// The gradient of an input that was repeated along the result: the sum over its copies.
Tensor summed_like(const Tensor& d, const Tensor& input) {
  if (d.shape() == input.shape()) return d;
  const Tensor sum = input.elements() == 1 ? row_sum(d.reshape({d.elements()})) : column_sum(d);
  return sum.reshape(input.shape());
}

// Gradients of y = f(x) and z = f(x, y): c has the inputs, y or z is the result, d its gradient.
Grads neg_grad(const Call&, const Tensor&, const Tensor& d) { return {neg(d)}; }
Grads abs_grad(const Call& c, const Tensor&, const Tensor& d) { return {mul(d, abs_slope(c.in[0]))}; }
Grads square_grad(const Call& c, const Tensor&, const Tensor& d) { return {mul(d, mul(c.in[0], 2))}; }
Grads sqrt_grad(const Call&, const Tensor& y, const Tensor& d) { return {div(mul(d, 0.5f), y)}; }
Grads reciprocal_grad(const Call&, const Tensor& y, const Tensor& d) { return {neg(mul(d, square(y)))}; }
Grads exp_grad(const Call&, const Tensor& y, const Tensor& d) { return {mul(d, y)}; }
Grads log_grad(const Call& c, const Tensor&, const Tensor& d) { return {div(d, c.in[0])}; }
Grads erf_grad(const Call& c, const Tensor&, const Tensor& d) { return {mul(d, erf_slope(c.in[0]))}; }
Grads tanh_grad(const Call&, const Tensor& y, const Tensor& d) {
  return {mul(d, scale_shift(square(y), -1, 1))};
}
Grads sigmoid_grad(const Call&, const Tensor& y, const Tensor& d) {
  return {mul(d, mul(y, scale_shift(y, -1, 1)))};
}
Grads relu_grad(const Call& c, const Tensor&, const Tensor& d) { return {mul(d, relu_slope(c.in[0]))}; }
Grads gelu_grad(const Call& c, const Tensor&, const Tensor& d) { return {mul(d, gelu_slope(c.in[0]))}; }
Grads gelu_tanh_grad(const Call& c, const Tensor&, const Tensor& d) {
  return {mul(d, gelu_tanh_slope(c.in[0]))};
}
Grads silu_grad(const Call& c, const Tensor&, const Tensor& d) { return {mul(d, silu_slope(c.in[0]))}; }
Grads scale_shift_grad(const Call& c, const Tensor&, const Tensor& d) { return {mul(d, c.attrs.a)}; }

Grads add_grad(const Call& c, const Tensor&, const Tensor& d) { return {d, summed_like(d, c.in[1])}; }
Grads sub_grad(const Call& c, const Tensor&, const Tensor& d) { return {d, summed_like(neg(d), c.in[1])}; }
Grads mul_grad(const Call& c, const Tensor&, const Tensor& d) {
  return {mul(d, c.in[1]), summed_like(mul(d, c.in[0]), c.in[1])};
}
Grads div_grad(const Call& c, const Tensor& z, const Tensor& d) {
  const Tensor dx = div(d, c.in[1]);
  return {dx, summed_like(neg(mul(dx, z)), c.in[1])};
}
// The input that was taken gets the gradient; equal ones, infinite ones too, half each; both NaN if one is.
Grads taken_grad(const Call& c, const Tensor& d, const Tensor& share_of_x) {
  return {mul(d, share_of_x), summed_like(mul(d, scale_shift(share_of_x, -1, 1)), c.in[1])};
}
Grads maximum_grad(const Call& c, const Tensor&, const Tensor& d) {
  return taken_grad(c, d, maximum_slope(c.in[0], c.in[1]));
}
Grads minimum_grad(const Call& c, const Tensor&, const Tensor& d) {
  return taken_grad(c, d, scale_shift(maximum_slope(c.in[0], c.in[1]), -1, 1));
}

// Slopes are the ends of the line: there is no second derivative.
constexpr auto abs_slope_grad = nullptr, erf_slope_grad = nullptr, relu_slope_grad = nullptr,
               gelu_slope_grad = nullptr, gelu_tanh_slope_grad = nullptr, silu_slope_grad = nullptr,
               maximum_slope_grad = nullptr;

Result column_sum_shape(const Call& call) {
  require_floating(call);
  const Shape& x = call.in[0].shape();
  PL_CHECK(x.rank() >= 1, "column_sum: a scalar; want at least one dimension");
  return {Shape{x[-1]}, call.in[0].dtype()};
}
Cost column_sum_cost(const Call& call) {
  const Tensor& x = call.in[0];
  return {.flops = double(x.elements()),
          .bytes_read = double(x.bytes()),
          .bytes_written = double(x.shape()[-1]) * double(bytes_of(x.dtype()))};
}
Grads column_sum_grad(const Call& c, const Tensor&, const Tensor& d) {
  return {add(zeros(c.in[0].shape(), c.in[0].device(), c.in[0].dtype()), d)};
}

}  // namespace

#define PL_UNARY_ROW(name_, flops)  \
  table[std::size_t(Op::name_)] = { \
      .name = #name_, .shape = same_as_input, .cost = map_cost<flops>, .grad = name_##_grad};
#define PL_BINARY_ROW(name_, flops) \
  table[std::size_t(Op::name_)] = { \
      .name = #name_, .inputs = 2, .shape = binary_shape, .cost = map_cost<flops>, .grad = name_##_grad};
void add_elementwise_rows(OpTable& table) {
  PL_UNARY_OPS(PL_UNARY_ROW)
  PL_BINARY_OPS(PL_BINARY_ROW)
  add_map_kernels(table);
  table[std::size_t(Op::column_sum)] = {.name = "column_sum",
                                        .cls = Class::reduction,
                                        .cast = Cast::wide,
                                        .shape = column_sum_shape,
                                        .cost = column_sum_cost,
                                        .grad = column_sum_grad,
                                        .cpu = column_sum_kernel};
}
#undef PL_UNARY_ROW
#undef PL_BINARY_ROW

}  // namespace perflab

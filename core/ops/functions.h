#pragma once
// functions — the operations by name: thin wrappers of apply(), one line each.
//
// Dtypes: elementwise operations and reductions take f32, f16 or bf16, compute in f32 and round once to the
// input's dtype; both inputs of a binary operation have the same dtype. Shapes: see each group. Errors:
// Error(check) from apply().

#include "ops/apply.h"

namespace perflab {

// Elementwise: the shape of x. One function per line of op_list.h; scale_shift is a*x + b.
#define PL_UNARY_FUNCTION(name, flops) \
  inline Tensor name(const Tensor& x) { return apply(Op::name, {&x, 1}); }
#define PL_BINARY_FUNCTION(name, flops)                  \
  inline Tensor name(const Tensor& x, const Tensor& y) { \
    const Tensor in[] = {x, y};                          \
    return apply(Op::name, in);                          \
  }
PL_UNARY_OPS(PL_UNARY_FUNCTION)
PL_BINARY_OPS(PL_BINARY_FUNCTION)
#undef PL_UNARY_FUNCTION
#undef PL_BINARY_FUNCTION
inline Tensor scale_shift(const Tensor& x, float a, float b) {
  return apply(Op::scale_shift, {&x, 1}, {.a = a, .b = b});
}
inline Tensor add(const Tensor& x, float b) { return scale_shift(x, 1, b); }
inline Tensor mul(const Tensor& x, float a) { return scale_shift(x, a, 0); }

// Movement.
inline Tensor cast(const Tensor& x, Dtype dtype) {
  return apply(Op::cast, {&x, 1}, {.dtype = dtype});
}  // round to nearest even
Tensor fill(const Shape& shape, float value, Device& device, Dtype dtype = Dtype::f32);
inline Tensor zeros(const Shape& shape, Device& device, Dtype dtype = Dtype::f32) {
  return fill(shape, 0, device, dtype);
}

// Along the last dimension, over rows [..., n] -> [...] (sum, max) or the same shape (softmax, log_softmax,
// layer_norm without scale and shift, epsilon 1e-5 unless given). Sums are a fixed tree: equal for every
// thread count.
inline Tensor row_sum(const Tensor& x) { return apply(Op::row_sum, {&x, 1}); }
inline Tensor row_max(const Tensor& x) { return apply(Op::row_max, {&x, 1}); }
inline Tensor column_sum(const Tensor& x) { return apply(Op::column_sum, {&x, 1}); }  // over all rows -> [n]
inline Tensor softmax(const Tensor& x) { return apply(Op::softmax, {&x, 1}); }
inline Tensor log_softmax(const Tensor& x) { return apply(Op::log_softmax, {&x, 1}); }
inline Tensor layer_norm(const Tensor& x, float epsilon = 1e-5f) {
  return apply(Op::layer_norm, {&x, 1}, {.a = epsilon});
}
// logits [m,n] f32, labels [m] i32 in 0..n-1 -> [m], the loss per row.
Tensor cross_entropy(const Tensor& logits, const Tensor& labels);

// a [m,k], b [k,n] -> [m,n]; trans_x: that input is stored transposed. f32, f16, bf16; f32 accumulation.
Tensor matmul(const Tensor& a, const Tensor& b, bool trans_a = false, bool trans_b = false);

// Element i depends on seed and i only: equal for every thread count and device.
Tensor uniform(const Shape& shape, std::uint64_t seed, Device& device);  // [0, 1), f32
Tensor normal(const Shape& shape, std::uint64_t seed, Device& device);   // mean 0, deviation 1, f32

// In place: weights -= rate * gradient; returns weights.
Tensor sgd_step(const Tensor& weights, const Tensor& gradient, float rate);

}  // namespace perflab

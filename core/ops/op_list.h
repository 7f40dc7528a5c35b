#pragma once
// The elementwise operations: X(name, FLOPs per element). Each has a functor of the same name in functors.h;
// one line here gives it a place in enum Op, a table row, a CPU kernel and (with CUDA) a GPU kernel.
//
// FLOPs are what a textbook formula needs, not what our polynomial spends: they make rates comparable.

// clang-format off

// out[i] = f(in[i]). scale_shift: a*x + b. NAME_slope: derivative of NAME at x, for gradients.
#define PL_UNARY_OPS(X)    \
  X(neg, 1)                \
  X(abs, 1)                \
  X(square, 1)             \
  X(sqrt, 1)               \
  X(reciprocal, 1)         \
  X(exp, 1)                \
  X(log, 1)                \
  X(erf, 1)                \
  X(tanh, 1)               \
  X(sigmoid, 3)            \
  X(relu, 1)               \
  X(gelu, 5)               \
  X(gelu_tanh, 8)          \
  X(silu, 4)               \
  X(scale_shift, 2)        \
  X(abs_slope, 1)          \
  X(erf_slope, 3)          \
  X(relu_slope, 1)         \
  X(gelu_slope, 8)         \
  X(gelu_tanh_slope, 12)   \
  X(silu_slope, 6)

// out[i] = f(x[i], y[j]); y has x's shape, or is one row of it (its last dimension), or one element.
#define PL_BINARY_OPS(X)   \
  X(add, 1)                \
  X(sub, 1)                \
  X(mul, 1)                \
  X(div, 1)                \
  X(maximum, 1)            \
  X(minimum, 1)

// clang-format on

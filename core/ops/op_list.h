#pragma once
// The elementwise operations: X(name, FLOPs per element). Each has a functor of the same name in functors.h;
// one line here gives it a place in enum Op, a table row, a CPU kernel and (with CUDA) a GPU kernel.
//
// FLOPs are what a textbook formula needs, not what our polynomial spends: they make rates comparable. Every
// sum, product, quotient, comparison and function (exp, erf, tanh) is one, a value that is used twice is
// counted once, a sign change inside a formula is free. Of the longer ones (c, d, k: constants):
//   sigmoid s       1/(1 + exp(-x))                     gelu       0.5 x (1 + erf(x/sqrt(2)))
//   silu            x s                                 gelu_tanh  0.5 x (1 + t), t = tanh(c x (1 + k x^2))
//   silu_slope      s (1 + x (1 - s))                   erf_slope  2/sqrt(pi) exp(-x^2)
//   gelu_slope      0.5 (1 + erf(x/sqrt(2))) + x d exp(-0.5 x^2)
//   gelu_tanh_slope 0.5 (1 + t) + 0.5 x (1 - t^2) c (1 + 3k x^2)

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
  X(gelu_tanh, 9)          \
  X(silu, 4)               \
  X(scale_shift, 2)        \
  X(abs_slope, 1)          \
  X(erf_slope, 3)          \
  X(relu_slope, 1)         \
  X(gelu_slope, 10)        \
  X(gelu_tanh_slope, 17)   \
  X(silu_slope, 7)

// out[i] = f(x[i], y[j]); y has x's shape, or is one row of it (its last dimension), or one element.
// maximum_slope: derivative of maximum with respect to x.
#define PL_BINARY_OPS(X)   \
  X(add, 1)                \
  X(sub, 1)                \
  X(mul, 1)                \
  X(div, 1)                \
  X(maximum, 1)            \
  X(minimum, 1)            \
  X(maximum_slope, 1)

// clang-format on

#pragma once
// functors — each elementwise operation, written once: a struct of the name in op_list.h, called per element.
//
// Plain arithmetic without branches or library calls, so that the loop around a functor becomes vector code
// on every processor. Vector and scalar code give the same bits; builds with and without fused multiply-add
// differ by an ulp or two. Apart from multiply_add and select_bits nothing outside is used, so other
// compilers can take its text as it is.
//
// NaN gives NaN, signed zeros and infinities have their limits, denormal numbers are taken and given. Error
// bounds stand with each struct, in ulp of the exact result (2^-149 at least), and functors_test.cpp asserts
// them. Polynomials are minimax fits made for this file.

#include "base/simd.h"

namespace perflab::functors {

static_assert(sizeof(unsigned) == 4 && sizeof(float) == 4);

inline unsigned bits_of(float x) { return __builtin_bit_cast(unsigned, x); }
inline float float_of(unsigned bits) { return __builtin_bit_cast(float, bits); }
inline float magnitude(float x) { return float_of(bits_of(x) & 0x7fffffffu); }
inline float with_sign_of(float sign, float x) {
  return float_of(bits_of(x) | (bits_of(sign) & 0x80000000u));
}
inline float choose(bool condition, float yes, float no) {
  return float_of(select_bits(condition, bits_of(yes), bits_of(no)));
}
// Both keep a NaN.
inline float at_most(float x, float bound) { return choose(x > bound, bound, x); }
inline float at_least(float x, float bound) { return choose(x < bound, bound, x); }
inline float power_of_two(int n) { return float_of(unsigned(n + 127) << 23); }  // n in -126..127

inline float polynomial(float, float c0) { return c0; }  // c0 + c1 x + c2 x^2 + ...
template <typename... More>
inline float polynomial(float x, float c0, More... more) {
  return multiply_add(x, polynomial(x, more...), c0);
}

// e^(hi+lo) = (1 + tail) 2^n, |tail| <= 0.42, for hi in -104..89 and a far smaller lo.
struct ExpParts {
  float tail;
  int n;
};
inline ExpParts exp_parts(float hi, float lo = 0) {
  constexpr float round_here = 12582912;  // 1.5*2^23: a number added to it loses its fraction
  const float shifted = multiply_add(hi, 1.44269504f, round_here);
  const float n = shifted - round_here;
  // log(2) in two parts; the first has 10 bits, so that n times it is exact.
  const float r = multiply_add(n, 2.12194440e-4f, multiply_add(n, -0.693359375f, hi)) + lo;
  const float q = polynomial(r, 0.5f, 0.166665182f, 0.0416662060f, 0.00836890843f, 0.00139505207f);
  return {multiply_add(r * r, q, r), int(bits_of(shifted) - bits_of(round_here))};
}
inline float exp_of_sum(float hi, float lo) {
  const ExpParts e = exp_parts(at_least(at_most(hi, 89), -104), lo);
  const int half = e.n >> 1;  // two factors: the result may be denormal or infinite, the factors never are
  return (1 + e.tail) * power_of_two(half) * power_of_two(e.n - half);
}
inline float exp_in_range(float x) {  // for |x| <= 87
  const ExpParts e = exp_parts(x);
  return (1 + e.tail) * power_of_two(e.n);
}
// e^(-x*x*scale): the square in two parts, since its rounding error would grow with it. |x| <= 2^20.
inline float exp_minus_square(float x, float scale) {
  const float high = float_of(bits_of(x) & 0xfffff000u);  // 12 bits: its square is exact
  const float rest = (x - high) * (x + high);
  return exp_of_sum(-scale * (high * high), -scale * rest);
}

// s(x) = 1/(1+e^-x) and its slope s(x)(1-s(x)), without cancellation on either side.
struct SigmoidParts {
  float value, slope;
};
inline SigmoidParts sigmoid_parts(float x) {
  const float e = exp_of_sum(-magnitude(x), 0);
  const float sum = 1 + e;
  return {choose(x < 0, e, 1) / sum, e / (sum * sum)};
}

// The normal distribution's P(X > t) for t in 0..5.5: absolute error 2^-22, never negative, 0 at 5.5.
inline float normal_tail(float t) {
  const float s = t * t;
  const float p = polynomial(s, 0.398942251f, 0.0337807155f, 0.00467253630f, 1.68037426e-4f, 6.34156607e-6f,
                             2.27761499e-8f);
  const float q =
      polynomial(s, 1.0f, 0.251341761f, 0.0286038218f, 0.00188007802f, 7.33656534e-5f, 1.19748811e-6f);
  return at_least(0.5f - t * p / q, 0);
}
// |x|, at most 5.5. Compared as integers, which is cheaper and turns NaN into 5.5.
inline float tail_argument(float x) {
  const unsigned bits = bits_of(x) & 0x7fffffffu, bound = bits_of(5.5f);
  return float_of(bits < bound ? bits : bound);
}

// GELU's tanh form is x*sigmoid(u(x)).
inline float gelu_tanh_argument(float x) { return 1.59576912f * x * multiply_add(0.044715f, x * x, 1); }

// Exact.
struct neg {
  float operator()(float x) const { return -x; }
};
struct abs {
  float operator()(float x) const { return magnitude(x); }
};
struct relu {
  float operator()(float x) const { return at_least(x, 0); }
};
struct abs_slope {  // 0 at 0
  float operator()(float x) const { return choose(x == 0, 0, with_sign_of(x, choose(x != x, x, 1))); }
};
struct relu_slope {  // 0 at 0
  float operator()(float x) const { return choose(x > 0, 1, choose(x <= 0, 0, x)); }
};

// Rounded once: 0.5 ulp; scale_shift, where the build has no fused instruction, twice.
struct square {
  float operator()(float x) const { return x * x; }
};
struct sqrt {
  float operator()(float x) const { return __builtin_sqrtf(x); }
};
struct reciprocal {
  float operator()(float x) const { return 1 / x; }
};
struct scale_shift {
  float a, b;
  float operator()(float x) const { return multiply_add(a, x, b); }
};

struct exp {  // 2 ulp
  float operator()(float x) const { return exp_of_sum(x, 0); }
};

struct log {  // 2 ulp
  float operator()(float x) const {
    constexpr float infinity = __builtin_inff();
    const bool tiny = x < 0x1p-126f;
    const unsigned bits = bits_of(x * choose(tiny, 0x1p23f, 1));
    const int exponent = int(bits - 0x3f3504f3u) >> 23;  // leaves a factor from sqrt(1/2) to sqrt(2)
    const float f = float_of(bits - (unsigned(exponent) << 23)) - 1;
    const float n = float(exponent) - choose(tiny, 23, 0);
    const float s = f * f;
    const float q = polynomial(f, 0.333333105f, -0.249999866f, 0.200022310f, -0.166692585f, 0.142185569f,
                               -0.123841420f, 0.118735634f, -0.117913745f, 0.0691593140f);
    const float small = multiply_add(s * f, q, n * -2.12194440e-4f) - 0.5f * s;
    const float y = multiply_add(n, 0.693359375f, f + small);
    const float limit = choose(x == 0, -infinity, __builtin_nanf(""));
    return choose(x > 0, choose(x < infinity, y, x), limit);
  }
};

struct erf {  // 2 ulp
  float operator()(float x) const {
    const float t = at_most(magnitude(x), 4);
    const float s = t * t;
    const float p = polynomial(s, 0.128379166f, -0.376126349f, 0.112837367f, -0.0268617738f, 0.00520721916f,
                               -8.21654685e-4f, 8.69896612e-5f);
    const float near = multiply_add(t, p, t);
    // 1 - erf(t) = e^-g
    const float g = polynomial(t, 1.44204284e-4f, 1.12788939f, 0.636820614f, 0.104250260f, -0.0223810582f,
                               0.00308200391f, -1.99902264e-4f);
    const float far = 1 - exp_in_range(-g);
    return with_sign_of(x, choose(t < 0.875f, near, far));
  }
};

struct tanh {  // 2 ulp
  float operator()(float x) const {
    const float t = at_most(magnitude(x), 10);
    const float s = t * t;
    const float p =
        polynomial(s, -0.333333194f, 0.133326024f, -0.0538538583f, 0.0210777540f, -0.00628246693f);
    const float near = multiply_add(t, s * p, t);
    const float far = 1 - 2 / (exp_in_range(2 * t) + 1);
    return with_sign_of(x, choose(t < 0.55f, near, far));
  }
};

struct sigmoid {  // 3 ulp
  float operator()(float x) const { return sigmoid_parts(x).value; }
};

struct gelu {  // relu(x) - |x| P(X > |x|): 4 ulp for x >= 0; absolute 2^-22 |x| for x < 0
  float operator()(float x) const {
    const float t = tail_argument(x);
    return multiply_add(-t, normal_tail(t), at_least(x, 0));
  }
};

struct gelu_tanh {  // 4 + 4|u| ulp, u the argument of the sigmoid: its rounding grows with it
  float operator()(float x) const {
    x = at_least(x, -20);
    return x * sigmoid_parts(gelu_tanh_argument(x)).value;
  }
};

struct silu {  // 4 ulp, or absolute 2^-142 where the sigmoid is denormal
  float operator()(float x) const {
    x = at_least(x, -200);
    return x * sigmoid_parts(x).value;
  }
};

struct erf_slope {  // 2/sqrt(pi) e^-x^2: 4 ulp
  float operator()(float x) const { return 1.12837917f * exp_minus_square(at_most(magnitude(x), 20), 1); }
};

// These cross zero: absolute 2^-21.
struct gelu_slope {
  float operator()(float x) const {
    const float t = at_least(at_most(x, 20), -20);
    const float tail = normal_tail(tail_argument(x));
    return multiply_add(t * 0.398942280f, exp_minus_square(t, 0.5f), choose(x < 0, tail, 1 - tail));
  }
};
struct gelu_tanh_slope {
  float operator()(float x) const {
    const float t = at_least(at_most(x, 20), -20);
    const SigmoidParts s = sigmoid_parts(gelu_tanh_argument(t));
    const float inner = t * multiply_add(0.214064449f, t * t, 1.59576912f);
    return multiply_add(inner, s.slope, s.value);
  }
};
struct silu_slope {
  float operator()(float x) const {
    const float t = at_least(at_most(x, 200), -200);
    const SigmoidParts s = sigmoid_parts(t);
    return multiply_add(t, s.slope, s.value);
  }
};

// Rounded once.
struct add {
  float operator()(float x, float y) const { return x + y; }
};
struct sub {
  float operator()(float x, float y) const { return x - y; }
};
struct mul {
  float operator()(float x, float y) const { return x * y; }
};
struct div {
  float operator()(float x, float y) const { return x / y; }
};
// Exact; NaN if either is.
struct maximum {
  float operator()(float x, float y) const { return choose((x > y) | (x != x), x, y); }
};
struct minimum {
  float operator()(float x, float y) const { return choose((x < y) | (x != x), x, y); }
};
struct maximum_slope {  // of x: 1 where it is the larger, 1/2 where it equals y, else 0
  float operator()(float x, float y) const {
    return choose(x == y, 0.5f, choose(x > y, 1, choose(x < y, 0, x + y)));
  }
};

}  // namespace perflab::functors

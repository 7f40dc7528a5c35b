// Every functor against float64 over all exponents (every 997th of the 2^32 bit patterns), where the curves
// bend, and at the special values.
#include "ops/functors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "ops/op_list.h"

namespace perflab {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr std::array special_values{0.0f,      -0.0f,      FLT_TRUE_MIN, -FLT_TRUE_MIN, FLT_MIN,
                                    -FLT_MIN,  1.0f,       FLT_MAX,      -FLT_MAX,      infinity,
                                    -infinity, -nan_value, nan_value};

using Exact = double (*)(double x);
double nothing(double) { return 0; }

// Allowed: (ulps + further_ulps(x)) ulp of the exact result + absolute(x).
struct Bound {
  double ulps = 0;
  Exact further_ulps = nothing;
  Exact absolute = nothing;
};

// Distance of neighbouring floats at x; that of denormal numbers for everything smaller.
double ulp_at(double x) { return std::ldexp(1.0, (x == 0 ? -126 : std::max(std::ilogb(x), -126)) - 23); }

// The error in units of what is allowed. Next to the largest float, infinity is allowed for it and it for
// infinity.
double error_of(float got, double want, double x, const Bound& bound) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : HUGE_VAL;
  if (std::isinf(got) || std::isinf(float(want))) {
    const bool at_the_edge =
        std::abs(want) > 0.999999 * double(FLT_MAX) && std::abs(want) < 1.000001 * double(FLT_MAX);
    const bool same_side = std::abs(got) >= 0.999999f * FLT_MAX && (got > 0) == (want > 0);
    return got == float(want) || (at_the_edge && same_side) ? 0 : HUGE_VAL;
  }
  const double allowed = (bound.ulps + bound.further_ulps(x)) * ulp_at(want) + bound.absolute(x);
  return got == want ? 0 : std::isnan(got) ? HUGE_VAL : std::abs(got - want) / allowed;
}

template <typename Functor>
void expect_within(const char* name, const Functor& f, Exact exact, const Bound& bound) {
  double worst = 0;
  float worst_at = 0;
  std::int64_t inputs = 0;
  const auto look = [&](float x) {
    const double error = error_of(f(x), exact(double(x)), double(x), bound);
    ++inputs;
    if (error > worst) worst = error, worst_at = x;
  };
  for (std::uint64_t bits = 0; bits < std::uint64_t(1) << 32; bits += 997)
    look(std::bit_cast<float>(std::uint32_t(bits)));
  for (int i = -200000; i <= 200000; ++i) look(float(i) * 1e-4f);
  for (const float x : special_values) look(x);
  EXPECT_LE(worst, 1) << name << " at " << worst_at << ": " << f(worst_at) << ", exact "
                      << exact(double(worst_at));
  EXPECT_GT(inputs, 4'700'000) << name;
}

// The limits at -infinity are written out, where the formula says infinity times zero.
double sigmoid_of(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
double sigmoid_slope(double x) { return std::abs(x) > 2000 ? 0 : sigmoid_of(x) * sigmoid_of(-x); }
double silu_of(double x) { return x < -2000 ? 0 : x * sigmoid_of(x); }
double cdf(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }
double gelu_of(double x) { return x < -2000 ? 0 : x * cdf(x); }
double gelu_argument(double x) { return std::sqrt(8 / M_PI) * (x + 0.044715 * x * x * x); }
double gelu_tanh_of(double x) { return x < -2000 ? 0 : x * sigmoid_of(gelu_argument(x)); }
double gelu_tanh_slope_of(double x) {
  if (std::abs(x) > 2000) return x > 0;
  const double inner = std::sqrt(8 / M_PI) * (1 + 3 * 0.044715 * x * x);
  return sigmoid_of(gelu_argument(x)) + x * inner * sigmoid_slope(gelu_argument(x));
}
double tiny_slope_error(double) { return 0x1p-21; }

TEST(Functors, ExpLogErfAndTanhAreWithinTwoUlp) {
  expect_within("exp", functors::exp{}, [](double x) { return std::exp(x); }, {2});
  expect_within("log", functors::log{}, [](double x) { return std::log(x); }, {2});
  expect_within("erf", functors::erf{}, [](double x) { return std::erf(x); }, {2});
  expect_within("tanh", functors::tanh{}, [](double x) { return std::tanh(x); }, {2});
}

TEST(Functors, RootsAndProductsAreRoundedOnce) {
  expect_within("sqrt", functors::sqrt{}, [](double x) { return std::sqrt(x); }, {0.5001});
  expect_within("square", functors::square{}, [](double x) { return x * x; }, {0.5001});
  expect_within("reciprocal", functors::reciprocal{}, [](double x) { return 1 / x; }, {0.5001});
  expect_within("scale_shift", functors::scale_shift{1.5f, 0}, [](double x) { return 1.5 * x; }, {0.5001});
}

TEST(Functors, SigmoidAndSiluAreWithinTheirBounds) {
  expect_within("sigmoid", functors::sigmoid{}, sigmoid_of, {3});
  expect_within("silu", functors::silu{}, silu_of, {4, nothing, [](double) { return 0x1p-142; }});
}

TEST(Functors, GeluIsWithinFourUlpAboveZeroAndWithinAFixedPartOfXBelow) {
  const auto part = [](double x) { return std::isfinite(x) && x < 0 ? -x * 0x1p-22 : 0; };
  expect_within("gelu", functors::gelu{}, gelu_of, {4, nothing, part});
  EXPECT_EQ(functors::gelu{}(-5.5f), 0);  // nothing is left of the tail, however large |x|
  EXPECT_EQ(functors::gelu{}(-1e30f), 0);
  EXPECT_EQ(functors::gelu{}(5.5f), 5.5f);
}

// Where the tail is nearly nothing its polynomials are off by as much: the sign must not depend on them.
TEST(Functors, GeluOfANegativeNumberIsNeverPositiveAndItsTailIsWithinItsBound) {
  double worst = 0;
  int wrong_signs = 0;
  const auto look = [&](float t) {
    const float tail = functors::normal_tail(t);
    worst = std::max(worst, std::abs(double(tail) - std::erfc(double(t) / std::sqrt(2.0)) / 2));
    wrong_signs += tail < 0 || functors::gelu{}(-t) > 0;
  };
  const auto last = std::bit_cast<std::uint32_t>(5.5f);
  for (std::uint32_t bits = 0; bits <= last; bits += 499) look(std::bit_cast<float>(bits));
  for (std::uint32_t bits = std::bit_cast<std::uint32_t>(5.0f); bits <= last; ++bits)
    look(std::bit_cast<float>(bits));
  EXPECT_LE(worst, 0x1p-22);
  EXPECT_EQ(wrong_signs, 0);
  EXPECT_EQ(functors::normal_tail(5.5f), 0);
}

TEST(Functors, GeluTanhGrowsItsErrorWithItsArgumentOnly) {
  const auto argument = [](double x) { return 4 * std::min(std::abs(gelu_argument(x)), 150.0); };
  expect_within("gelu_tanh", functors::gelu_tanh{}, gelu_tanh_of, {4, argument});
  for (double x = -3; x < 3; x += 0.01) {  // the form that its name comes from
    const double tanh_form = x / 2 * (1 + std::tanh(gelu_argument(x) / 2));
    EXPECT_NEAR(double(functors::gelu_tanh{}(float(x))), tanh_form, 1e-6) << x;
  }
}

TEST(Functors, SlopesAreWithinTheirBounds) {
  const auto erf_slope = [](double x) { return 2 / std::sqrt(M_PI) * std::exp(-x * x); };
  expect_within("erf_slope", functors::erf_slope{}, erf_slope, {4});
  const auto gelu_slope = [](double x) {
    return std::abs(x) > 2000 ? double(x > 0) : cdf(x) + x * density(x);
  };
  expect_within("gelu_slope", functors::gelu_slope{}, gelu_slope, {0, nothing, tiny_slope_error});
  expect_within("gelu_tanh_slope", functors::gelu_tanh_slope{}, gelu_tanh_slope_of,
                {0, nothing, tiny_slope_error});
  const auto silu_slope = [](double x) {
    return std::abs(x) > 2000 ? double(x > 0) : sigmoid_of(x) + x * sigmoid_slope(x);
  };
  expect_within("silu_slope", functors::silu_slope{}, silu_slope, {0, nothing, tiny_slope_error});
}

TEST(Functors, SimpleOnesAreExact) {
  expect_within("neg", functors::neg{}, [](double x) { return -x; }, {1e-9});
  expect_within("abs", functors::abs{}, [](double x) { return std::abs(x); }, {1e-9});
  expect_within("relu", functors::relu{}, [](double x) { return x < 0 ? 0 : x; }, {1e-9});
  expect_within("abs_slope", functors::abs_slope{}, [](double x) { return x > 0   ? 1
                                                                          : x < 0 ? -1
                                                                                  : x; },
                {1e-9});
  expect_within("relu_slope", functors::relu_slope{}, [](double x) { return x > 0    ? 1
                                                                            : x <= 0 ? 0
                                                                                     : x; },
                {1e-9});
}

TEST(Functors, ZerosKeepTheirSignWhereTheFunctionIsOdd) {
  const auto negative_zero = [](float y) { return std::bit_cast<std::uint32_t>(y) == 0x80000000u; };
  EXPECT_TRUE(negative_zero(functors::erf{}(-0.0f)));
  EXPECT_TRUE(negative_zero(functors::tanh{}(-0.0f)));
  EXPECT_TRUE(negative_zero(functors::sqrt{}(-0.0f)));
  EXPECT_TRUE(negative_zero(functors::silu{}(-0.0f)));
  EXPECT_TRUE(negative_zero(functors::gelu_tanh{}(-0.0f)));
  EXPECT_TRUE(negative_zero(functors::neg{}(0.0f)));
  EXPECT_EQ(functors::reciprocal{}(-0.0f), -infinity);
}

TEST(Functors, BinaryOnesAreRoundedOnceAndNanWins) {
  for (const float x : special_values)
    for (const float y : special_values) {
      const auto same = [&](float got, float want) {
        EXPECT_EQ(std::isnan(got), std::isnan(want)) << x << ' ' << y;
        EXPECT_TRUE(got == want || std::isnan(want)) << x << ' ' << y << ": " << got << ", want " << want;
      };
      const double exact_x = double(x),
                   exact_y = double(y);  // rounding to float64 first changes none of these
      same(functors::add{}(x, y), float(exact_x + exact_y));
      same(functors::sub{}(x, y), float(exact_x - exact_y));
      same(functors::mul{}(x, y), float(exact_x * exact_y));
      same(functors::div{}(x, y), float(exact_x / exact_y));
      const bool unordered = std::isnan(x) || std::isnan(y);
      same(functors::maximum{}(x, y), unordered ? nan_value : std::max(x, y));
      same(functors::minimum{}(x, y), unordered ? nan_value : std::min(x, y));
      same(functors::maximum_slope{}(x, y), unordered ? nan_value : x > y ? 1 : x < y ? 0 : 0.5f);
    }
}

// The loop below becomes vector code; the same functor called for one opaque value at a time does not.
template <typename Functor>
void expect_same_bits_as_scalar(const char* name, const Functor& f) {
  constexpr std::size_t count = 16411;  // no multiple of a vector
  std::vector<float> in(count), out(count);
  for (std::size_t i = 0; i < count; ++i) in[i] = std::bit_cast<float>(std::uint32_t(i * 261773));
  const float* __restrict from = in.data();
  float* __restrict to = out.data();
  for (std::size_t i = 0; i < count; ++i) to[i] = f(from[i]);
  std::size_t different = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const volatile float opaque = in[i];
    const float alone = f(opaque);
    if (!(std::isnan(alone) && std::isnan(out[i])))
      different += std::bit_cast<std::uint32_t>(alone) != std::bit_cast<std::uint32_t>(out[i]);
  }
  EXPECT_EQ(different, 0u) << name;
}

#define PL_COMPARE(name, flops) expect_same_bits_as_scalar(#name, functors::name{});
TEST(Functors, VectorCodeGivesTheBitsOfScalarCode) { PL_UNARY_OPS(PL_COMPARE) }
#undef PL_COMPARE

}  // namespace
}  // namespace perflab

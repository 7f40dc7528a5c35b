// OpCase rows of the elementwise operations, of movement, and of column_sum: each function by its textbook
// formula in float64.
#include <algorithm>
#include <cmath>

#include "ops/op_case.h"

namespace perflab {
namespace {

using Values = std::vector<double>;
using Inputs = std::vector<Values>;
using Shapes = std::vector<Shape>;

const Shape large{16'384, 1024};  // 64 MiB of f32: larger than common last-level caches

struct Range {
  double lo = -2, hi = 2;
};
constexpr Range positive{0.25, 4};

struct UnaryRow {
  Op op;
  double (*function)(double x);
  Range range{};
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double normal_cdf(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double normal_density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }
double gelu_tanh_inner(double x) { return std::sqrt(2 / M_PI) * (x + 0.044715 * std::pow(x, 3)); }
double gelu_tanh_slope(double x) {
  const double t = std::tanh(gelu_tanh_inner(x));
  return (1 + t) / 2 + x / 2 * (1 - t * t) * std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
}

const UnaryRow unary_rows[] = {
    {Op::neg, [](double x) { return -x; }},
    {Op::abs, [](double x) { return std::abs(x); }},
    {Op::square, [](double x) { return x * x; }},
    {Op::sqrt, [](double x) { return std::sqrt(x); }, positive},
    {Op::reciprocal, [](double x) { return 1 / x; }, positive},
    {Op::exp, [](double x) { return std::exp(x); }, {-8, 8}},
    {Op::log, [](double x) { return std::log(x); }, positive},
    {Op::erf, [](double x) { return std::erf(x); }},
    {Op::tanh, [](double x) { return std::tanh(x); }},
    {Op::sigmoid, sigmoid},
    {Op::relu, [](double x) { return std::max(x, 0.0); }},
    {Op::gelu, [](double x) { return x * normal_cdf(x); }, {-4, 4}},
    {Op::gelu_tanh, [](double x) { return x / 2 * (1 + std::tanh(gelu_tanh_inner(x))); }, {-4, 4}},
    {Op::silu, [](double x) { return x * sigmoid(x); }, {-4, 4}},
    {Op::abs_slope, [](double x) { return double(x > 0) - double(x < 0); }},
    {Op::erf_slope, [](double x) { return 2 / std::sqrt(M_PI) * std::exp(-x * x); }},
    {Op::relu_slope, [](double x) { return double(x > 0); }},
    {Op::gelu_slope, [](double x) { return normal_cdf(x) + x * normal_density(x); }},
    {Op::gelu_tanh_slope, gelu_tanh_slope},
    {Op::silu_slope, [](double x) { return sigmoid(x) * (1 + x * (1 - sigmoid(x))); }},
};

struct BinaryRow {
  Op op;
  double (*function)(double x, double y);
  Range range{};
};
const BinaryRow binary_rows[] = {
    {Op::add, [](double x, double y) { return x + y; }},
    {Op::sub, [](double x, double y) { return x - y; }},
    {Op::mul, [](double x, double y) { return x * y; }},
    {Op::div, [](double x, double y) { return x / y; }, positive},
    {Op::maximum, [](double x, double y) { return std::max(x, y); }},
    {Op::minimum, [](double x, double y) { return std::min(x, y); }},
    {Op::maximum_slope, [](double x, double y) { return x > y   ? 1
                                                        : x < y ? 0
                                                                : 0.5; }},
};

// One case per entry of `shapes`; the first also has the benchmark's.
void add_cases(std::vector<OpCase>& cases, OpCase pattern, const std::vector<Shapes>& shapes,
               const Shapes& large_shapes) {
  pattern.large = large_shapes;
  for (const Shapes& one : shapes) {
    pattern.shapes = one;
    cases.push_back(pattern);
    pattern.large.clear();
  }
}

const std::vector<Shapes> single_shapes{{{0}}, {{}}, {{1}}, {{127}}, {{3, 43}}, {{100'003}}};

void add_unary(std::vector<OpCase>& cases, const UnaryRow& row) {
  OpCase pattern{
      .op = row.op, .shapes = {}, .large = {}, .lo = row.range.lo, .hi = row.range.hi, .reference = {}};
  pattern.reference = [function = row.function](const Inputs& in, const OpCase&) {
    Values out;
    for (const double x : in[0]) out.push_back(function(x));
    return out;
  };
  add_cases(cases, pattern, single_shapes, {large});
}

void add_binary(std::vector<OpCase>& cases, const BinaryRow& row) {
  OpCase pattern{
      .op = row.op, .shapes = {}, .large = {}, .lo = row.range.lo, .hi = row.range.hi, .reference = {}};
  pattern.reference = [function = row.function](const Inputs& in, const OpCase&) {
    Values out;  // the second input starts over at its end
    for (std::size_t i = 0; i < in[0].size(); ++i) out.push_back(function(in[0][i], in[1][i % in[1].size()]));
    return out;
  };
  const std::vector<Shapes> shapes{
      {{0}, {0}},           {{}, {}},         {{129}, {129}},       {{5, 7, 3}, {3}},
      {{17, 1300}, {1300}}, {{40, 127}, {1}}, {{7, 129}, {1, 129}}, {{100'003}, {100'003}}};
  add_cases(cases, pattern, shapes, {large, large});
}

Values column_sums(const Inputs& in, const OpCase& op_case) {
  Values out(std::size_t(op_case.shapes[0][-1]));
  for (std::size_t i = 0; i < in[0].size(); ++i) out[i % out.size()] += in[0][i];
  return out;
}

Values unchanged(const Inputs& in, const OpCase&) { return in[0]; }

Values scaled_and_shifted(const Inputs& in, const OpCase& op_case) {
  Values out;
  for (const double x : in[0]) out.push_back(double(op_case.attrs.a) * x + double(op_case.attrs.b));
  return out;
}

Values updated(const Inputs& in, const OpCase& op_case) {
  Values out;
  for (std::size_t i = 0; i < in[0].size(); ++i) out.push_back(in[0][i] - double(op_case.attrs.a) * in[1][i]);
  return out;
}

Values filled(const Inputs&, const OpCase& op_case) {
  return Values(std::size_t(op_case.shapes[0].elements()), double(op_case.attrs.a));
}

}  // namespace

std::vector<OpCase> elementwise_cases() {
  std::vector<OpCase> cases;
  for (const UnaryRow& row : unary_rows) add_unary(cases, row);
  for (const BinaryRow& row : binary_rows) add_binary(cases, row);

  OpCase one{
      .op = Op::scale_shift, .shapes = {}, .large = {}, .attrs = {.a = -1.25f, .b = 0.5f}, .reference = {}};
  one.reference = scaled_and_shifted;
  add_cases(cases, one, single_shapes, {large});

  // Sums of hundreds that nearly cancel are judged as what such sums usually are.
  one = {.op = Op::column_sum, .shapes = {}, .large = {}, .unit = 16, .reference = column_sums};
  add_cases(cases, one, {{{0, 3}}, {{3, 0}}, {{5}}, {{129, 127}}, {{2, 3, 5}}, {{20'011, 3}}, {{7, 5000}}},
            {large});

  // To f16: half a unit in the last of 11 places. To f32: exact.
  one = {.op = Op::cast,
         .shapes = {},
         .large = {},
         .attrs = {.dtype = Dtype::f16},
         .tolerance = 0x1p-11,
         .reference = unchanged};
  add_cases(cases, one, single_shapes, {large});
  one = {.op = Op::cast,
         .shapes = {},
         .large = {},
         .attrs = {.dtype = Dtype::f32},
         .tolerance = 0,
         .reference = unchanged};
  add_cases(cases, one, single_shapes, {});

  one = {
      .op = Op::fill, .shapes = {}, .large = {}, .attrs = {.a = 0.375f}, .tolerance = 0, .reference = filled};
  add_cases(cases, one, single_shapes, {large});

  one = {.op = Op::sgd_step, .shapes = {}, .large = {}, .attrs = {.a = 0.1f}, .reference = updated};
  add_cases(cases, one, {{{0}, {0}}, {{3, 43}, {3, 43}}, {{100'003}, {100'003}}}, {large, large});
  return cases;
}

}  // namespace perflab

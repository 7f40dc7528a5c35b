// OpCase rows of the reductions: references in float64, a row at a time, by the textbook's formulas.

#include <algorithm>
#include <cmath>
#include <functional>

#include "ops/op_case.h"

namespace perflab {
namespace {

using Values = std::vector<double>;
using Inputs = std::vector<Values>;
using RowFunction = std::function<Values(const std::vector<Values>& rows)>;

// Splits every input into as many rows as the case's first input has, and joins what `function` makes of
// each.
std::function<Values(const Inputs&, const OpCase&)> by_rows(RowFunction function) {
  return [function = std::move(function)](const Inputs& in, const OpCase& op_case) {
    const Shape& shape = op_case.shapes[0];
    const std::int64_t length = shape[-1];
    std::int64_t rows = 1;
    for (int axis = 0; axis + 1 < shape.rank(); ++axis) rows *= shape[axis];
    Values out;
    for (std::int64_t row = 0; row < rows; ++row) {
      std::vector<Values> parts;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const std::int64_t width = op_case.shapes[i] == shape ? length : 1;
        const auto begin = in[i].begin() + row * width;
        parts.emplace_back(begin, begin + width);
      }
      const Values made = function(parts);
      out.insert(out.end(), made.begin(), made.end());
    }
    return out;
  };
}

double sum(const Values& x) {
  double total = 0;
  for (const double one : x) total += one;
  return total;
}

Values mapped(Values x, const std::function<double(std::size_t)>& function) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = function(i);
  return x;
}

Values log_softmax_of(const Values& x) {
  const double most = x.empty() ? 0 : *std::max_element(x.begin(), x.end());
  const double all = std::log(sum(mapped(x, [&](std::size_t i) { return std::exp(x[i] - most); })));
  return mapped(x, [&](std::size_t i) { return x[i] - most - all; });
}

Values softmax_of(const Values& x) {
  const Values y = log_softmax_of(x);
  return mapped(y, [&](std::size_t i) { return std::exp(y[i]); });
}

Values normalised(const Values& x, double epsilon, double* deviation = nullptr) {
  const auto n = double(x.size());
  const double mean = sum(x) / n;
  const double variance = sum(mapped(x, [&](std::size_t i) { return (x[i] - mean) * (x[i] - mean); })) / n;
  const double root = std::sqrt(variance + epsilon);
  if (deviation != nullptr) *deviation = root;
  return mapped(x, [&](std::size_t i) { return (x[i] - mean) / root; });
}

// d of layer norm: what is left of the slope without its mean and without its part along the result.
Values normalised_slope(const Values& x, const Values& d, double epsilon) {
  double deviation = 0;
  const Values y = normalised(x, epsilon, &deviation);
  const auto n = double(x.size());
  const double mean = sum(d) / n, along = sum(mapped(d, [&](std::size_t i) { return d[i] * y[i]; })) / n;
  return mapped(d, [&](std::size_t i) { return (d[i] - mean - y[i] * along) / deviation; });
}

Values maximum_slope(const Values& x, double d) {
  const double most = *std::max_element(x.begin(), x.end());
  const auto ties = double(std::count(x.begin(), x.end(), most));
  return mapped(x, [&](std::size_t i) { return x[i] == most ? d / ties : 0; });
}

Values loss_slope(const Values& x, double label, double d) {
  const Values y = softmax_of(x);
  return mapped(y, [&](std::size_t i) { return d * (y[i] - (double(i) == label ? 1 : 0)); });
}

constexpr double epsilon = 1e-5;
const std::vector<Shape> test_shapes = {{0, 5}, {1, 1}, {3, 127}, {3, 129}, {2, 3, 4097}, {1, 200'003}};
const Shape large{16'384, 1024};  // 64 MiB, as the elementwise ones

void add(std::vector<OpCase>& cases, OpCase prototype, const RowFunction& function,
         std::size_t like_input = 1, std::size_t per_row = 0) {
  const auto with = [&](const Shape& shape) {
    std::vector<Shape> all(like_input, shape);
    all.resize(like_input + per_row, shape.without_last());
    return all;
  };
  prototype.reference = by_rows(function);
  for (const Shape& shape : test_shapes) {
    const bool labels = prototype.op == Op::cross_entropy || prototype.op == Op::cross_entropy_grad;
    if (labels && shape.rank() != 2) continue;
    prototype.shapes = with(shape);
    const bool first_of_op = cases.empty() || cases.back().op != prototype.op;
    prototype.large = first_of_op ? with(large) : std::vector<Shape>{};
    cases.push_back(prototype);
  }
}

}  // namespace

std::vector<OpCase> reduction_cases() {
  std::vector<OpCase> cases;
  const auto single = [](double value) { return Values{value}; };
  // Sums that nearly cancel are judged by the size of what went in: hence inputs in 0..2.
  add(cases, {.op = Op::row_sum, .lo = 0}, [=](const auto& in) { return single(sum(in[0])); });
  add(cases, {.op = Op::row_max, .tolerance = 0},
      [=](const auto& in) { return single(*std::max_element(in[0].begin(), in[0].end())); });
  // Every element is right in itself, however small: the tails too. There 2^-24 of the distance from the
  // maximum, 60 at most, is the part by which the element is off.
  const auto softmax = [](const auto& in) { return softmax_of(in[0]); };
  add(cases, {.op = Op::softmax, .unit = 0}, softmax);
  add(cases, {.op = Op::softmax, .lo = -30, .hi = 30, .tolerance = 4e-6, .unit = 0}, softmax);
  add(cases, {.op = Op::log_softmax}, [](const auto& in) { return log_softmax_of(in[0]); });
  add(cases, {.op = Op::layer_norm, .attrs = {.a = float(epsilon)}},
      [](const auto& in) { return normalised(in[0], float(epsilon)); });
  add(
      cases, {.op = Op::cross_entropy},
      [=](const auto& in) { return single(-log_softmax_of(in[0])[std::size_t(in[1][0])]); }, 1, 1);
  add(
      cases, {.op = Op::row_max_grad}, [](const auto& in) { return maximum_slope(in[0], in[2][0]); }, 1, 2);
  add(
      cases, {.op = Op::softmax_grad},
      [](const auto& in) {
        const Values &y = in[0], &d = in[1];
        const double dot = sum(mapped(y, [&](std::size_t i) { return y[i] * d[i]; }));
        return mapped(y, [&](std::size_t i) { return y[i] * (d[i] - dot); });
      },
      2);
  add(
      cases, {.op = Op::log_softmax_grad, .lo = -4, .hi = 0},
      [](const auto& in) {
        const Values &y = in[0], &d = in[1];
        const double all = sum(d);
        return mapped(y, [&](std::size_t i) { return d[i] - std::exp(y[i]) * all; });
      },
      2);
  add(
      cases, {.op = Op::layer_norm_grad, .attrs = {.a = float(epsilon)}},
      [](const auto& in) { return normalised_slope(in[0], in[1], float(epsilon)); }, 2);
  add(
      cases, {.op = Op::cross_entropy_grad},
      [](const auto& in) { return loss_slope(in[0], in[1][0], in[2][0]); }, 1, 2);
  for (const Shape& shape : {Shape{}, Shape{0}, Shape{3}, Shape{2, 5}})
    cases.push_back({.op = Op::row_broadcast,
                     .shapes = {shape},
                     .large = shape.rank() == 0 ? std::vector<Shape>{{4096}} : std::vector<Shape>{},
                     .attrs = {.n = {1029}},
                     .tolerance = 0,
                     .reference = [](const Inputs& in, const OpCase& op_case) {
                       Values out;
                       for (const double one : in[0])
                         out.insert(out.end(), std::size_t(op_case.attrs.n[0]), one);
                       return out;
                     }});
  return cases;
}

}  // namespace perflab

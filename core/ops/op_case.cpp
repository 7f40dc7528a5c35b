#include "ops/op_case.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"
#include "base/random.h"
#include "ops/apply.h"
#include "ops/cpu/random_fill.h"

namespace perflab {
namespace {

using Values = std::vector<double>;
using Inputs = std::vector<Values>;

void append(std::vector<OpCase>& cases, std::vector<OpCase> more) {
  cases.insert(cases.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Values product(const Inputs& in, const OpCase& op_case) {
  const Shape &a = op_case.shapes[0], &b = op_case.shapes[1];
  const bool ta = op_case.attrs.trans_a, tb = op_case.attrs.trans_b;
  const std::int64_t m = a[ta ? 1 : 0], k = a[ta ? 0 : 1], n = b[tb ? 0 : 1];
  Values out(std::size_t(m * n));
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t l = 0; l < k; ++l)
      for (std::int64_t j = 0; j < n; ++j)
        out[std::size_t(i * n + j)] +=
            in[0][std::size_t(ta ? l * m + i : i * k + l)] * in[1][std::size_t(tb ? j * k + l : l * n + j)];
  return out;
}

// The words of base/random.h through the formula in float64; words and pairing are the definition of the op.
Values normals(const Inputs&, const OpCase& op_case) {
  const Random random(op_case.attrs.seed);
  Values out(std::size_t(op_case.shapes[0].elements()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t pair = i / 2 * 2;
    const double u = (double(random.bits(pair) >> 1) + 0.5) * 0x1p-31;
    const double angle = 2 * std::numbers::pi * double(random.bits(pair + 1) >> 8) * 0x1p-24;
    out[i] = std::sqrt(-2 * std::log(u)) * (i == pair ? std::cos(angle) : std::sin(angle));
  }
  return out;
}

Values uniforms(const Inputs&, const OpCase& op_case) {
  const std::vector<float> values = Random(op_case.attrs.seed).uniform_values(op_case.shapes[0].elements());
  return {values.begin(), values.end()};
}

std::vector<std::int32_t> labels(const Random& random, std::int64_t count, std::int64_t classes) {
  std::vector<std::int32_t> out(std::size_t(count), 0);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::int32_t(random.below(i, std::uint64_t(classes)));
  return out;
}

Values as_doubles(const Tensor& tensor) {
  if (tensor.dtype() == Dtype::i32) {
    const std::vector<std::int32_t> values = tensor.to_host_i32();
    return {values.begin(), values.end()};
  }
  const std::vector<float> values = tensor.to_host();
  return {values.begin(), values.end()};
}

bool is_label(Op op, std::size_t input) {
  return input == 1 && (op == Op::cross_entropy || op == Op::cross_entropy_grad);
}

}  // namespace

std::vector<OpCase> product_cases() {
  std::vector<OpCase> cases;
  struct Sizes {
    std::int64_t m, k, n;
  };
  for (const Sizes s : {Sizes{0, 3, 2}, {2, 0, 3}, {3, 2, 0}, {1, 1, 1}, {127, 129, 3}, {33, 257, 65}})
    for (const bool ta : {false, true})
      for (const bool tb : {false, true}) {
        OpCase one{.op = Op::matmul, .unit = 64};  // sums of up to 257 products that nearly cancel
        one.shapes = {ta ? Shape{s.k, s.m} : Shape{s.m, s.k}, tb ? Shape{s.n, s.k} : Shape{s.k, s.n}};
        if (cases.empty()) one.large = {{1024, 1024}, {1024, 1024}};
        one.attrs.trans_a = ta;
        one.attrs.trans_b = tb;
        one.reference = product;
        cases.push_back(std::move(one));
      }
  return cases;
}

std::vector<OpCase> random_cases() {
  std::vector<OpCase> cases;
  for (const Op op : {Op::uniform, Op::normal})
    for (const Shape& shape : {Shape{0}, Shape{1}, Shape{3, 127}, Shape{40'001}}) {
      OpCase one{.op = op, .shapes = {shape}};
      if (shape == Shape{0}) one.large = {{1 << 20}};
      one.attrs.seed = 0x123456789abcdef;
      one.tolerance = op == Op::uniform ? 0 : 5e-7;
      one.unit = op == Op::uniform ? 1 : 4;  // small radii are less exact, see normal_pair.h
      one.reference = op == Op::uniform ? uniforms : normals;
      cases.push_back(std::move(one));
    }
  return cases;
}

const std::vector<OpCase>& op_cases() {
  static const std::vector<OpCase> cases = [] {
    std::vector<OpCase> all = elementwise_cases();
    append(all, reduction_cases());
    append(all, product_cases());
    append(all, random_cases());
    return all;
  }();
  return cases;
}

std::vector<Tensor> inputs_of(const OpCase& op_case, const std::vector<Shape>& shapes, Device& device,
                              std::uint64_t seed, Dtype dtype) {
  std::vector<Tensor> in;
  if (info(op_case.op).inputs == 0) return in;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (is_label(op_case.op, i)) {
      in.push_back(
          Tensor::from(labels(Random(seed, i), shapes[i].elements(), shapes[0][-1]), shapes[i], device));
      continue;
    }
    std::vector<float> values(static_cast<std::size_t>(shapes[i].elements()));
    uniform_fill(seed + 0x9e3779b97f4a7c15 * i, 0, shapes[i].elements(), values.data());
    for (float& value : values) value = float(op_case.lo + (op_case.hi - op_case.lo) * double(value));
    in.push_back(Tensor::from(values, shapes[i], device, dtype));
  }
  if (op_case.op == Op::row_max_grad) in[1] = apply(Op::row_max, {in[0]});
  return in;
}

Tensor run_case(const OpCase& op_case, const std::vector<Tensor>& in, const std::vector<Shape>& shapes,
                Device& device) {
  Attrs attrs = op_case.attrs;
  if (in.empty()) {
    attrs.device = &device;
    attrs.shape = shapes.at(0);
  }
  return apply(op_case.op, in, attrs);
}

bool takes_16_bits(const OpCase& op_case) {
  return info(op_case.op).inputs > 0 && op_case.op != Op::cross_entropy &&
         op_case.op != Op::cross_entropy_grad;
}

CaseError error_between(std::span<const double> got, std::span<const double> want, double unit, Dtype dtype) {
  const double half_of_smallest =
      dtype == Dtype::f16 ? 0x1p-25 : 0x1p-134;  // bf16; f32 has still smaller ones
  CaseError error;
  double norm = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double off = std::abs(got[i] - want[i]);
    error.norm += off * off;
    norm += want[i] * want[i];
    if (off > half_of_smallest)
      error.element = std::max(error.element, (off - half_of_smallest) / std::max(std::abs(want[i]), unit));
  }
  error.norm = std::sqrt(norm > 0 ? error.norm / norm : error.norm);
  if (std::isnan(error.norm)) error.element = error.norm;  // one wrong NaN is enough
  return error;
}

CaseError case_error(const OpCase& op_case, Device& device, std::uint64_t seed, Dtype dtype) {
  const std::vector<Tensor> in = inputs_of(op_case, op_case.shapes, device, seed, dtype);
  Inputs values;
  for (const Tensor& one : in) values.push_back(as_doubles(one));
  const Values want = op_case.reference(values, op_case);
  const Tensor out = run_case(op_case, in, op_case.shapes, device);
  const Values got = as_doubles(out);
  PL_CHECK(got.size() == want.size(), "op case {}: {} elements; the reference has {}", info(op_case.op).name,
           got.size(), want.size());
  return error_between(got, want, op_case.unit, out.dtype());
}

double relative_error(const OpCase& op_case, Device& device, std::uint64_t seed, Dtype dtype) {
  const CaseError error = case_error(op_case, device, seed, dtype);
  return std::max(error.norm, error.element);  // both are NaN, if one is
}

}  // namespace perflab

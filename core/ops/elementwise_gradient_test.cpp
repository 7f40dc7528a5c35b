// Gradients of the table rows against central differences of the OpCase references, which are float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "device/cpu_device.h"
#include "ops/functions.h"
#include "ops/op_case.h"

namespace perflab {
namespace {

using Values = std::vector<double>;
using Floats1 = std::vector<float>;

class Gradients : public testing::Test {
 protected:
  Tensor tensor(const Shape& shape, Dtype dtype, std::uint64_t seed, double lo = -4, double hi = 4) {
    Floats1 values = Random(seed).uniform_values(shape.elements());
    for (float& value : values) value = float(lo + (hi - lo) * double(value));
    return Tensor::from(values, shape, device_, dtype);
  }
  CpuDevice device_{{.name = "test", .cores = 2, .pinned_cpus = {}}};
};

double weighted_sum(const OpCase& op_case, const std::vector<Values>& in, const Values& weights) {
  const Values out = op_case.reference(in, op_case);
  double sum = 0;
  for (std::size_t i = 0; i < out.size(); ++i) sum += weights[i] * out[i];
  return sum;
}

std::vector<Values> differences(const OpCase& op_case, std::vector<Values> in, const Values& weights) {
  constexpr double step = 1e-5;  // error about step^2 and 1e-16/step: far below f32
  std::vector<Values> out;
  for (std::size_t k = 0; k < in.size(); ++k) {
    Values slopes;
    for (double& x : in[k]) {
      const double at = x;
      x = at + step;
      const double above = weighted_sum(op_case, in, weights);
      x = at - step;
      slopes.push_back((above - weighted_sum(op_case, in, weights)) / (2 * step));
      x = at;
    }
    out.push_back(slopes);
  }
  return out;
}

Values doubles(const Tensor& x) {
  const Floats1 values = x.to_host();
  return {values.begin(), values.end()};
}

TEST_F(Gradients, AreTheSlopesOfTheReferences) {
  std::vector<bool> checked(op_count, false);
  for (const OpCase& op_case : elementwise_cases()) {
    const OpInfo& row = info(op_case.op);
    if (!row.grad || op_case.shapes[0].elements() > 700) continue;
    std::vector<Tensor> in;
    std::vector<Values> values;
    for (const Shape& shape : op_case.shapes) {
      in.push_back(tensor(shape, Dtype::f32, 7 + in.size(), op_case.lo, op_case.hi));
      values.push_back(doubles(in.back()));
    }
    const Tensor out = apply(op_case.op, in, op_case.attrs);
    const Tensor d = tensor(out.shape(), out.dtype(), 1);
    const Grads grads = row.grad({op_case.op, in, op_case.attrs}, out, d);
    ASSERT_EQ(grads.size(), in.size()) << row.name;
    const std::vector<Values> want = differences(op_case, values, doubles(d));
    for (std::size_t k = 0; k < in.size(); ++k) {
      EXPECT_EQ(grads[k].shape(), in[k].shape()) << row.name << k;
      EXPECT_EQ(grads[k].dtype(), in[k].dtype()) << row.name << k;
      const CaseError error = error_between(doubles(grads[k]), want[k], op_case.unit);
      EXPECT_TRUE(error.norm < 1e-5 && error.element < 1e-5)
          << row.name << " input " << k << " of " << in[k].shape().to_string() << ": " << error.norm << ", "
          << error.element;
    }
    checked[std::size_t(op_case.op)] = out.elements() > 100;
  }
  const Op flat[] = {Op::abs_slope,       Op::erf_slope,  Op::relu_slope,   Op::gelu_slope,
                     Op::gelu_tanh_slope, Op::silu_slope, Op::maximum_slope};
  for (int op = 0; op <= int(Op::cast); ++op)
    EXPECT_EQ(checked[std::size_t(op)], std::find(std::begin(flat), std::end(flat), Op(op)) == std::end(flat))
        << op;
}

TEST_F(Gradients, EqualInputsOfMaximumAndMinimumShareTheGradient) {
  const Tensor in[] = {Tensor::from(Floats1{1, 2, 3}, {3}, device_),
                       Tensor::from(Floats1{1, 0, 5}, {3}, device_)};
  const Tensor d = Tensor::from(Floats1{1, 1, 1}, {3}, device_);
  const Attrs none;
  Grads grads = info(Op::maximum).grad({Op::maximum, in, none}, maximum(in[0], in[1]), d);
  EXPECT_EQ(grads[0].to_host(), (Floats1{0.5f, 1, 0}));
  EXPECT_EQ(grads[1].to_host(), (Floats1{0.5f, 0, 1}));
  grads = info(Op::minimum).grad({Op::minimum, in, none}, minimum(in[0], in[1]), d);
  EXPECT_EQ(grads[0].to_host(), (Floats1{0.5f, 0, 1}));
  EXPECT_EQ(grads[1].to_host(), (Floats1{0.5f, 1, 0}));
}

TEST_F(Gradients, OfMaximumAndMinimumAreFiniteAtEqualInfinitiesAndNanAtNan) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Tensor in[] = {Tensor::from(Floats1{-infinity, infinity, -infinity, 1, NAN}, {5}, device_),
                       Tensor::from(Floats1{-infinity, infinity, 3, NAN, 1}, {5}, device_)};
  const Tensor d = Tensor::from(Floats1{1, 2, 3, 4, 5}, {5}, device_);
  const Attrs none;
  const auto expect = [&](Op op, const Floats1& of_x, const Floats1& of_y) {
    const Grads grads = info(op).grad({op, in, none}, apply(op, in), d);
    const Floats1 x = grads[0].to_host(), y = grads[1].to_host();
    EXPECT_EQ(Floats1(x.begin(), x.begin() + 3), of_x) << info(op).name;
    EXPECT_EQ(Floats1(y.begin(), y.begin() + 3), of_y) << info(op).name;
    for (const std::size_t i : {3u, 4u}) EXPECT_TRUE(std::isnan(x[i]) && std::isnan(y[i])) << i;
  };
  expect(Op::maximum, {0.5f, 1, 0}, {0.5f, 1, 3});
  expect(Op::minimum, {0.5f, 1, 3}, {0.5f, 1, 0});
}

}  // namespace
}  // namespace perflab

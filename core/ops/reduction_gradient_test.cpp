// Gradients of the reductions against central differences of their OpCase references, which are float64.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "device/cpu_device.h"
#include "ops/apply.h"
#include "ops/op_case.h"

namespace perflab {
namespace {

using Values = std::vector<double>;

Values doubles(const Tensor& x) {
  if (x.dtype() == Dtype::i32) {
    const std::vector<std::int32_t> values = x.to_host_i32();
    return {values.begin(), values.end()};
  }
  const std::vector<float> values = x.to_host();
  return {values.begin(), values.end()};
}

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// d(d . f(in)) / d(in[0]), one element after the other.
Values slopes(const OpCase& op_case, std::vector<Values> in, const Values& d) {
  constexpr double step = 1e-5;
  Values out;
  for (double& x : in[0]) {
    const double at = x;
    x = at + step;
    const double above = dot(d, op_case.reference(in, op_case));
    x = at - step;
    out.push_back((above - dot(d, op_case.reference(in, op_case))) / (2 * step));
    x = at;
  }
  return out;
}

}  // namespace

TEST(ReductionGradients, AreTheSlopesOfTheReferences) {
  CpuDevice device({.name = "test", .cores = 2, .pinned_cpus = {}});
  std::set<Op> checked;
  for (const OpCase& op_case : reduction_cases()) {
    const OpInfo& row = info(op_case.op);
    const std::int64_t elements = op_case.shapes[0].elements();
    if (!row.grad || elements > 1000) continue;
    const std::vector<Tensor> in = inputs_of(op_case, op_case.shapes, device, 3);
    const Tensor out = apply(op_case.op, in, op_case.attrs);
    const Tensor d = inputs_of({.op = Op::neg}, {out.shape()}, device, 4)[0];
    const Grads grads = row.grad({op_case.op, in, op_case.attrs}, out, d);
    ASSERT_EQ(grads.size(), in.size()) << row.name;
    EXPECT_EQ(grads[0].shape(), in[0].shape()) << row.name;
    for (std::size_t i = 1; i < grads.size(); ++i)
      EXPECT_FALSE(bool(grads[i])) << row.name << ": labels have none";
    std::vector<Values> values;
    for (const Tensor& one : in) values.push_back(doubles(one));
    const Values want = slopes(op_case, values, doubles(d));
    const CaseError error = error_between(doubles(grads[0]), want, 1);
    EXPECT_TRUE(error.norm < 1e-5 && error.element < 1e-5)
        << row.name << " " << in[0].shape().to_string() << ": " << error.norm << ", " << error.element;
    if (elements > 2) checked.insert(op_case.op);
  }
  EXPECT_EQ(checked, (std::set<Op>{Op::row_sum, Op::row_max, Op::softmax, Op::log_softmax, Op::layer_norm,
                                   Op::cross_entropy, Op::row_broadcast}));
}

TEST(ReductionGradients, OfAWholeVectorKeepItsShape) {
  CpuDevice device({.name = "test", .pinned_cpus = {}});
  const Tensor x = inputs_of({.op = Op::neg}, {{7}}, device, 1)[0];
  const Tensor d = Tensor::from(std::vector<float>{2}, {}, device);
  const Tensor in[] = {x};
  const Attrs none;
  const Grads grads = info(Op::row_sum).grad({Op::row_sum, in, none}, apply(Op::row_sum, in), d);
  EXPECT_EQ(grads.at(0).shape(), Shape({7}));
  EXPECT_EQ(grads.at(0).to_host(), std::vector<float>(7, 2.0f));
}

}  // namespace perflab

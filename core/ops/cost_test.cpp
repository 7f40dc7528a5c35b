// Exact costs: every rate in a chart is one of these numbers divided by a time.
#include <gtest/gtest.h>

#include <map>

#include "device/cpu_device.h"
#include "ops/functions.h"

namespace perflab {
namespace {

class Costs : public testing::Test {
 protected:
  Tensor tensor(const Shape& shape, Dtype dtype = Dtype::f32) { return Tensor::empty(shape, dtype, device_); }
  Cost of(Op op, const std::vector<Tensor>& in, const Attrs& attrs = {}) {
    return info(op).cost({op, in, attrs});
  }
  CpuDevice device_{{.name = "costs", .pinned_cpus = {}}};
};

void expect_cost(const Cost& cost, double flops, double read, double written, const char* what = "") {
  EXPECT_EQ(cost.flops, flops) << what;
  EXPECT_EQ(cost.bytes_read, read) << what;
  EXPECT_EQ(cost.bytes_written, written) << what;
}

TEST_F(Costs, OfAMatrixProductAreTwoMNK) {
  const Attrs plain, transposed{.trans_a = true, .trans_b = true};
  expect_cost(of(Op::matmul, {tensor({3, 5}), tensor({5, 7})}, plain), 2 * 3 * 5 * 7, 4 * (15 + 35), 4 * 21);
  expect_cost(of(Op::matmul, {tensor({5, 3}), tensor({7, 5})}, transposed), 210, 200, 84);
  expect_cost(of(Op::matmul, {tensor({3, 5}, Dtype::bf16), tensor({5, 7}, Dtype::bf16)}, plain), 210, 100,
              42);
  expect_cost(of(Op::matmul, {tensor({3, 0}), tensor({0, 7})}, plain), 0, 0, 84);
}

// Counted by hand from the formulas in op_list.h.
TEST_F(Costs, OfElementwiseOpsAreTheirFormulasOperationsAndEveryOperandOnce) {
  const std::map<Op, double> flops{
      {Op::neg, 1},        {Op::abs, 1},        {Op::square, 1},      {Op::sqrt, 1},
      {Op::reciprocal, 1}, {Op::exp, 1},        {Op::log, 1},         {Op::erf, 1},
      {Op::tanh, 1},       {Op::sigmoid, 3},    {Op::relu, 1},        {Op::gelu, 5},
      {Op::gelu_tanh, 9},  {Op::silu, 4},       {Op::scale_shift, 2}, {Op::abs_slope, 1},
      {Op::erf_slope, 3},  {Op::relu_slope, 1}, {Op::gelu_slope, 10}, {Op::gelu_tanh_slope, 17},
      {Op::silu_slope, 7}, {Op::add, 1},        {Op::sub, 1},         {Op::mul, 1},
      {Op::div, 1},        {Op::maximum, 1},    {Op::minimum, 1},     {Op::maximum_slope, 1}};
  const Tensor x = tensor({4, 8}), narrow = tensor({4, 8}, Dtype::f16);
  for (const auto& [op, per_element] : flops) {
    const bool unary = info(op).inputs == 1;
    expect_cost(of(op, unary ? std::vector{x} : std::vector{x, x}), per_element * 32, unary ? 128 : 256, 128,
                info(op).name);
    expect_cost(of(op, unary ? std::vector{narrow} : std::vector{narrow, narrow}), per_element * 32,
                unary ? 64 : 128, 64, info(op).name);
  }
  expect_cost(of(Op::add, {x, tensor({8})}), 32, 128 + 32, 128, "a repeated row is read once");
}

struct RowCost {
  double flops;       // per element of the input
  double read_rows;   // per row, beside the input of the rows' size: labels, maxima, d
  bool second_input;  // of the rows' size
  bool one_per_row;   // in the output
};

TEST_F(Costs, OfReductionsAndTheirGradientsCountASharedValueOnce) {
  const std::map<Op, RowCost> costs{
      {Op::row_sum, {1, 0, false, true}},
      {Op::row_max, {1, 0, false, true}},
      {Op::softmax, {5, 0, false, false}},  // maximum; subtract, exp, add; divide
      {Op::log_softmax, {5, 0, false, false}},
      // mean; subtract, square, add; multiply
      {Op::layer_norm, {5, 0, false, false}},
      {Op::cross_entropy, {4, 1, false, true}},
      {Op::row_max_grad, {2, 2, false, false}},
      {Op::softmax_grad, {4, 0, true, false}},  // y (d - sum(y d))
      {Op::log_softmax_grad, {4, 0, true, false}},
      // layer norm; sum d; sum d y; subtract, multiply, subtract, multiply
      {Op::layer_norm_grad, {5 + 1 + 2 + 4, 0, true, false}},
      {Op::cross_entropy_grad, {6, 2, false, false}}};
  const Tensor x = tensor({4, 8}), per_row = tensor({4}), labels = tensor({4}, Dtype::i32);
  for (const auto& [op, want] : costs) {
    std::vector<Tensor> in{x};
    if (want.second_input) in.push_back(x);
    if (op == Op::cross_entropy || op == Op::cross_entropy_grad) in.push_back(labels);
    while (int(in.size()) < info(op).inputs) in.push_back(per_row);
    expect_cost(of(op, in), want.flops * 32, 128 * (want.second_input ? 2 : 1) + 16 * want.read_rows,
                want.one_per_row ? 16 : 128, info(op).name);
  }
  expect_cost(of(Op::row_sum, {tensor({2, 3, 8}, Dtype::f16)}), 48, 96, 12);
  expect_cost(of(Op::column_sum, {x}), 32, 128, 32);
  expect_cost(of(Op::row_broadcast, {per_row}, {.n = {10}}), 0, 16, 160);
}

TEST_F(Costs, OfMovementRandomNumbersAndUpdatesAreWhatTheyMustMove) {
  const Tensor x = tensor({4, 8}), narrow = tensor({4, 8}, Dtype::bf16);
  expect_cost(of(Op::cast, {narrow}, {.dtype = Dtype::f32}), 0, 64, 128);
  expect_cost(of(Op::cast, {x}, {.dtype = Dtype::f16}), 0, 128, 64);
  expect_cost(of(Op::fill, {}, {.dtype = Dtype::f16, .shape = {3, 5}}), 0, 0, 30);
  expect_cost(of(Op::sgd_step, {x, x}), 64, 256, 128);
  expect_cost(of(Op::sgd_step, {narrow, narrow}), 64, 128, 64);
  expect_cost(of(Op::uniform, {}, {.shape = {3, 5}}), 0, 0, 60);
  expect_cost(of(Op::normal, {}, {.shape = {4, 5}}), 80, 0, 80);  // eight for two numbers
}

}  // namespace
}  // namespace perflab

#pragma once
// OpCase — one description of an op's inputs that runs as a test, as a benchmark, and (with autograd) as a
// gradient check.
//
// Each op has a row. Inputs are seeded and never constant. The test compares with a float64 reference written
// apart from the kernels; `tolerance` bounds the error of the whole, relative to the reference's norm, and of
// each element, relative to that element; its reason is given where it is not that of rounding.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ops/op.h"

namespace perflab {

struct OpCase {
  Op op;
  std::vector<Shape> shapes{};  // of the inputs, for tests: odd sizes, also several cases per op. An op
                                // without inputs has one here: the output's
  std::vector<Shape> large{};  // for the benchmark: memory-bound or compute-bound, round; empty: not this one
  double lo = -2, hi = 2;      // range of the inputs
  Attrs attrs{};
  double tolerance = 1e-6;
  // Elements smaller than this are judged as if they were of this size: what the numbers have that they are
  // sums and differences of.
  double unit = 1;
  // Inputs (as the case's test shapes say) and the result in float64, row-major.
  std::function<std::vector<double>(const std::vector<std::vector<double>>& in, const OpCase&)> reference{};
};

const std::vector<OpCase>& op_cases();    // every Op of the table has at least one
std::vector<OpCase> elementwise_cases();  // op_cases_elementwise.cpp: op_list.h, movement, column_sum
std::vector<OpCase> reduction_cases();    // op_cases_reductions.cpp
std::vector<OpCase> product_cases();      // op_case.cpp: matmul
std::vector<OpCase> random_cases();       // op_case.cpp: uniform, normal

// Seeded: the same values on every device. Labels and the maxima of row_max_grad fit the other inputs.
std::vector<Tensor> inputs_of(const OpCase& op_case, const std::vector<Shape>& shapes, Device& device,
                              std::uint64_t seed, Dtype dtype = Dtype::f32);
// The op on these inputs; of an op without inputs, shapes[0] on the device.
Tensor run_case(const OpCase& op_case, const std::vector<Tensor>& in, const std::vector<Shape>& shapes,
                Device& device);
bool takes_16_bits(const OpCase& op_case);  // has floating inputs and no i32 ones

struct CaseError {
  double norm = 0;  // ||got - want|| / ||want||
  double element =
      0;  // the largest |got - want| / max(|want|, unit): the norm of many hides a single wrong one
};
// Of results that were rounded to dtype: an f16 may be off by half of its smallest number whatever its size.
CaseError error_between(std::span<const double> got, std::span<const double> want, double unit,
                        Dtype dtype = Dtype::f32);
// Of the case's test shapes on the device; the reference gets the inputs as rounded to dtype.
CaseError case_error(const OpCase& op_case, Device& device, std::uint64_t seed, Dtype dtype = Dtype::f32);
// The larger of both.
double relative_error(const OpCase& op_case, Device& device, std::uint64_t seed, Dtype dtype = Dtype::f32);

}  // namespace perflab

#pragma once
// OpCase — one description of an op's inputs that runs as a test, as a benchmark, and (with autograd) as a
// gradient check.
//
// Each op has a row. Inputs are seeded and never constant. The test compares with a float64 reference written
// apart from the kernels; `tolerance` is relative to the reference's norm, with its reason where it is not
// that of rounding.

#include <functional>
#include <string>
#include <vector>

#include "ops/op.h"

namespace perflab {

struct OpCase {
  Op op;
  std::vector<Shape> shapes;  // of the inputs, for tests: odd sizes, also several cases per op
  std::vector<Shape> large;   // for the benchmark: memory-bound or compute-bound, round
  double lo = -2, hi = 2;     // range of the inputs
  Attrs attrs{};
  double tolerance = 1e-6;
  // Inputs and the result in float64, row-major.
  std::function<std::vector<double>(const std::vector<std::vector<double>>& in, const OpCase&)> reference;
};

const std::vector<OpCase>& op_cases();
std::vector<Tensor> inputs_of(const OpCase& op_case, const std::vector<Shape>& shapes, Device& device,
                              std::uint64_t seed);
// ||got - want|| / ||want|| of the case's test shapes on the device.
double relative_error(const OpCase& op_case, Device& device, std::uint64_t seed);

}  // namespace perflab

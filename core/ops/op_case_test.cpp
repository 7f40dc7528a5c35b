#include "ops/op_case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "device/cpu_device.h"
#include "engine/policy.h"

namespace perflab {
namespace {

struct Setting {
  int cores;
  Policy policy;
  Dtype dtype;
};

class EveryOpCase : public testing::TestWithParam<Setting> {};

// Rounding of the result to 16 bits, half a unit in the last place of 11 and 8 bits, on top of the row's own
// tolerance.
double tolerance(const OpCase& op_case, Dtype dtype) {
  const double rounding = dtype == Dtype::f16 ? 0x1p-11 : dtype == Dtype::bf16 ? 0x1p-8 : 0;
  return op_case.tolerance + rounding;
}

// What f16 cannot hold: sums and exponentials of very long rows, above 65,504 and below 2^-24.
bool fits(const OpCase& op_case, Dtype dtype) {
  if (dtype == Dtype::f32) return true;
  return takes_16_bits(op_case) && (dtype != Dtype::f16 || op_case.shapes[0].elements() <= 30'000);
}

std::string text(const OpCase& op_case) {
  std::string out = info(op_case.op).name;
  for (const Shape& shape : op_case.shapes) out += fmt::format(" {}", shape);
  return out;
}

}  // namespace

TEST_P(EveryOpCase, AgreesWithItsReferenceInFloat64) {
  const Setting setting = GetParam();
  CpuDevice device({.name = "case", .cores = setting.cores, .pinned_cpus = {}});
  const PolicyGuard guard(setting.policy);
  int ran = 0;
  for (const OpCase& op_case : op_cases()) {
    if (!fits(op_case, setting.dtype)) continue;
    EXPECT_LE(relative_error(op_case, device, 42, setting.dtype), tolerance(op_case, setting.dtype))
        << text(op_case);
    ++ran;
  }
  EXPECT_GT(ran, op_count);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, EveryOpCase,
    testing::Values(Setting{1, Policy::sync, Dtype::f32}, Setting{2, Policy::sync, Dtype::f32},
                    Setting{1, Policy::async, Dtype::f32}, Setting{2, Policy::async, Dtype::f32},
                    Setting{2, Policy::sync, Dtype::f16}, Setting{2, Policy::async, Dtype::bf16}),
    [](const auto& one) {
      const Setting& setting = one.param;
      return fmt::format("{}{}{}Cores", name_of(setting.dtype),
                         setting.policy == Policy::sync ? "Sync" : "Async", setting.cores);
    });

TEST(CaseErrors, OneWrongElementOfManyIsHiddenByTheNormOnly) {
  std::vector<double> want(100'003, 1.0), got = want;
  got[777] = 1.5;
  const CaseError error = error_between(got, want, 1, Dtype::bf16);
  EXPECT_LT(error.norm, 0x1p-8);
  EXPECT_EQ(error.element, 0.5);
}

TEST(CaseErrors, OfSmallElementsAreRelativeToTheUnitAndToHalvesSmallestNumber) {
  const std::vector<double> want{1000, 1e-3}, got{1000, 2e-3};
  EXPECT_NEAR(error_between(got, want, 0).element, 1, 1e-12);
  EXPECT_NEAR(error_between(got, want, 1).element, 1e-3, 1e-12);
  const std::vector<double> tiny{0x1p-30}, nothing{0};
  EXPECT_EQ(error_between(nothing, tiny, 0, Dtype::f16).element, 0);
  EXPECT_EQ(error_between(nothing, tiny, 0, Dtype::bf16).element, 1 - 0x1p-104);
}

TEST(CaseErrors, OfANanAreNan) {
  const std::vector<double> want{1, 2}, got{1, NAN};
  const CaseError error = error_between(got, want, 1);
  EXPECT_TRUE(std::isnan(error.norm) && std::isnan(error.element));
}

TEST(OpCases, EveryOpHasOneForTestsAndOneForBenchmarks) {
  std::set<Op> tested, large;
  for (const OpCase& op_case : op_cases()) {
    EXPECT_TRUE(op_case.reference != nullptr) << text(op_case);
    tested.insert(op_case.op);
    if (!op_case.large.empty()) large.insert(op_case.op);
  }
  for (int op = 0; op < op_count; ++op) {
    EXPECT_TRUE(tested.contains(Op(op))) << info(Op(op)).name;
    EXPECT_TRUE(large.contains(Op(op))) << info(Op(op)).name;
  }
}

TEST(OpTable, EveryRowHasANameAShapeRuleACostAndACpuKernel) {
  std::set<std::string> names;
  for (int op = 0; op < op_count; ++op) {
    const OpInfo& row = info(Op(op));
    EXPECT_TRUE(names.insert(row.name).second) << "op " << op << ": '" << row.name << "'";
    EXPECT_STRNE(row.name, "") << op;
    EXPECT_TRUE(row.shape != nullptr && row.cost != nullptr && row.cpu != nullptr) << row.name;
    EXPECT_LE(row.inputs, max_inputs) << row.name;
  }
}

TEST(OpTable, CostsOfTheBenchmarkShapesAreNeverNothing) {
  CpuDevice device({.name = "case", .pinned_cpus = {}});
  for (const OpCase& op_case : op_cases()) {
    if (op_case.large.empty()) continue;
    std::vector<Tensor> in;  // a cost depends on shapes and types, so nothing needs to be written into them
    if (info(op_case.op).inputs > 0)
      for (const Shape& shape : op_case.large) in.push_back(Tensor::empty(shape, Dtype::f32, device));
    Attrs attrs = op_case.attrs;
    if (in.empty()) attrs.shape = op_case.large.at(0);
    const Cost cost = info(op_case.op).cost({op_case.op, in, attrs});
    EXPECT_GT(cost.bytes_written, 0) << text(op_case);
    EXPECT_TRUE(cost.flops >= 0 && std::isfinite(cost.flops)) << text(op_case);
  }
}

}  // namespace perflab

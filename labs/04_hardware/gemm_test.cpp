// Matrix products: what a case states, and the numbers that are derived from constructed samples.

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/testing.h"
#include "bodies.h"
#include "device/team.h"
#include "ops/op.h"

namespace perflab::hardware {
namespace {

const Experiment& experiment(const std::string& name) {
  return *std::find_if(experiments().begin(), experiments().end(),
                       [&](const auto& one) { return one.name() == name; });
}

const Cost cost_1024{
    .flops = 2.0 * 1024 * 1024 * 1024, .bytes_read = 8.0 * 1024 * 1024, .bytes_written = 4.0 * 1024 * 1024};

std::string derived(const ConstructedRun& run, const std::string& metric, const std::string& column) {
  return summary_cell(judge(run.input(), experiments()), "", "", metric, column);
}

}  // namespace

TEST(GemmBody, StatesTheFlopsOfTheProductAndEachMatrixOnce) {
  const Point point = {{"n", std::int64_t(1024)}, {"threads", std::int64_t(1)}};
  const Prepared prepared = prepare(experiment("gemm"), point, "product", Device::named("cpu:0"), 1, 0);
  if (Team::engine() != "openmp") {
    EXPECT_EQ(prepared.status_reason, "built_without_openmp");
    return;
  }
  ASSERT_EQ(prepared.status, "ok") << prepared.status_text;
  EXPECT_EQ(prepared.cost.flops, cost_1024.flops);
  EXPECT_EQ(prepared.cost.bytes_read, cost_1024.bytes_read);
  EXPECT_EQ(prepared.cost.bytes_written, cost_1024.bytes_written);
  EXPECT_EQ(prepared.bound.level, "compute");
  EXPECT_EQ(prepared.bound.threads, 1);
  EXPECT_TRUE(prepared.verify().correct);
}

TEST(GemmDerived, OfSize4096IsTheFasterNumberOfThreads) {
  ConstructedRun run("gemm");
  run.work({.flops = 1e9, .bytes_read = 1e6, .bytes_written = 1e6});
  run.point({{"n", "4096"}, {"threads", "1"}}, {{"product", steady(2e7)}});
  run.point({{"n", "4096"}, {"threads", "2"}}, {{"product", steady(1e7)}});
  EXPECT_EQ(derived(run, "cpu_gemm4096_GFLOPS", "median"), "100");
  EXPECT_EQ(derived(run, "gpu_over_cpu_gemm4096_ratio", "status_reason"), "needs_gpus:1");
}

TEST(GemmDerived, WithoutTheSizeSaysSo) {
  ConstructedRun run("gemm");
  run.work(cost_1024).point({{"n", "1024"}, {"threads", "1"}}, {{"product", steady(2e7)}});
  EXPECT_EQ(derived(run, "cpu_gemm4096_GFLOPS", "status_reason"), "not_in_this_profile");
}

TEST(SelfGemmDerived, IsTheRateThatTheWaistKeeps) {
  ConstructedRun run("self_gemm");
  run.work(cost_1024).point({{"n", "512"}}, {{"direct", steady(9.8e6)}, {"waist", steady(1e7)}});
  EXPECT_EQ(derived(run, "gemm512_waist_rate_over_direct_ratio", "median"), "0.98");
  EXPECT_EQ(derived(run, "gemm256_waist_rate_over_direct_ratio", "status_reason"), "no_valid_samples");
}

TEST(SelfOps, PreparesAPointForEveryOperation) {
  const std::vector<AxisValue> names = op_names();
  EXPECT_EQ(int(names.size()), op_count);
  for (const AxisValue& name : names) {
    const Prepared prepared =
        prepare(experiment("self_ops"), {{"op", name}}, "op", Device::named("cpu:0"), 1, 0);
    EXPECT_EQ(prepared.status, "ok") << prepared.status_text;
    EXPECT_GT(prepared.cost.bytes_written, 0) << prepared.id();
  }
}

}  // namespace perflab::hardware

#include "ops/cpu/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>

#include "base/check.h"
#include "base/process.h"
#include "base/random.h"
#include "device/cpu_device.h"
#include "device/team.h"
#include "ops/functions.h"

namespace perflab {
namespace {

DeviceInfo with_cores(int cores) { return {.name = "products", .cores = cores, .pinned_cpus = {}}; }

Tensor whole_numbers(const Shape& shape, Device& device, std::uint64_t seed, Dtype dtype = Dtype::f32) {
  const Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(shape.elements()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = float(random.below(i, 7)) - 3;  // sums are exact
  return Tensor::from(values, shape, device, dtype);
}

std::string refusal(const Tensor& a, const Tensor& b, bool trans_a = false, bool trans_b = false) {
  try {
    matmul(a, b, trans_a, trans_b);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Matmul, RefusesInnerSizesThatDiffer) {
  CpuDevice device(with_cores(1));
  const Tensor a = whole_numbers({2, 3}, device, 1), b = whole_numbers({2, 4}, device, 2);
  EXPECT_EQ(refusal(a, a), "matmul: inner sizes differ: a is [2,3], b is [2,3]; want a.cols == b.rows");
  EXPECT_EQ(
      refusal(a, b, true, true),
      "matmul: inner sizes differ: a is [2,3] transposed, b is [2,4] transposed; want a.rows == b.cols");
  EXPECT_EQ(refusal(a, b, true, false), "");
}

TEST(Matmul, RefusesVectorsAndMixedTypes) {
  CpuDevice device(with_cores(1));
  const Tensor a = whole_numbers({2, 3}, device, 1);
  EXPECT_EQ(refusal(a, whole_numbers({3}, device, 1)),
            "matmul: a is [2,3], b is [3]; want two dimensions each");
  EXPECT_EQ(refusal(a, whole_numbers({3, 2}, device, 1, Dtype::f16)),
            "matmul: a is f32, b is f16; want the same dtype");
}

TEST(Matmul, OfWholeNumbersIsExactInEveryDtypeForEveryThreadCount) {
  for (const int cores : {1, 2, 3})
    for (const Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
      CpuDevice device(with_cores(cores));
      const std::int64_t m = 65, k = 13, n = 127;
      const Tensor a = whole_numbers({m, k}, device, 1, dtype), b = whole_numbers({k, n}, device, 2, dtype);
      const std::vector<float> left = a.to_host(), right = b.to_host(), got = matmul(a, b).to_host();
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          float want = 0;  // at most 13 * 9: exact in 8 bits
          for (std::int64_t l = 0; l < k; ++l)
            want += left[std::size_t(i * k + l)] * right[std::size_t(l * n + j)];
          ASSERT_EQ(got[std::size_t(i * n + j)], want) << i << " " << j << " " << name_of(dtype);
        }
    }
}

TEST(Matmul, AccumulatesHalfPrecisionInF32) {
  CpuDevice device(with_cores(1));
  // 4,096 + 1 is not a bf16, nor is any of the sums on the way to 4,096 + 512.
  std::vector<float> ones(513, 1.0f);
  ones[0] = 4096;
  const Tensor a = Tensor::from(ones, {1, 513}, device, Dtype::bf16);
  const Tensor b = Tensor::from(std::vector<float>(513, 1.0f), {513, 1}, device, Dtype::bf16);
  EXPECT_EQ(matmul(a, b).to_host(), std::vector<float>{4608});
}

TEST(Matmul, WithNothingToAddUpGivesZerosAndMayBeEmpty) {
  CpuDevice device(with_cores(2));
  EXPECT_EQ(matmul(whole_numbers({2, 0}, device, 1), whole_numbers({0, 3}, device, 1)).to_host(),
            std::vector<float>(6, 0.0f));
  EXPECT_TRUE(matmul(whole_numbers({0, 2}, device, 1), whole_numbers({2, 3}, device, 1)).to_host().empty());
}

TEST(Matmul, GradientsAreProductsWithTheOtherSideWhateverIsTransposed) {
  CpuDevice device(with_cores(2));
  const std::int64_t m = 3, k = 5, n = 4;
  const Tensor d = whole_numbers({m, n}, device, 3);
  for (const bool ta : {false, true})
    for (const bool tb : {false, true}) {
      const Tensor a = whole_numbers(ta ? Shape{k, m} : Shape{m, k}, device, 1);
      const Tensor b = whole_numbers(tb ? Shape{n, k} : Shape{k, n}, device, 2);
      const Tensor in[] = {a, b};
      const Attrs attrs{.trans_a = ta, .trans_b = tb};
      const Grads grads = info(Op::matmul).grad({Op::matmul, in, attrs}, matmul(a, b, ta, tb), d);
      ASSERT_EQ(grads.size(), 2u);
      ASSERT_EQ(grads[0].shape(), a.shape());
      ASSERT_EQ(grads[1].shape(), b.shape());
      // The sum of d * (a b) is linear in a: its change with one element of a is that element's gradient.
      const auto loss = [&](const Tensor& one, const Tensor& other) {
        const std::vector<float> c = matmul(one, other, ta, tb).to_host(), slope = d.to_host();
        float total = 0;
        for (std::size_t i = 0; i < c.size(); ++i) total += c[i] * slope[i];
        return total;
      };
      for (std::size_t i = 0; i < std::size_t(a.elements()); ++i) {
        std::vector<float> moved = a.to_host();
        moved[i] += 1;
        ASSERT_EQ(loss(Tensor::from(moved, a.shape(), device), b) - loss(a, b), grads[0].to_host()[i]);
      }
      for (std::size_t i = 0; i < std::size_t(b.elements()); ++i) {
        std::vector<float> moved = b.to_host();
        moved[i] += 1;
        ASSERT_EQ(loss(a, Tensor::from(moved, b.shape(), device)) - loss(a, b), grads[1].to_host()[i]);
      }
    }
}

TEST(LibrarySgemm, StartsNoThreadsOnAStreamThatHasOne) {
  if (Team::engine() != "openmp") GTEST_SKIP() << "oneDNN's threads are limited where teams run on OpenMP";
  const auto threads_of_this_process = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task"), none;
    return std::distance(tasks, none);
  };
  CpuDevice device(with_cores(4));
  Stream& stream = device.stream(copy_stream);
  const std::int64_t n = 512;  // large enough for oneDNN to use all that it may
  const std::vector<float> a(std::size_t(n * n), 1.0f);
  std::vector<float> c(a.size());
  std::ptrdiff_t before = 0, after = 0;
  stream.enqueue([&](StreamContext& context) {
    before = threads_of_this_process();
    library_sgemm({.m = n, .n = n, .k = n}, a.data(), a.data(), c.data(), context.threads);
    after = threads_of_this_process();
  });
  stream.synchronize();
  EXPECT_EQ(c[0], float(n));
  EXPECT_LE(after, before);
}

TEST(LibrarySgemm, OverwritesWhatStoodInTheOutput) {
  const float a[] = {1, 2}, b[] = {3, 4};
  float c[] = {std::numeric_limits<float>::quiet_NaN()};
  library_sgemm({.m = 1, .n = 1, .k = 2}, a, b, c, 1);
  EXPECT_EQ(c[0], 11);
}

TEST(LibrarySgemm, OfOnesIsTheirNumberOnFourThreads) {
  const std::int64_t n = 300;
  const std::vector<float> ones(std::size_t(n * n), 1.0f);
  std::vector<float> c(ones.size());
  library_sgemm({.m = n, .n = n, .k = n}, ones.data(), ones.data(), c.data(), 4);
  EXPECT_EQ(std::count(c.begin(), c.end(), float(n)), n * n);
}

TEST(LibrarySgemm, IsRightAlsoWhereTheEnvironmentAllowsFewerThreads) {
  if (Team::engine() != "openmp")
    GTEST_SKIP() << "oneDNN keeps to its environment where teams do not run on OpenMP";
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  for (const std::string setting :
       {"OMP_DYNAMIC=true", "OMP_THREAD_LIMIT=1", "OMP_THREAD_LIMIT=2", "OMP_NUM_THREADS=1"}) {
    const Captured child = capture(
        {"env", setting, self, "--gtest_filter=LibrarySgemm.OfOnesIsTheirNumberOnFourThreads"}, 60'000);
    EXPECT_TRUE(child.ok) << setting << ": " << child.output;
  }
}

}  // namespace perflab

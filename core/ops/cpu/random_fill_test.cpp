#include "ops/cpu/random_fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"
#include "base/random.h"
#include "device/cpu_device.h"
#include "ops/functions.h"
#include "ops/normal_pair.h"

namespace perflab {
namespace {

std::vector<float> normals(std::uint64_t seed, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  normal_fill(seed, 0, count, values.data());
  return values;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

}  // namespace

TEST(UniformFill, IsBitwiseWhatRandomSaysForEverySizeAndSeed) {
  for (const std::uint64_t seed : {std::uint64_t(0), std::uint64_t(42), ~std::uint64_t(0)})
    for (const std::int64_t count : {0, 1, 3, 4, 63, 64, 65, 127, 129, 4097}) {
      std::vector<float> values(static_cast<std::size_t>(count) + 1, -1.0f);
      uniform_fill(seed, 0, count, values.data());
      EXPECT_EQ(values.back(), -1.0f) << "wrote behind the end";
      values.pop_back();
      ASSERT_EQ(values, Random(seed).uniform_values(count)) << seed << " " << count;
    }
}

TEST(UniformFill, CountersAbove32BitsCarry) {
  const std::int64_t begin = (std::int64_t(1) << 34) - 64,
                     count = 128;  // four words per counter: 2^32 counters
  std::vector<float> values(std::size_t(count), -1.0f);
  // The array's first element stands for element `begin` of a longer one.
  uniform_fill(7, begin, begin + count, values.data() - begin);
  for (std::int64_t i = 0; i < count; ++i)
    ASSERT_EQ(values[std::size_t(i)], Random(7).uniform(std::uint64_t(begin + i))) << i;
}

TEST(RandomFill, PartsThatDoNotBeginAtAGroupAreRefused) {
  float value = 0;
  EXPECT_THROW(uniform_fill(1, 1, 2, &value), Error);
  EXPECT_THROW(normal_fill(1, 32, 33, &value), Error);
}

TEST(RandomFill, PartsAndSizesDoNotChangeAnElement) {
  const std::vector<float> whole = normals(3, 4097);
  for (const std::int64_t count : {1, 3, 127, 129, 4000}) {
    const std::vector<float> part = normals(3, count);
    ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin())) << count;
  }
  std::vector<float> in_parts(4097);
  normal_fill(3, 0, 128, in_parts.data());
  normal_fill(3, 2048, 4097, in_parts.data());
  normal_fill(3, 128, 2048, in_parts.data());
  EXPECT_EQ(in_parts, whole);
}

TEST(RandomOps, AreBitwiseEqualForEveryThreadCount) {
  const std::int64_t count = 100'001;
  const std::vector<float> want = normals(9, count);
  for (const int cores : {1, 2, 3, 4}) {
    CpuDevice device({.name = "random", .cores = cores, .pinned_cpus = {}});
    EXPECT_EQ(normal({count}, 9, device).to_host(), want) << cores;
    EXPECT_EQ(uniform({count}, 9, device).to_host(), Random(9).uniform_values(count)) << cores;
  }
}

TEST(RandomOps, SayWhichDtypeTheyWant) {
  CpuDevice device({.name = "random", .pinned_cpus = {}});
  try {
    apply(Op::normal, std::span<const Tensor>(), {.dtype = Dtype::f16, .device = &device, .shape = {3}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "normal: dtype is f16; want f32");
  }
}

// ---- the transform ----

TEST(NormalPair, LogarithmStaysWithinItsBoundOverAllOfItsRange) {
  double worst = 0;
  const auto look = [&](std::uint32_t word) {
    const double u = (double(float(std::int32_t(word >> 1))) + 0.5) * 0x1p-31;  // as rounded to float
    const double want = -2 * std::log(double(float(u)));
    const float got = minus_two_log(word);
    ASSERT_TRUE(std::isfinite(got) && got >= 0) << word;
    if (want > 0) worst = std::max(worst, std::fabs(double(got) - want) / want);
    else EXPECT_EQ(got, 0) << word;
  };
  for (std::uint64_t word = 0; word < (std::uint64_t(1) << 32); word += 4099) look(std::uint32_t(word));
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    look(i);
    look(~i);
  }
  EXPECT_LE(worst, 3e-7);
  EXPECT_GT(worst, 1e-8);  // float64 was not compared with itself
}

TEST(NormalPair, SineAndCosineStayWithinTheirBoundAndOnTheCircle) {
  double worst = 0;
  for (std::uint64_t word = 0; word < (std::uint64_t(1) << 32); word += 257) {
    const SineCosine got = sine_cosine(std::uint32_t(word));
    const double angle = 2 * std::numbers::pi * double(word >> 8) * 0x1p-24;
    worst = std::max({worst, std::fabs(double(got.sine) - std::sin(angle)),
                      std::fabs(double(got.cosine) - std::cos(angle))});
  }
  EXPECT_LE(worst, 1.2e-7);
  for (const std::uint32_t quarter : {0u, 1u, 2u, 3u}) {
    const SineCosine exact = sine_cosine(quarter << 30);
    EXPECT_EQ(std::fabs(exact.sine), float(quarter % 2)) << quarter;
    EXPECT_EQ(std::fabs(exact.cosine), float(1 - quarter % 2)) << quarter;
  }
}

TEST(NormalPair, TheTailsAreFinite) {
  for (const std::uint32_t angle : {0u, 0x12345678u, ~0u}) {
    const NormalPair far = normal_pair(0, angle), near = normal_pair(~0u, angle);
    EXPECT_NEAR(std::hypot(far.first, far.second), std::sqrt(64 * std::numbers::ln2), 1e-5);
    EXPECT_EQ(near.first, 0);
    EXPECT_EQ(near.second, 0);
  }
}

// ---- the distribution ----

TEST(Normal, MomentsAreThoseOfTheNormalDistribution) {
  const std::int64_t count = 1 << 20;
  const auto n = double(count);
  const std::vector<float> values = normals(2024, count);
  double sum = 0, square = 0, cube = 0, fourth = 0, pairs = 0, neighbours = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    sum += x;
    square += x * x;
    cube += x * x * x;
    fourth += x * x * x * x;
    if (i % 2 == 1) pairs += x * values[i - 1];
    if (i >= 4) neighbours += x * values[i - 4];
  }
  // Five deviations of each statistic: of x 1, of x^2 sqrt(2), of x^3 sqrt(15), of x^4 sqrt(96), of
  // products 1.
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(cube / n, 0, 5 * std::sqrt(15 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96 / n));
  EXPECT_NEAR(pairs / (n / 2), 0, 5 / std::sqrt(n / 2));
  EXPECT_NEAR(neighbours / n, 0, 5 / std::sqrt(n));
}

TEST(Normal, StaysWithinTheKolmogorovSmirnovDistance) {
  const std::int64_t count = 1 << 20;
  std::vector<float> values = normals(5, count);
  std::sort(values.begin(), values.end());
  const auto n = double(count);
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = normal_cdf(values[i]);
    distance = std::max({distance, std::fabs(p - double(i) / n), std::fabs(double(i + 1) / n - p)});
  }
  // Exceeded with probability 2 exp(-2 n d^2) (Massart): one in a million for numbers that are normal.
  EXPECT_LE(distance, std::sqrt(std::log(2e6) / (2 * n)));
}

}  // namespace perflab

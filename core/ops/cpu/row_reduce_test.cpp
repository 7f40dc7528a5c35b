#include "ops/cpu/row_reduce.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "base/random.h"
#include "device/cpu_device.h"
#include "engine/policy.h"
#include "ops/functions.h"

namespace perflab {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

DeviceInfo with_cores(int cores) { return {.name = "rows", .cores = cores, .pinned_cpus = {}}; }

std::vector<float> some_values(std::int64_t count, float low, float high) {
  std::vector<float> values = Random(11).uniform_values(count);
  for (float& value : values) value = low + (high - low) * value;
  return values;
}

std::vector<std::uint32_t> bits(const std::vector<float>& values) {
  std::vector<std::uint32_t> out(values.size());
  if (!values.empty()) std::memcpy(out.data(), values.data(), 4 * values.size());
  return out;
}

Tensor row_of(std::vector<float> values, Device& device) {
  const Shape shape{1, std::int64_t(values.size())};
  return Tensor::from(values, shape, device);
}

}  // namespace

TEST(ReduceChunk, AddsEveryElementOnceForEveryCount) {
  std::vector<float> values(static_cast<std::size_t>(row_chunk));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i + 1);
  for (std::int64_t count = 0; count <= row_chunk; ++count) {
    ASSERT_EQ(reduce_chunk<Sum>(values.data(), count), float(count * (count + 1) / 2)) << count;
    ASSERT_EQ(reduce_chunk<Max>(values.data(), count), count == 0 ? -inf : float(count)) << count;
  }
}

TEST(ReduceChunk, OfTheMaximumKeepsANanWhereverItStands) {
  for (std::size_t place = 0; place < 70; ++place) {
    std::vector<float> values(70, 1.0f);
    values[place] = nan;
    EXPECT_TRUE(std::isnan(reduce_chunk<Max>(values.data(), 70))) << place;
  }
}

TEST(Rows, AreAllVisitedOnceWithAllTheirElements) {
  for (const int cores : {1, 3})
    for (const std::int64_t rows : {0, 1, 3, 17})
      for (const std::int64_t length : {0, 1, 127, 4097, 130'001}) {
        if (rows * length > 1'000'000) continue;
        CpuDevice device(with_cores(cores));
        Stream& stream = device.stream();
        std::vector<std::atomic<std::int64_t>> seen(static_cast<std::size_t>(rows));
        stream.enqueue([&](StreamContext& context) {
          for_each_row(context, rows, length, [&](std::int64_t index, const Row& row) {
            row.each_chunk(
                [&](std::int64_t, std::int64_t count, float*) { seen[std::size_t(index)] += count; });
          });
        });
        stream.synchronize();
        for (const auto& count : seen) ASSERT_EQ(count.load(), length);
      }
}

TEST(RowOps, AreBitwiseEqualForEveryThreadCount) {
  // Few long rows go to the whole team, many are dealt out; both have odd ends.
  for (const Shape& shape : {Shape{1, 1'000'003}, Shape{3, 140'001}, Shape{1029, 129}}) {
    const std::vector<float> values = some_values(shape.elements(), -2, 2);
    std::vector<std::vector<std::uint32_t>> want;
    for (const int cores : {1, 2, 3, 4}) {
      CpuDevice device(with_cores(cores));
      const Tensor x = Tensor::from(values, shape, device);
      std::vector<std::vector<std::uint32_t>> got;
      for (const Tensor& y : {row_sum(x), row_max(x), softmax(x), log_softmax(x), layer_norm(x)})
        got.push_back(bits(y.to_host()));
      if (cores == 1) want = got;
      ASSERT_EQ(got, want) << cores << " cores, " << shape.to_string();
    }
  }
}

TEST(RowSum, OfALongRowIsAccurate) {
  CpuDevice device(with_cores(2));
  const std::vector<float> values = some_values(3'000'001, 0, 1);
  double want = 0;
  for (const float value : values) want += double(value);
  EXPECT_NEAR(row_sum(row_of(values, device)).to_host()[0] / want, 1, 2e-7);  // one after the other: 1e-4
}

TEST(Softmax, OfLargeLogitsDoesNotOverflow) {
  CpuDevice device(with_cores(1));
  const std::vector<float> got = softmax(row_of({3e38f, 3e38f, -3e38f}, device)).to_host();
  EXPECT_EQ(got, (std::vector<float>{0.5f, 0.5f, 0.0f}));
  const std::vector<float> logs = log_softmax(row_of({1000, 1000}, device)).to_host();
  EXPECT_FLOAT_EQ(logs[0], -std::log(2.0f));
}

TEST(Softmax, OfMinusInfinityIsZero) {
  CpuDevice device(with_cores(1));
  EXPECT_EQ(softmax(row_of({0, -inf, 0}, device)).to_host(), (std::vector<float>{0.5f, 0.0f, 0.5f}));
}

TEST(Softmax, OfNanOrOfAnInfiniteMaximumIsNan) {
  CpuDevice device(with_cores(1));
  for (const std::vector<float>& row : {std::vector<float>{0, nan, 1}, {0, inf, 1}, {-inf, -inf, -inf}})
    for (const Tensor& y : {softmax(row_of(row, device)), log_softmax(row_of(row, device))})
      for (const float value : y.to_host()) EXPECT_TRUE(std::isnan(value)) << row[1];
}

TEST(LayerNorm, OfARowFarFromZeroKeepsItsDeviation) {
  CpuDevice device(with_cores(1));
  const std::vector<float> got = layer_norm(row_of({4096, 4097, 4096, 4097}, device)).to_host();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(got[i], i % 2 == 0 ? -1 : 1, 1e-4) << i;
}

TEST(CrossEntropy, OfALabelOutOfRangePoisonsTheStreamAndNamesTheRow) {
  CpuDevice device(with_cores(2));
  for (const std::int32_t bad : {-1, 3}) {
    const Tensor logits = Tensor::from(some_values(6, 0, 1), {2, 3}, device);
    const std::vector<std::int32_t> labels{2, bad};
    const PolicyGuard async(Policy::async);
    const Tensor loss = cross_entropy(logits, Tensor::from(labels, {2}, device));
    try {
      device.synchronize();
      FAIL() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), fmt::format("cross_entropy: the label of row 1 is {}; want 0..2", bad));
    }
    EXPECT_NO_THROW(device.synchronize());
  }
}

TEST(CrossEntropy, TakesLabelsOfTheRightNumberAndTypeOnly) {
  CpuDevice device(with_cores(1));
  const Tensor logits = Tensor::from(some_values(6, 0, 1), {2, 3}, device);
  try {
    cross_entropy(logits, Tensor::from(std::vector<std::int32_t>{0, 1, 2}, {3}, device));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "cross_entropy: labels are i32 [3]; want i32 [2], one for each row of the logits");
  }
  EXPECT_THROW(cross_entropy(logits, Tensor::from(some_values(2, 0, 1), {2}, device)), Error);
}

TEST(RowOps, RefuseAScalarAndAMaximumOfNothing) {
  CpuDevice device(with_cores(1));
  EXPECT_THROW(softmax(Tensor::from(some_values(1, 0, 1), {}, device)), Error);
  EXPECT_THROW(row_max(Tensor::from(std::vector<float>(), {3, 0}, device)), Error);
  EXPECT_EQ(row_sum(Tensor::from(std::vector<float>(), {3, 0}, device)).to_host(),
            std::vector<float>(3, 0.0f));
}

TEST(RowMaxGrad, SharesTheSlopeBetweenEqualMaxima) {
  CpuDevice device(with_cores(1));
  const Tensor x = row_of({1, 5, 5, 2}, device);
  const Tensor d = Tensor::from(std::vector<float>{3}, {1}, device);
  EXPECT_EQ(apply(Op::row_max_grad, {x, row_max(x), d}).to_host(), (std::vector<float>{0, 1.5f, 1.5f, 0}));
}

TEST(RowMaxGrad, OfARowWithANanIsNanAndOfInfiniteMaximaIsShared) {
  CpuDevice device(with_cores(1));
  const Tensor x = Tensor::from(std::vector<float>{1, nan, 2, -inf, -inf, -inf, 1, 2, 3}, {3, 3}, device);
  const Tensor d = Tensor::from(std::vector<float>{3, 3, 3}, {3}, device);
  const std::vector<float> got = apply(Op::row_max_grad, {x, row_max(x), d}).to_host();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(got[i])) << i;
  EXPECT_EQ(std::vector<float>(got.begin() + 3, got.end()), (std::vector<float>{1, 1, 1, 0, 0, 3}));
}

}  // namespace perflab

#include "tensor/tensor.h"

#include <gtest/gtest.h>

#include <latch>
#include <limits>

#include "base/check.h"
#include "device/allocator.h"
#include "device/runtime.h"
#include "engine/policy.h"

namespace perflab {
namespace {

class TensorTest : public testing::Test {
 protected:
  Runtime runtime_{{.cpu_devices = 2}};
  Device& one_ = Device::named("cpu:0");
  Device& two_ = Device::named("cpu:1");
};

TEST_F(TensorTest, GivesBackTheValuesItWasMadeFrom) {
  const std::vector<float> values{1, -2, 0.5f, 3e38f, std::numeric_limits<float>::denorm_min(), -0.0f};
  const Tensor tensor = Tensor::from(values, {2, 3}, one_);
  EXPECT_EQ(tensor.to_host(), values);
  EXPECT_EQ(tensor.bytes(), 24u);
  EXPECT_EQ(tensor.shape(), Shape({2, 3}));
}

TEST_F(TensorTest, RoundsToNearestEvenIn16Bits) {
  const std::vector<float> values{1.0f + 0x1p-11f, 1.0f + 0x3p-11f};  // ties of f16
  EXPECT_EQ(Tensor::from(values, {2}, one_, Dtype::f16).to_host(),
            (std::vector<float>{1.0f, 1.0f + 0x2p-10f}));
}

TEST_F(TensorTest, RefusesAWrongNumberOfValuesAndWrongTypes) {
  const std::vector<float> values{1, 2, 3};
  EXPECT_THROW(Tensor::from(values, {2}, one_), Error);
  EXPECT_THROW(Tensor::from(values, {3}, one_, Dtype::i32), Error);
  const Tensor integers = Tensor::from(std::vector<std::int32_t>{1, 2}, {2}, one_);
  EXPECT_EQ(integers.to_host_i32(), (std::vector<std::int32_t>{1, 2}));
  EXPECT_THROW(integers.to_host(), Error);
  EXPECT_THROW(Tensor::from(values, {3}, one_).to_host_i32(), Error);
  EXPECT_THROW(Tensor().to_host(), Error);
}

TEST_F(TensorTest, ViewsShareMemory) {
  const std::vector<float> values{0, 1, 2, 3, 4, 5};
  const Tensor tensor = Tensor::from(values, {3, 2}, one_);
  const Tensor rows = tensor.rows(1, 3);
  EXPECT_TRUE(rows.shares_memory_with(tensor));
  EXPECT_EQ(rows.to_host(), (std::vector<float>{2, 3, 4, 5}));
  EXPECT_EQ(rows.rows(1, 2).reshape({2, 1}).to_host(), (std::vector<float>{4, 5}));
  EXPECT_EQ(tensor.rows(3, 3).elements(), 0);
  EXPECT_THROW(tensor.rows(2, 4), Error);
  EXPECT_THROW(tensor.reshape({5}), Error);
}

TEST_F(TensorTest, CopiesBetweenDevicesWaitForTheWorkThatMakesTheValues) {
  std::latch gate(1);
  const Tensor source = Tensor::from(std::vector<float>{1, 2}, {2}, one_);
  const PolicyGuard guard(Policy::async);
  one_.stream().enqueue([&](StreamContext&) {
    gate.wait();
    reinterpret_cast<float*>(source.raw_data_unsynchronised())[0] = 7;
  });
  const Tensor copy = source.to(two_);
  EXPECT_EQ(&copy.device(), &two_);
  EXPECT_FALSE(copy.shares_memory_with(source));
  gate.count_down();
  EXPECT_EQ(copy.to_host(), (std::vector<float>{7, 2}));
  EXPECT_TRUE(source.to(one_).shares_memory_with(source));
}

TEST_F(TensorTest, WhatChangesTheSourceLaterWaitsForTheCopy) {
  const Tensor source = Tensor::from(std::vector<float>{1, 2}, {2}, one_);
  const PolicyGuard guard(Policy::async);
  std::latch gate(1);
  two_.stream().enqueue([&](StreamContext&) { gate.wait(); });  // holds the copy back
  const Tensor copy = source.to(two_);
  one_.stream().enqueue(
      [&](StreamContext&) { reinterpret_cast<float*>(source.raw_data_unsynchronised())[0] = 9; });
  EXPECT_FALSE(one_.stream().record().ready());
  gate.count_down();
  EXPECT_EQ(copy.to_host(), (std::vector<float>{1, 2}));
  EXPECT_EQ(source.to_host(), (std::vector<float>{9, 2}));
}

TEST_F(TensorTest, AShapeWhoseBytesCannotBeCountedIsRefused) {
  for (const std::int64_t elements : {std::int64_t(1) << 62, (std::int64_t(1) << 62) + 16}) {
    try {
      Tensor::empty({elements}, Dtype::f32, one_);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::environment);
    }
  }
}

TEST_F(TensorTest, MadeByTheHostNeverTakesMemoryThatQueuedWorkStillReads) {
  const std::vector<float> values(1000, 1);
  std::latch gate(1);
  float seen = 0;
  {
    const Tensor early = Tensor::from(values, {1000}, one_);
    one_.stream().enqueue([&, data = early.raw_data_unsynchronised()](StreamContext&) {
      gate.wait();
      seen = reinterpret_cast<const float*>(data)[999];
    });
  }  // given back while the work above still waits
  const Tensor late = Tensor::from(std::vector<float>(1000, 2), {1000}, one_);
  gate.count_down();
  one_.synchronize();
  EXPECT_EQ(seen, 1);
}

TEST_F(TensorTest, ReadingRethrowsWhatTheWorkThrew) {
  const Tensor tensor = Tensor::from(std::vector<float>{1}, {1}, one_);
  one_.stream().enqueue([](StreamContext&) { throw std::domain_error("kernel"); });
  EXPECT_THROW(tensor.to_host(), std::domain_error);
  EXPECT_EQ(tensor.to_host(), std::vector<float>{1});
}

TEST_F(TensorTest, OutlivesItsDevice) {
  Tensor tensor;
  {
    Runtime inner{{.cpu_devices = 1}};
    tensor = Tensor::from(std::vector<float>{1}, {1}, Device::named("cpu:0"));
  }
  tensor = Tensor();  // gives the memory back to an allocator whose device is gone
  EXPECT_FALSE(tensor);
}

}  // namespace
}  // namespace perflab

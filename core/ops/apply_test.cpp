#include "ops/apply.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/check.h"
#include "device/allocator.h"
#include "device/runtime.h"
#include "device/sim_device.h"
#include "engine/policy.h"
#include "ops/functions.h"

namespace perflab {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class ApplyTest : public testing::Test {
 protected:
  Tensor vector(std::vector<float> values, Device& device) {
    return Tensor::from(values, {std::int64_t(values.size())}, device);
  }
  Runtime runtime_{{.cpu_devices = 2}};
  Device& device_ = Device::named("cpu:0");
};

TEST_F(ApplyTest, ComputesUnderBothPolicies) {
  const Tensor x = vector({1, 2, 3}, device_);
  for (const Policy policy : {Policy::sync, Policy::async}) {
    const PolicyGuard guard(policy);
    EXPECT_EQ(add(mul(x, 2), x).to_host(), (std::vector<float>{3, 6, 9}));
  }
}

TEST_F(ApplyTest, ATensorOfAnotherDeviceIsAClearError) {
  const std::string text = error_of([&] { add(vector({1}, device_), vector({1}, Device::named("cpu:1"))); });
  EXPECT_EQ(text, "add: inputs on cpu:0 and cpu:1; want both on one device, see Tensor::to()");
}

TEST_F(ApplyTest, BadCallsAreRefusedBeforeAnythingIsEnqueued) {
  const Tensor x = vector({1, 2}, device_);
  EXPECT_NE(error_of([&] { apply(Op::add, {x}); }), "");
  EXPECT_NE(error_of([&] { add(x, vector({1, 2, 3}, device_)); }), "");
  EXPECT_NE(error_of([&] { relu(Tensor()); }), "");
  EXPECT_NE(error_of([&] { apply(Op::uniform, std::span<const Tensor>(), {.shape = {2}}); }), "");
  EXPECT_EQ(device_.stream().progress()->issued(), 0u);
}

TEST_F(ApplyTest, MemoryIsReusedInTheOrderOfTheStream) {
  const PolicyGuard guard(Policy::async, {.most_pending = 0});
  Tensor x = vector({0, 0, 0, 0}, device_);
  std::set<std::byte*> places;
  for (int i = 0; i < 10'000; ++i) {
    x = add(x, 1);
    places.insert(x.raw_data_unsynchronised());
  }
  EXPECT_EQ(x.to_host(), (std::vector<float>{10'000, 10'000, 10'000, 10'000}));
  EXPECT_EQ(places.size(), 2u);  // the old x and the new one took turns, however long the queue was
}

TEST_F(ApplyTest, ADeviceThatOnlyTakesTimeRefusesToCompute) {
  SimDevice sim(0, {});
  const Tensor x = Tensor::empty({1}, Dtype::f32, sim);
  EXPECT_EQ(error_of([&] { relu(x); }), "relu: sim:0 has no kernel for it; want a device that computes");
}

TEST_F(ApplyTest, WhatIsUpdatedInPlaceMustNotBeAnotherInputToo) {
  const Tensor x = vector({1, 2, 3}, device_);
  EXPECT_NE(error_of([&] { sgd_step(x, x, 0.1f); }), "");
  EXPECT_NE(error_of([&] { sgd_step(x.rows(0, 2), x.rows(1, 3), 0.1f); }), "");
  EXPECT_EQ(x.to_host(), (std::vector<float>{1, 2, 3}));
}

TEST_F(ApplyTest, AnInPlaceOpReturnsItsFirstInput) {
  const Tensor weights = vector({1, 2}, device_);
  const Tensor result = sgd_step(weights, vector({10, 20}, device_), 0.1f);
  EXPECT_TRUE(result.shares_memory_with(weights));
  EXPECT_EQ(weights.to_host(), (std::vector<float>{1.0f - 0.1f * 10.0f, 2.0f - 0.1f * 20.0f}));
}

// Notes every call and passes it on; may first make a call of its own, as autocast does with casts.
class Counting : public Interceptor {
 public:
  Counting(Slot slot, std::string name, std::vector<std::string>& log)
      : Interceptor(slot), name_(std::move(name)), log_(log) {}
  Tensor on(const Call& call) override {
    log_.push_back(name_ + ":" + info(call.op).name);
    return next(call);
  }

 private:
  std::string name_;
  std::vector<std::string>& log_;
};

TEST_F(ApplyTest, AnInterceptorIsTakenOffWhenAnExceptionPassesIt) {
  const Tensor x = vector({1}, device_);
  std::vector<std::string> log;
  try {
    const Counting tape(Slot::tape, "tape", log);
    throw std::runtime_error("out");
  } catch (const std::runtime_error&) {
  }
  relu(x);
  EXPECT_TRUE(log.empty());
}

TEST_F(ApplyTest, InterceptorsRunInTheirFixedOrderWhateverTheOrderOfConstruction) {
  const Tensor x = vector({-1, 2}, device_);
  std::vector<std::string> log;
  const Counting capture(Slot::capture, "capture", log);
  const Counting autocast(Slot::autocast, "autocast", log);
  const Counting tape(Slot::tape, "tape", log);
  EXPECT_EQ(relu(x).to_host(), (std::vector<float>{0, 2}));
  EXPECT_EQ(log, (std::vector<std::string>{"autocast:relu", "tape:relu", "capture:relu"}));
}

TEST_F(ApplyTest, TheInnermostGuardOfASlotIsActiveAndTheOuterOneComesBack) {
  const Tensor x = vector({1}, device_);
  std::vector<std::string> log;
  {
    const Counting outer(Slot::tape, "outer", log);
    {
      const Counting inner(Slot::tape, "inner", log);
      relu(x);
    }
    relu(x);
  }
  relu(x);
  EXPECT_EQ(log, (std::vector<std::string>{"inner:relu", "outer:relu"}));
}

class Doubling : public Interceptor {  // every op's input is first doubled by an op of its own
 public:
  Doubling() : Interceptor(Slot::autocast) {}
  Tensor on(const Call& call) override {
    if (busy_) return next(call);
    busy_ = true;
    const Tensor doubled = mul(call.in[0], 2);
    busy_ = false;
    return next({call.op, {&doubled, 1}, call.attrs});
  }

 private:
  bool busy_ = false;
};

TEST_F(ApplyTest, CallsMadeByAnOuterInterceptorAreSeenByTheInnerOnes) {
  std::vector<std::string> log;
  const Counting tape(Slot::tape, "tape", log);
  const Doubling doubling;
  EXPECT_EQ(relu(vector({3}, device_)).to_host(), std::vector<float>{6});
  EXPECT_EQ(log, (std::vector<std::string>{"tape:scale_shift", "tape:relu"}));
}

TEST_F(ApplyTest, AKernelsErrorComesAtTheCallOrAtTheNextWait) {
  const Tensor logits = Tensor::from(std::vector<float>{1, 2, 3, 4}, {2, 2}, device_);
  const Tensor labels = Tensor::from(std::vector<std::int32_t>{0, 5}, {2}, device_);
  EXPECT_THROW(cross_entropy(logits, labels), Error);
  const PolicyGuard guard(Policy::async);
  const Tensor loss = cross_entropy(logits, labels);
  EXPECT_THROW(loss.to_host(), Error);
}

}  // namespace
}  // namespace perflab

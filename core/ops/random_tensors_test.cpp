// Random programs over tensors: operations, in-place updates, copies between devices, handles that are
// dropped early, under both policies and any run-ahead, each compared bitwise with the same arithmetic on the
// host.
//
// Memory goes round between queued work and new tensors all the time, so a block that is handed out too early
// shows as a wrong value, and to the thread sanitizer as a race.

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "base/random.h"
#include "device/runtime.h"
#include "engine/policy.h"
#include "ops/functions.h"

namespace perflab {
namespace {

struct Pair {
  Tensor tensor;
  std::vector<float> expected;
};

class Program {
 public:
  Program(std::uint64_t seed, std::span<Device* const> devices)
      : random_(seed), devices_(devices), elements_(std::array{1, 100, 5'000, 70'000}[draw(4)]) {
    for (int i = 0; i < 4; ++i) pairs_.push_back(make());
  }

  void run(int steps) {
    for (int done = 0; done < steps;) {
      const std::array bounds{0, 2, 64, 4096};
      const PolicyGuard guard(draw(3) ? Policy::async : Policy::sync, {.most_pending = bounds[draw(4)]});
      for (std::size_t burst = 1 + draw(20); burst > 0 && done < steps; --burst, ++done) step();
    }
    for (const Pair& pair : pairs_) EXPECT_EQ(pair.tensor.to_host(), pair.expected);
  }

 private:
  std::size_t draw(std::size_t bound) { return std::size_t(random_.below(drawn_++, bound)); }
  Pair& any() { return pairs_[draw(pairs_.size())]; }

  Pair make() {
    std::vector<float> values(static_cast<std::size_t>(elements_));
    for (float& value : values) value = float(draw(7)) - 3;
    Device& device = *devices_[draw(devices_.size())];
    return {Tensor::from(values, {elements_}, device), values};
  }

  template <typename Operation>
  void combine(Tensor (*op)(const Tensor&, const Tensor&), Operation on_host) {
    const Pair x = any(), y = any();
    Pair out{op(x.tensor, y.tensor.to(x.tensor.device())), x.expected};
    for (std::size_t i = 0; i < out.expected.size(); ++i)
      out.expected[i] = on_host(x.expected[i], y.expected[i]);
    any() = std::move(out);  // somebody's last handle goes here, while work on it is queued
  }

  void update_in_place() {
    const Pair from = any();
    Pair& pair = any();
    if (pair.tensor.shares_memory_with(from.tensor)) return;
    sgd_step(pair.tensor, from.tensor.to(pair.tensor.device()), 1);
    for (Pair& other : pairs_)
      if (&other != &pair && other.tensor.shares_memory_with(pair.tensor))
        subtract(other.expected, from.expected);
    subtract(pair.expected, from.expected);
  }
  static void subtract(std::vector<float>& from, const std::vector<float>& what) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= what[i];
  }

  void step() {
    switch (draw(8)) {
      case 0:
        any() = make();
        break;
      case 1:
        update_in_place();
        break;
      case 2: {
        Pair& pair = any();
        pair.tensor = pair.tensor.to(*devices_[draw(devices_.size())]);
        break;
      }
      case 3: {
        const Pair& pair = any();
        EXPECT_EQ(pair.tensor.to_host(), pair.expected);
        break;
      }
      case 4:
        combine(maximum, [](float a, float b) { return std::max(a, b); });
        break;
      case 5:
        combine(sub, [](float a, float b) { return a - b; });
        break;
      default:
        combine(add, [](float a, float b) { return a + b; });
    }
  }

  Random random_;
  std::uint64_t drawn_ = 0;
  std::span<Device* const> devices_;
  std::int64_t elements_;
  std::vector<Pair> pairs_;
};

TEST(RandomTensors, TwoHundredProgramsDoWhatTheHostDoes) {
  const Runtime runtime({.cpu_devices = 3, .cores_per_device = 2});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Program(seed, runtime.devices()).run(60);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(RandomTensors, TwoHostThreadsShareTheDevices) {
  const Runtime runtime({.cpu_devices = 2, .cores_per_device = 1});
  std::vector<std::jthread> hosts;
  for (std::uint64_t host = 0; host < 2; ++host)
    hosts.emplace_back([&runtime, host] {
      for (std::uint64_t seed = 0; seed < 20; ++seed)
        Program(1000 * (host + 1) + seed, runtime.devices()).run(40);
    });
}

}  // namespace
}  // namespace perflab

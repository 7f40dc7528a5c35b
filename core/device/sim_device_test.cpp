#include "device/sim_device.h"

#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "base/check.h"

namespace perflab {
namespace {

constexpr std::int64_t ms = 1'000'000;

// Time stands still; what would have been waited for is noted.
struct Timeless {
  FakeClock clock;
  std::mutex mutex;
  std::vector<std::int64_t> until_ms;
  const std::int64_t start = clock.now_ns();
  SimDevice device{0, {.launch_s = 0}, clock, [this](std::int64_t ns) {
                     const std::lock_guard lock(mutex);
                     until_ms.push_back((ns - start) / ms);
                   }};
};

}  // namespace

TEST(SimModel, TakesLaunchPlusTheSlowerOfArithmeticAndMemory) {
  const SimModel model{.launch_s = 1e-6, .throughput_GFLOPS = 1000, .bandwidth_GBps = 100};
  EXPECT_DOUBLE_EQ(model.seconds({}), 1e-6);
  EXPECT_DOUBLE_EQ(model.seconds({.flops = 2e9, .bytes_read = 1e6}), 1e-6 + 2e-3);
  EXPECT_DOUBLE_EQ(model.seconds({.flops = 1e6, .bytes_read = 1e8, .bytes_written = 1e8}), 1e-6 + 2e-3);
}

TEST(SimSchedule, APieceBeginsWhenTheOneBeforeItWasToEndHoweverLateTheThreadIs) {
  SimSchedule schedule;
  EXPECT_EQ(schedule.reserve(1000, 0, 50), 1050);
  EXPECT_EQ(schedule.reserve(1001, 0, 50), 1100);
  EXPECT_EQ(schedule.reserve(2000, 0, 50), 2050);     // idle time is not made up for
  EXPECT_EQ(schedule.reserve(2001, 3000, 50), 3050);  // it waited for something else
  EXPECT_EQ(schedule.reserve(2002, 0, 50), 3100);
}

TEST(SimDevice, SaysThatItsDurationsAreModelled) {
  const SimDevice device(3, {.memory_GB = 2});
  EXPECT_EQ(device.name(), "sim:3");
  EXPECT_EQ(device.kind(), Kind::sim);
  EXPECT_TRUE(device.info().modelled);
  EXPECT_EQ(device.info().memory_bytes, 2'000'000'000u);
}

TEST(SimDevice, OccupiesTheStreamBackToBackByTheSchedule) {
  Timeless sim;
  Stream& stream = sim.device.stream();
  sim.device.occupy(stream, 1e-3);
  sim.device.occupy(stream, 2e-3);
  sim.device.occupy(stream, {.flops = 4e9});  // 4 ms at 1000 GFLOPS
  stream.synchronize();
  EXPECT_EQ(sim.until_ms, (std::vector<std::int64_t>{1, 3, 7}));
}

TEST(SimDevice, StreamsRunSideBySide) {
  Timeless sim;
  sim.device.occupy(sim.device.stream(0), 5e-3);
  sim.device.synchronize();
  sim.device.occupy(sim.device.stream(1), 2e-3);
  sim.device.synchronize();
  EXPECT_EQ(sim.until_ms, (std::vector<std::int64_t>{5, 2}));
}

TEST(SimDevice, WorkBehindSomethingElseBeginsWhenItIsItsTurn) {
  Timeless sim;
  Stream& stream = sim.device.stream();
  sim.device.occupy(stream, 1e-3);
  stream.enqueue([&](StreamContext&) { sim.clock.advance_ns(10 * ms); });  // as an event that came late
  sim.device.occupy(stream, 1e-3);
  sim.device.synchronize();
  EXPECT_EQ(sim.until_ms, (std::vector<std::int64_t>{1, 11}));
}

TEST(SimDevice, AFailureSkipsWhatIsBehindItAndTakesNoTime) {
  Timeless sim;
  Stream& stream = sim.device.stream();
  sim.device.occupy(stream, 1e-3);
  stream.enqueue([](StreamContext&) { throw Error(ErrorKind::data, "broken"); });
  sim.device.occupy(stream, 1e-3);
  EXPECT_THROW(stream.synchronize(), Error);
  sim.device.occupy(stream, 3e-3);
  stream.synchronize();
  EXPECT_EQ(sim.until_ms, (std::vector<std::int64_t>{1, 4}));
}

TEST(SimDevice, OtherDevicesWaitForItsEvents) {
  Timeless sim;
  CpuDevice host(DeviceInfo{.name = "cpu:9", .pinned_cpus = {}});
  std::size_t seen = 0;
  for (int i = 0; i < 100; ++i) sim.device.occupy(sim.device.stream(), 1e-3);
  host.stream().wait(sim.device.stream().record());
  host.stream().enqueue([&](StreamContext&) { seen = sim.until_ms.size(); });
  host.synchronize();
  EXPECT_EQ(seen, 100u);
}

TEST(SimDevice, FinishesItsQueueWhenItIsDestroyed) {
  FakeClock clock;
  std::vector<std::int64_t> until;
  {
    SimDevice device(0, {.launch_s = 0}, clock, [&](std::int64_t ns) { until.push_back(ns); });
    for (int i = 0; i < 1000; ++i) device.occupy(device.stream(), 1e-3);
  }
  ASSERT_EQ(until.size(), 1000u);
  EXPECT_EQ(until.back(), clock.now_ns() + 1000 * ms);
}

TEST(SimDevice, RefusesForeignStreamsNegativeTimesAndModelsThatAreNone) {
  SimDevice device(0), other(1);
  EXPECT_THROW(device.occupy(other.stream(), 1e-3), Error);
  EXPECT_THROW(device.occupy(device.stream(), -1.0), Error);
  EXPECT_THROW(SimDevice(0, {.launch_s = -1}), Error);
  EXPECT_THROW(SimDevice(0, {.throughput_GFLOPS = 0}), Error);
  EXPECT_THROW(SimDevice(0, {.bandwidth_GBps = 0.0 / 0.0}), Error);
  EXPECT_THROW(SimDevice(-1), Error);
}

}  // namespace perflab

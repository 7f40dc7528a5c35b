#include "device/event.h"

#include <gtest/gtest.h>

#include <latch>
#include <memory>
#include <stdexcept>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "device/cpu_device.h"

namespace perflab {
namespace {

struct First : std::runtime_error {
  First() : std::runtime_error("first") {}
};
struct Second : std::runtime_error {
  Second() : std::runtime_error("second") {}
};

TEST(Event, OrdersWorkAcrossTwoStreams) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  std::latch gate(1);
  std::vector<int> order;
  device.stream(0).enqueue([&](StreamContext&) {
    gate.wait();
    order.push_back(1);
  });
  device.stream(1).wait(device.stream(0).record());
  device.stream(1).enqueue([&](StreamContext&) { order.push_back(2); });
  gate.count_down();
  device.stream(1).synchronize();
  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(Event, ThatWasNeverRecordedIsReady) {
  const Event event;
  EXPECT_TRUE(event.ready());
  event.wait();
}

TEST(Event, RecordingEnqueuesNothing) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  const Event event = device.stream().record();
  EXPECT_EQ(device.stream().progress()->issued(), 0u);
  EXPECT_TRUE(event.ready());
}

TEST(Event, OutlivesItsStreamAndDevice) {
  Event event;
  {
    CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
    device.stream().enqueue([](StreamContext&) {});
    event = device.stream().record();
  }
  EXPECT_TRUE(event.ready());
  event.wait();
}

TEST(Event, MeasuresTheTimeBetweenTwoTimedOnesAndRefusesAnotherKind) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  const Event a = device.stream().record_timed();
  device.stream().enqueue([](StreamContext&) {  // until the clock has moved
    const std::int64_t start_ns = steady_clock().now_ns();
    while (steady_clock().now_ns() == start_ns) {
    }
  });
  const Event b = device.stream().record_timed();
  EXPECT_GT(seconds_between(a, b), 0);
  EXPECT_EQ(seconds_between(b, a), -seconds_between(a, b));
  EXPECT_THROW(seconds_between(a, device.stream().record()), Error);
}

TEST(Failure, TheFirstErrorIsRethrownOnceAndWhatFollowedItWasSkipped) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  Stream& stream = device.stream();
  int ran = 0;
  stream.enqueue([&](StreamContext&) { ++ran; });
  stream.enqueue([](StreamContext&) { throw First(); });
  stream.enqueue([](StreamContext&) { throw Second(); });
  stream.enqueue([&](StreamContext&) { ++ran; });
  EXPECT_THROW(stream.synchronize(), First);
  EXPECT_EQ(ran, 1);
  stream.synchronize();  // cleared
  stream.enqueue([&](StreamContext&) { ++ran; });
  stream.synchronize();
  EXPECT_EQ(ran, 2);
}

TEST(Failure, TravelsAlongEventsToOtherStreamsAndDevices) {
  CpuDevice one({.name = "cpu:7", .pinned_cpus = {}}), two({.name = "cpu:8", .index = 1, .pinned_cpus = {}});
  bool ran = false;
  one.stream().enqueue([](StreamContext&) { throw First(); });
  two.stream(3).wait(one.stream().record());
  two.stream(3).enqueue([&](StreamContext&) { ran = true; });
  EXPECT_THROW(two.synchronize(), First);
  EXPECT_FALSE(ran);
  EXPECT_THROW(one.synchronize(), First);  // each stream reports for itself
}

TEST(Failure, AnEventBeforeItIsGoodAnEventBehindItIsNotAlsoAfterClearing) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  Stream& stream = device.stream();
  stream.enqueue([](StreamContext&) {});
  const Event before = stream.record();
  stream.enqueue([](StreamContext&) { throw First(); });
  const Event behind = stream.record();
  EXPECT_THROW(stream.synchronize(), First);
  const Event after = stream.record();
  before.wait();
  EXPECT_THROW(behind.wait(), First);
  after.wait();
}

TEST(Failure, OfSeveralStreamsTheDeviceRethrowsTheOneThatCameFirst) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  std::latch second_failed(1);
  device.stream(0).enqueue([&](StreamContext&) {
    second_failed.wait();
    throw First();
  });
  device.stream(1).enqueue([&](StreamContext&) { throw Second(); });
  EXPECT_THROW(device.stream(1).record().wait(), Second);
  second_failed.count_down();
  EXPECT_THROW(device.synchronize(), Second);
  device.synchronize();  // both are cleared
}

TEST(Failure, AWaitingEventDoesNotClearIt) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  device.stream().enqueue([](StreamContext&) { throw First(); });
  EXPECT_THROW(device.stream().record().wait(), First);
  EXPECT_THROW(device.stream().synchronize(), First);
}

TEST(Failure, APoisonedStreamGivesNoTurn) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  device.stream().enqueue([](StreamContext&) { throw First(); });
  EXPECT_THROW(device.stream().record().wait(), First);
  EXPECT_FALSE(Turn(device.stream()));
  EXPECT_THROW(device.synchronize(), First);
}

TEST(Failure, WorkThatWaitsForItsOwnStreamIsToldSoInsteadOfHanging) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  Stream& stream = device.stream();
  stream.enqueue([&](StreamContext&) { stream.synchronize(); });
  EXPECT_THROW(stream.synchronize(), Error);
  stream.enqueue([&](StreamContext&) { device.synchronize(); });
  EXPECT_THROW(device.synchronize(), Error);
  device.stream(1).enqueue([&](StreamContext&) { stream.record().wait(); });  // another stream may
  device.stream(1).synchronize();
}

TEST(Failure, OlderOnesAreForgottenInTheEndButNotTheLastThousand) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  Event first, hundredth;
  for (int i = 0; i < 1100; ++i) {
    device.stream().enqueue([](StreamContext&) { throw First(); });
    if (i == 0) first = device.stream().record();
    if (i == 100) hundredth = device.stream().record();
    EXPECT_THROW(device.stream().synchronize(), First);
  }
  first.wait();
  EXPECT_THROW(hundredth.wait(), First);
}

}  // namespace
}  // namespace perflab

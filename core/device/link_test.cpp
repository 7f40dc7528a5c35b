#include "device/link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "base/check.h"

namespace perflab {
namespace {

constexpr std::int64_t us = 1000, ms = 1'000'000;

struct Sleeps {  // notes what was waited for, and lets the time pass
  explicit Sleeps(FakeClock& of) : clock(of) {}
  void operator()(std::int64_t ns) {
    until.push_back(ns);
    if (const std::int64_t now = clock.now_ns(); ns > now) clock.advance_ns(ns - now, 0);
  }
  FakeClock& clock;
  std::vector<std::int64_t> until;
};

std::vector<std::byte> bytes_of(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte(i * 7);
  return bytes;
}

}  // namespace

TEST(LinkSchedule, ATransferTakesLatencyPlusBytesOverBandwidth) {
  LinkSchedule link({.latency_s = 5e-6, .bandwidth_GBps = 10});
  EXPECT_EQ(link.reserve(100 * ms, 1'000'000), 100 * ms + 100 * us + 5 * us);
  EXPECT_EQ(link.reserve(200 * ms, 0), 200 * ms + 5 * us);
}

TEST(LinkSchedule, OverlappingTransfersQueueForTheBandwidthAndNotForTheLatency) {
  LinkSchedule link({.latency_s = 1e-3, .bandwidth_GBps = 1});
  EXPECT_EQ(link.reserve(0, 1'000'000), 2 * ms);
  EXPECT_EQ(link.reserve(0, 1'000'000), 3 * ms);
  EXPECT_EQ(link.reserve(ms / 2, 1'000'000), 4 * ms);
  EXPECT_EQ(link.reserve(10 * ms, 1'000'000), 12 * ms);  // idle time is not saved up
}

TEST(LinkSchedule, ManySmallTransfersTakeTheTimeOfOneLargeOne) {
  LinkSchedule small({.latency_s = 0, .bandwidth_GBps = 4}), large({.latency_s = 0, .bandwidth_GBps = 4});
  std::int64_t end = 0;
  for (int i = 0; i < 1000; ++i) end = small.reserve(0, 4000);
  EXPECT_EQ(end, large.reserve(0, 4'000'000));
}

TEST(LinkSchedule, RefusesModelsThatAreNone) {
  EXPECT_THROW(LinkSchedule({.latency_s = -1e-6, .bandwidth_GBps = 1}), Error);
  EXPECT_THROW(LinkSchedule({.latency_s = 0, .bandwidth_GBps = 0}), Error);
  EXPECT_THROW(LinkSchedule({.latency_s = 0, .bandwidth_GBps = -1}), Error);
  EXPECT_THROW(LinkSchedule({.latency_s = 0.0 / 0.0, .bandwidth_GBps = 1}), Error);
  EXPECT_THROW(LinkSchedule({.latency_s = 0, .bandwidth_GBps = 1.0 / 0.0}), Error);
}

TEST(Link, WithoutAModelIsAMemcpyAndSaysSo) {
  Link link;
  const std::vector<std::byte> from = bytes_of(1000);
  std::vector<std::byte> to(1000);
  link.copy(to.data(), from.data(), from.size());
  EXPECT_EQ(to, from);
  EXPECT_FALSE(link.modelled());
  EXPECT_EQ(link.label(), "none");
}

TEST(Link, WithAModelCopiesAndWaitsUntilTheScheduledTimes) {
  FakeClock clock;
  Sleeps sleeps(clock);
  Link link({.latency_s = 2e-6, .bandwidth_GBps = 1}, clock, std::ref(sleeps));
  const std::int64_t start = clock.now_ns();
  const std::vector<std::byte> from = bytes_of(3000);
  std::vector<std::byte> to(3000);
  link.copy(to.data(), from.data(), from.size());
  link.copy(to.data(), from.data(), 1000);
  link.copy(nullptr, nullptr, 0);
  EXPECT_EQ(to, from);
  EXPECT_EQ(link.label(), "modelled");
  EXPECT_EQ(sleeps.until, (std::vector<std::int64_t>{start + 5 * us, start + 8 * us, start + 10 * us}));
}

TEST(Link, TransfersOfManyThreadsEachGetATimeOfTheirOwn) {
  FakeClock clock;  // nobody moves it: all are ready at once
  std::mutex mutex;
  std::vector<std::int64_t> ends;
  Link link({.latency_s = 0, .bandwidth_GBps = 1}, clock, [&](std::int64_t ns) {
    const std::lock_guard lock(mutex);
    ends.push_back(ns);
  });
  const std::vector<std::byte> from = bytes_of(100);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      std::vector<std::byte> to(100);
      link.copy(to.data(), from.data(), 100);
    });
  for (std::thread& thread : threads) thread.join();
  std::sort(ends.begin(), ends.end());
  for (std::size_t i = 0; i < ends.size(); ++i)
    EXPECT_EQ(ends[i], clock.now_ns() + 100 * std::int64_t(i + 1));
}

TEST(SleepUntil, ReturnsAtOnceForThePastAndNeverBeforeATimeToCome) {
  sleep_until(0);
  int early = 0;
  for (int round = 0; round < 3; ++round) {
    const std::int64_t until = steady_clock().now_ns() + ms;
    sleep_until(until);
    if (steady_clock().now_ns() < until) ++early;
  }
  EXPECT_EQ(early, 0);
}

}  // namespace perflab

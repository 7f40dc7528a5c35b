#include "engine/policy.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <latch>
#include <stdexcept>
#include <thread>

#include "base/check.h"
#include "device/cpu_device.h"

namespace perflab {
namespace {

class PolicyTest : public testing::Test {
 protected:
  void SetUp() override { take_counts(); }
  CpuDevice device_{{.name = "cpu:7", .pinned_cpus = {}}};
};

TEST_F(PolicyTest, SyncRunsInTheCallersThreadOnAnIdleStream) {
  std::thread::id ran_in;
  execute(device_.stream(), [&](StreamContext&) { ran_in = std::this_thread::get_id(); });
  EXPECT_EQ(ran_in, std::this_thread::get_id());
  const EngineCounts counts = take_counts();
  EXPECT_EQ(counts.dispatches, 1);
  EXPECT_EQ(counts.enqueues, 0);
  EXPECT_EQ(counts.waits, 0);
}

TEST_F(PolicyTest, SyncBehindQueuedWorkJoinsTheQueueAndWaits) {
  std::latch gate(1);
  bool first = false, second = false;
  device_.stream().enqueue([&](StreamContext&) {
    gate.wait();
    first = true;
  });
  std::jthread opener([&] {  // only when the second piece is queued behind the first
    while (device_.stream().pending() < 2) std::this_thread::yield();
    gate.count_down();
  });
  execute(device_.stream(), [&](StreamContext&) { second = first; });
  EXPECT_TRUE(second);
  const EngineCounts counts = take_counts();
  EXPECT_EQ(counts.enqueues, 1);
  EXPECT_EQ(counts.waits, 1);
}

TEST_F(PolicyTest, AsyncReturnsBeforeTheWorkIsDone) {
  const PolicyGuard guard(Policy::async);
  std::latch gate(1);
  bool done = false;
  execute(device_.stream(), [&](StreamContext&) { gate.wait(); });
  execute(device_.stream(), [&](StreamContext&) { done = true; });
  EXPECT_EQ(device_.stream().pending(), 2);
  gate.count_down();
  device_.synchronize();
  EXPECT_TRUE(done);
  EXPECT_EQ(take_counts().enqueues, 2);
}

TEST_F(PolicyTest, GuardsNestAndRestoreAlsoWhenSomethingIsThrown) {
  try {
    const PolicyGuard outer(Policy::async);
    {
      const PolicyGuard inner(Policy::sync);
      EXPECT_EQ(current_policy(), Policy::sync);
    }
    EXPECT_EQ(current_policy(), Policy::async);
    throw std::runtime_error("out");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(current_policy(), Policy::sync);
}

TEST_F(PolicyTest, AGuardBelongsToItsThread) {
  const PolicyGuard guard(Policy::async);
  Policy elsewhere = Policy::async;
  std::jthread([&] { elsewhere = current_policy(); }).join();
  EXPECT_EQ(elsewhere, Policy::sync);
}

TEST_F(PolicyTest, RunAheadBoundsTheQueueAndZeroDoesNot) {
  const auto longest_with = [&](RunAhead run_ahead) {
    const PolicyGuard guard(Policy::async, run_ahead);
    std::latch gate(1), started(1);
    device_.stream().take_longest_queue();
    if (run_ahead.most_pending == 0) {
      execute(device_.stream(), [&](StreamContext&) {
        started.count_down();
        gate.wait();
      });
      started.wait();
    }
    for (int i = 0; i < 1000; ++i) execute(device_.stream(), [](StreamContext&) {});
    gate.count_down();
    device_.synchronize();
    return device_.stream().take_longest_queue();
  };
  EXPECT_LE(longest_with({.most_pending = 10}), 10);
  EXPECT_GE(longest_with({.most_pending = 0}), 1000);
  EXPECT_THROW(PolicyGuard(Policy::async, {.most_pending = -1}), Error);
}

TEST_F(PolicyTest, ErrorsComeAtTheCallUnderSyncAndAtTheNextWaitUnderAsync) {
  const auto failing = [](StreamContext&) { throw std::domain_error("kernel"); };
  EXPECT_THROW(execute(device_.stream(), failing), std::domain_error);
  device_.synchronize();  // a synchronous failure poisons nothing
  const PolicyGuard guard(Policy::async);
  execute(device_.stream(), failing);
  EXPECT_THROW(device_.synchronize(), std::domain_error);
}

TEST_F(PolicyTest, ASyncCallThatWasSkippedThrowsEvenIfAnotherThreadTookTheFailure) {
  std::latch gate(1);
  device_.stream().enqueue([&](StreamContext&) {
    gate.wait();
    throw std::domain_error("kernel");
  });
  std::jthread other([&] {
    while (device_.stream().pending() < 2) std::this_thread::yield();
    gate.count_down();
    try {
      device_.stream().synchronize();
    } catch (const std::domain_error&) {  // one of the two gets here first and clears the failure
    }
  });
  bool ran = false;
  EXPECT_THROW(execute(device_.stream(), [&](StreamContext&) { ran = true; }), std::domain_error);
  EXPECT_FALSE(ran);
}

TEST_F(PolicyTest, ASynchronousProgramStartsNoThread) {
  const auto threads = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task"), none;
    return std::distance(tasks, none);
  };
  std::thread([] {}).join();  // the first thread of a process may bring another: the thread sanitizer's own
  const std::ptrdiff_t before = threads();
  for (int i = 0; i < 10; ++i) execute(device_.stream(), [](StreamContext&) {});
  EXPECT_EQ(threads(), before);
  const PolicyGuard guard(Policy::async);
  execute(device_.stream(), [](StreamContext&) {});
  EXPECT_EQ(threads(), before + 1);
  device_.synchronize();
}

}  // namespace
}  // namespace perflab

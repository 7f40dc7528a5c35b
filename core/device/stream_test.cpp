#include "device/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <latch>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/check.h"
#include "device/cpu_device.h"

namespace perflab {
namespace {

TEST(Stream, RunsItsWorkInTheOrderOfEnqueueing) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) device.stream().enqueue([&order, i](StreamContext&) { order.push_back(i); });
  device.stream().synchronize();
  ASSERT_EQ(order.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[std::size_t(i)], i);
}

TEST(Stream, EnqueueReturnsWhileTheWorkIsStillWaiting) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  std::latch gate(1);
  bool ran = false;
  device.stream().enqueue([&](StreamContext&) { gate.wait(); });
  device.stream().enqueue([&](StreamContext&) { ran = true; });
  EXPECT_EQ(device.stream().pending(), 2);
  const Event behind = device.stream().record();
  EXPECT_FALSE(behind.ready());
  gate.count_down();
  behind.wait();
  EXPECT_TRUE(ran);
  EXPECT_TRUE(behind.ready());
  EXPECT_EQ(device.stream().pending(), 0);
}

TEST(Stream, OnlyTheComputeStreamMayUseMoreThanOneThread) {
  CpuDevice device({.name = "cpu:7", .cores = 3, .pinned_cpus = {}});
  std::vector<int> threads(2);
  for (const int index : {compute_stream, copy_stream})
    device.stream(index).enqueue(
        [&threads, index](StreamContext& context) { threads[std::size_t(index)] = context.threads; });
  device.synchronize();
  EXPECT_EQ(threads, (std::vector{3, 1}));
}

TEST(Stream, ManyProducersLoseNothing) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  std::int64_t sum = 0;  // only the stream's thread touches it
  {
    std::vector<std::jthread> producers;
    for (int p = 0; p < 4; ++p)
      producers.emplace_back([&] {
        for (int i = 1; i <= 2000; ++i) device.stream().enqueue([&sum, i](StreamContext&) { sum += i; });
      });
  }
  device.stream().synchronize();
  EXPECT_EQ(sum, 4 * 2000 * 2001 / 2);
}

TEST(Stream, ATaskIsDestroyedBeforeItsTicketIsComplete) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  const auto held = std::make_shared<int>(1);
  device.stream().enqueue([held](StreamContext&) {});
  device.stream().synchronize();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Stream, TasksLargerThanASlotWorkToo) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  std::array<std::int64_t, 200> big{};
  big.fill(3);
  static_assert(sizeof(big) > Task::capacity);
  std::int64_t sum = 0;
  device.stream().enqueue([big, &sum](StreamContext&) {
    for (const std::int64_t value : big) sum += value;
  });
  device.stream().synchronize();
  EXPECT_EQ(sum, 600);
}

TEST(Stream, DestructionRunsWhatIsQueued) {
  int ran = 0;
  {
    CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
    for (int i = 0; i < 300; ++i)
      device.stream(i % 3).enqueue([&ran, &device, i](StreamContext&) {
        if (i % 3 == 0) ++ran;
        (void)device;
      });
  }
  EXPECT_EQ(ran, 100);
}

TEST(Stream, UsedChunksOfTheQueueAreReused) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  Stream& stream = device.stream();
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 100; ++i) stream.enqueue([](StreamContext&) {});
    stream.synchronize();
  }
  const std::int64_t after_few = stream.queue_bytes();
  EXPECT_LE(after_few, std::int64_t(4) * 64 * std::int64_t(sizeof(Task) + 8));  // never more than 100 pending
}

TEST(Stream, WaitForRoomBoundsWhatIsPending) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  Stream& stream = device.stream();
  std::int64_t most = 0;
  for (int i = 0; i < 500; ++i) {
    stream.wait_for_room(8);
    stream.enqueue([](StreamContext&) {});
    most = std::max(most, stream.pending());
  }
  EXPECT_LE(most, 8);
  EXPECT_THROW(stream.wait_for_room(0), Error);
}

TEST(Stream, ABoundOnRunAheadIsKept) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  Stream& stream = device.stream();
  stream.take_longest_queue();
  for (int i = 0; i < 5000; ++i) stream.enqueue([](StreamContext&) {}, 16);
  stream.synchronize();
  const std::int64_t longest = stream.take_longest_queue();
  EXPECT_GE(longest, 1);
  EXPECT_LE(longest, 16);
  EXPECT_EQ(stream.take_longest_queue(), 0);
}

TEST(Turn, IsGrantedOnAnIdleStreamAndRunsInTheCallersThread) {
  CpuDevice device({.name = "cpu:7", .cores = 2, .pinned_cpus = {}});
  Turn turn(device.stream());
  ASSERT_TRUE(turn);
  EXPECT_EQ(turn.context().threads, 2);
  EXPECT_FALSE(Turn(device.stream()));  // one at a time
}

TEST(Turn, IsRefusedWhileWorkIsQueuedAndGrantedAfterwards) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  std::latch gate(1);
  device.stream().enqueue([&](StreamContext&) { gate.wait(); });
  EXPECT_FALSE(Turn(device.stream()));
  gate.count_down();
  device.stream().synchronize();
  // The thread gives its turn back just after the ticket is complete.
  bool granted = false;
  for (int tries = 0; !granted && tries < 1'000'000; ++tries) granted = bool(Turn(device.stream()));
  EXPECT_TRUE(granted);
}

TEST(Turn, HoldsBackWhatIsEnqueuedMeanwhile) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  std::vector<int> order;  // unguarded: the turn orders the two writers
  {
    Turn turn(device.stream());
    ASSERT_TRUE(turn);
    device.stream().enqueue([&](StreamContext&) { order.push_back(2); });
    order.push_back(1);
  }
  device.stream().synchronize();
  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(Turn, WaitingForTheStreamWhoseTurnIsHeldIsAnErrorInsteadOfAHang) {
  CpuDevice device({.name = "cpu:7", .pinned_cpus = {}});
  {
    const Turn turn(device.stream());
    ASSERT_TRUE(turn);
    device.stream().enqueue([](StreamContext&) {});
    EXPECT_THROW(device.stream().synchronize(), Error);
  }
  device.stream().synchronize();
}

TEST(Stream, MemoryOfAnotherDevicesStreamIsRefused) {
  CpuDevice one({.name = "cpu:7", .pinned_cpus = {}}), two({.name = "cpu:8", .pinned_cpus = {}});
  EXPECT_THROW(one.allocate(64, two.stream()), Error);
}

TEST(Stream, DestructionWaitsForChainsOfWorkThatEnqueuesWork) {
  int length = 0;                 // the chain orders its own accesses
  std::function<void(int)> step;  // outlives the device, whose destructor still calls it
  {
    CpuDevice device({.name = "cpu:7", .cores = 2, .pinned_cpus = {}});
    step = [&](int left) {
      device.stream(left % 2 ? 5 : 0).enqueue([&, left](StreamContext&) {
        ++length;
        if (left > 0) step(left - 1);
      });
    };
    step(99);
    device.stream(5).record().wait();  // begun: what is left is the destructor's to finish
  }
  EXPECT_EQ(length, 100);
}

}  // namespace
}  // namespace perflab

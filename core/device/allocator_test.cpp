// Buffers, the guard, and the allocator that asks the system each time.

#include "device/allocator_test.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <future>
#include <thread>
#include <vector>

#include "device/cpu_device.h"

namespace perflab {

TEST(Buffer, CopiesShareAndTheLastOneGivesBack) {
  ManualDevice device;
  const AllocatorHandle allocator = make_caching_allocator(device);
  Buffer a = take(*allocator, device, 100);
  Buffer b = a;
  EXPECT_TRUE(a.shares_with(b));
  Buffer c = std::move(a);
  EXPECT_FALSE(a);
  b = Buffer();
  EXPECT_EQ(allocator->stats().gives, 0);
  c = take(*allocator, device, 10);
  EXPECT_EQ(allocator->stats().gives, 1);
  EXPECT_EQ(allocator->stats().live_bytes, 10);
  EXPECT_EQ(&c.device(), &device);
}

TEST(Buffer, CopiesMadeAndDroppedByManyThreadsGiveBackOnce) {
  ManualDevice device;
  const AllocatorHandle allocator = make_caching_allocator(device);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::thread> threads;
    {
      const Buffer buffer = take(*allocator, device, 64);
      for (int i = 0; i < 4; ++i)
        threads.emplace_back([copy = buffer] {
          for (int k = 0; k < 100; ++k) const Buffer another = copy;
        });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(allocator->stats().takes, 200);
  EXPECT_EQ(allocator->stats().gives, 200);
}

TEST(AllocatorGuard, TheInnermostOfTheDeviceCountsAndEachRestoresTheOneBefore) {
  ManualDevice device, other;
  const AllocatorHandle outer = make_system_allocator(device), inner = make_arena_allocator(device, 1000),
                        foreign = make_system_allocator(other);
  EXPECT_EQ(&AllocatorGuard::current(device), &device.allocator());
  {
    const AllocatorGuard first(device, *outer);
    EXPECT_EQ(&AllocatorGuard::current(device), outer.get());
    try {
      const AllocatorGuard second(device, *inner);
      const AllocatorGuard elsewhere(other, *foreign);
      EXPECT_EQ(&AllocatorGuard::current(device), inner.get());
      EXPECT_EQ(&AllocatorGuard::current(other), foreign.get());
      std::thread([&] { EXPECT_EQ(&AllocatorGuard::current(device), &device.allocator()); }).join();
      throw 1;
    } catch (int) {
    }
    EXPECT_EQ(&AllocatorGuard::current(device), outer.get());
    EXPECT_EQ(&AllocatorGuard::current(other), &other.allocator());
  }
  EXPECT_EQ(&AllocatorGuard::current(device), &device.allocator());
}

TEST(SystemAllocator, AsksTheSystemOncePerBlockAndGivesBackAtOnceWhatIsIdle) {
  ManualDevice device;
  const AllocatorHandle allocator = make_system_allocator(device);
  {
    const Buffer a = take(*allocator, device, 1000), b = take(*allocator, device, 0);
    std::memset(a.data(), 1, 1000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
    EXPECT_NE(b.data(), nullptr);
    EXPECT_EQ(allocator->stats().system_calls, 2);
    EXPECT_EQ(allocator->stats().reserved_bytes, 1000);
  }
  EXPECT_EQ(allocator->stats().live_bytes, 0);
  EXPECT_EQ(allocator->stats().reserved_bytes, 0);
  EXPECT_EQ(allocator->stats().peak_bytes, 1000);
}

TEST(SystemAllocator, KeepsABlockUntilTheWorkThatWasEnqueuedIsDone) {
  ManualDevice device;
  const AllocatorHandle allocator = make_system_allocator(device);
  std::byte* data = nullptr;
  {
    const Buffer a = take(*allocator, device, 1000);
    data = a.data();
    device.stream().enqueue_something();
  }
  EXPECT_EQ(allocator->stats().live_bytes, 0);
  EXPECT_EQ(allocator->stats().reserved_bytes, 1000);
  std::memset(data, 1, 1000);  // as the work would
  const Buffer b = take(*allocator, device, 10, 1);
  EXPECT_EQ(allocator->stats().reserved_bytes, 1010);
  device.stream().finish_all();
  allocator->trim();
  EXPECT_EQ(allocator->stats().reserved_bytes, 10);
}

TEST(SystemAllocator, PendingBlocksOutliveTheAllocator) {
  ManualDevice device;
  std::byte* data = nullptr;
  {
    const AllocatorHandle allocator = make_system_allocator(device);
    data = take(*allocator, device, 1000).data();
    Buffer used = take(*allocator, device, 1000);
    data = used.data();
    device.stream().enqueue_something();
  }
  std::memset(data, 1, 1000);
  device.stream().finish_all();
  const AllocatorHandle next = make_system_allocator(device);  // its end sweeps what the first one left
}

TEST(SystemAllocator, TheLimitAndAbsurdSizesAreOutOfMemory) {
  ManualDevice device(1000);
  const AllocatorHandle allocator = make_system_allocator(device);
  const Buffer a = take(*allocator, device, 900);
  EXPECT_EQ(
      failure_of(*allocator, device, 200).find("manual:0: out of memory: asked 200 B, live 900 B of 1.00 kB"),
      0u)
      << failure_of(*allocator, device, 200);
  EXPECT_NE(failure_of(*allocator, device, SIZE_MAX), "");
  ManualDevice unlimited;
  const AllocatorHandle endless = make_system_allocator(unlimited);
  EXPECT_NE(failure_of(*endless, unlimited, std::size_t(1) << 48), "");
  EXPECT_EQ(endless->stats().reserved_bytes, 0);
}

TEST(SystemAllocator, MoreBlocksThanOneSlabOfRecordsAreCountedAndReused) {
  ManualDevice device;
  const AllocatorHandle allocator = make_system_allocator(device);
  for (int round = 0; round < 3; ++round) {
    std::vector<Buffer> all;
    for (int i = 0; i < 500; ++i) all.push_back(take(*allocator, device, 8, i % 3));
    EXPECT_EQ(allocator->stats().live_bytes, 4000);
  }
  EXPECT_EQ(allocator->stats().gives, 1500);
  EXPECT_EQ(allocator->stats().reserved_bytes, 0);
}

TEST(SystemAllocator, EightThreadsKeepTheCountsExact) {
  ManualDevice device;
  const AllocatorHandle allocator = make_system_allocator(device);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 2000; ++round) {
        const Buffer buffer = take(*allocator, device, std::size_t(round % 300 + 1), thread % 3);
        std::memset(buffer.data(), thread, buffer.bytes());
        if (round % 5 == 0) device.stream(thread % 3).enqueue_something();
        if (round % 50 == 0) device.stream(thread % 3).finish_all();
      }
    });
  for (std::thread& thread : threads) thread.join();
  device.synchronize();
  allocator->trim();
  EXPECT_EQ(allocator->stats().takes, 16'000);
  EXPECT_EQ(allocator->stats().gives, 16'000);
  EXPECT_EQ(allocator->stats().live_bytes, 0);
  EXPECT_EQ(allocator->stats().reserved_bytes, 0);
}

}  // namespace perflab

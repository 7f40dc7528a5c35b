#include "device/allocator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <future>
#include <thread>
#include <vector>

#include "base/check.h"
#include "device/cpu_device.h"
#include "device/device_testing.h"

namespace perflab {
namespace {

Buffer take(Allocator& allocator, ManualDevice& device, std::size_t bytes, int stream = 0,
            Use use = Use::stream_ordered) {
  return Buffer(allocator.take(bytes, device.stream(stream), use));
}

std::string failure_of(Allocator& allocator, ManualDevice& device, std::size_t bytes) {
  try {
    (void)take(allocator, device, bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    return error.what();
  }
  return "";
}

}  // namespace

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

TEST(ArenaAllocator, HandsOutFrontToBackAndStartsOverWhenAllIsBack) {
  ManualDevice device;
  const AllocatorHandle allocator = make_arena_allocator(device, 1024);
  std::byte* first = nullptr;
  for (int round = 0; round < 3; ++round) {
    const Buffer a = take(*allocator, device, 100), b = take(*allocator, device, 0),
                 c = take(*allocator, device, 64);
    if (!first) first = a.data();
    EXPECT_EQ(a.data(), first);
    EXPECT_EQ(b.data() - a.data(), 128);
    EXPECT_EQ(c.data() - b.data(), 64);
    EXPECT_EQ(allocator->stats().live_bytes, 164);
  }
  EXPECT_EQ(allocator->stats().system_calls, 1);
  EXPECT_EQ(allocator->stats().reserved_bytes, 1024);
}

TEST(ArenaAllocator, IsFullWithAnErrorWhileABlockIsStillOut) {
  ManualDevice device;
  const AllocatorHandle allocator = make_arena_allocator(device, 1024);
  Buffer kept = take(*allocator, device, 64);
  (void)take(*allocator, device, 512);
  EXPECT_EQ(failure_of(*allocator, device, 512),
            "manual:0: arena is full: asked 512 B, 448 B of 1.02 kB are left, blocks out: 1; "
            "give back all of it, or make it larger");
  kept = Buffer();
  EXPECT_EQ(take(*allocator, device, 1024).bytes(), 1024u);
  for (const std::size_t more : {std::size_t(1025), SIZE_MAX})
    EXPECT_NE(failure_of(*allocator, device, more)
                  .find("1.02 kB of 1.02 kB are left, blocks out: 0; make it larger"),
              std::string::npos)
        << failure_of(*allocator, device, more);
}

TEST(ArenaAllocator, StartsOverAtOnceForTheStreamWhoseWorkIsPending) {
  ManualDevice device;
  const AllocatorHandle allocator = make_arena_allocator(device, 1024);
  std::byte* front = nullptr;
  for (int round = 0; round < 3; ++round) {
    const Buffer a = take(*allocator, device, 600);
    if (!front) front = a.data();
    EXPECT_EQ(a.data(), front);
    device.stream().enqueue_something();
  }
  EXPECT_EQ(device.stream().waits(), 0u);
  EXPECT_EQ(device.stream().pending(), 3);
}

TEST(ArenaAllocator, StartsOverForTheHostAndForOtherStreamsOnceThePendingWorkIsDone) {
  for (const auto& [stream, use] : {std::pair(0, Use::idle), std::pair(1, Use::stream_ordered)}) {
    ManualDevice device;
    const AllocatorHandle allocator = make_arena_allocator(device, 1024);
    std::byte* front = nullptr;
    {
      const Buffer a = take(*allocator, device, 600);
      front = a.data();
      device.stream().enqueue_something();
    }
    device.stream().enqueue_something();  // behind the giving back: nobody has to wait for this
    EXPECT_EQ(take(*allocator, device, 600, stream, use).data(), front);
    EXPECT_EQ(device.stream().waits(), 1u);
    EXPECT_EQ(device.stream().pending(), 1);
  }
}

TEST(ArenaAllocator, TheSameTakesFindTheSamePlacesHoweverFarTheWorkHasCome) {
  for (int late = 0; late < 8; ++late) {  // each bit: is the work of that round pending in the next?
    ManualDevice device;
    const AllocatorHandle allocator = make_arena_allocator(device, 1024);
    const std::byte* front = nullptr;
    for (int round = 0; round < 4; ++round) {
      const Buffer input = take(*allocator, device, 128, 0, Use::idle);
      if (!front) front = input.data();
      const Buffer result = take(*allocator, device, 600), moved = take(*allocator, device, 256, 1);
      EXPECT_EQ(input.data() - front, 0) << late;
      EXPECT_EQ(result.data() - front, 128) << late;
      EXPECT_EQ(moved.data() - front, 768) << late;
      device.stream(0).enqueue_something();
      device.stream(1).enqueue_something();
      if (!(late >> round & 1)) device.synchronize();
    }
  }
}

TEST(ArenaAllocator, WorkThatWouldHaveToWaitForItselfIsAnErrorAndNoHang) {
  CpuDevice device({.name = "cpu:7", .cores = 1, .pinned_cpus = {}});
  const AllocatorHandle allocator = make_arena_allocator(device, 1024);
  Stream& stream = device.stream();
  Buffer early(allocator->take(600, stream, Use::stream_ordered));
  std::promise<void> given_back;
  stream.enqueue([&](StreamContext&) {
    given_back.get_future().wait();
    (void)Buffer(allocator->take(600, stream, Use::idle));
  });
  early = Buffer();
  given_back.set_value();
  EXPECT_THROW(stream.synchronize(), Error);
  EXPECT_EQ(Buffer(allocator->take(1024, stream, Use::idle)).bytes(), 1024u);
}

TEST(ArenaAllocator, ALimitedDeviceRefusesALargerArena) {
  ManualDevice device(1000);
  EXPECT_THROW(make_arena_allocator(device, 1001), Error);
  EXPECT_THROW(make_arena_allocator(device, SIZE_MAX), Error);
}

TEST(ArenaAllocator, BlocksOutliveTheAllocator) {
  ManualDevice device;
  AllocatorHandle allocator = make_arena_allocator(device, 4096);
  const Buffer buffer = take(*allocator, device, 4000);
  allocator.reset();
  std::memset(buffer.data(), 1, 4000);
}

}  // namespace perflab

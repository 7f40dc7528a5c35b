// One block of memory, handed out front to back.

#include "device/allocator_test.h"

#include <gtest/gtest.h>

#include <cstring>
#include <future>
#include <thread>
#include <vector>

#include "device/cpu_device.h"

namespace perflab {

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

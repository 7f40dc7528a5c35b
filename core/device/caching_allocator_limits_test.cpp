// Memory that runs out, and memory that is given back.

#include "device/caching_allocator_test.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"

namespace perflab {

TEST(CachingAllocator, ALargeRequestOfExactlyTheLimitFits) {
  constexpr std::size_t limit = 3 * MiB + 1;  // no multiple of anything
  Caching memory(limit);
  const Buffer all = memory.take(limit);
  std::memset(all.data(), 1, limit);
  EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(limit));
}

TEST(CachingAllocator, ARefusalSaysWhatASmallRequestIsRoundedTo) {
  Caching memory(68'000);
  try {
    (void)memory.take(68'000);
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(
        text.find("manual:0: out of memory: asked 68.0 kB (rounded to 81.9 kB), live 0.00 B of 68.0 kB"), 0u)
        << text;
  }
}

TEST(CachingAllocator, TheLimitIsKeptAndTheErrorNamesRequestLiveBytesAndLimit) {
  Caching memory(8 * MiB);
  const Buffer some = memory.take(5 * MiB);
  try {
    (void)memory.take(4 * MiB);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    const std::string text = error.what();
    EXPECT_EQ(text.find("manual:0: out of memory: asked 4.19 MB, live 5.24 MB of 8.39 MB"), 0u) << text;
  }
  EXPECT_EQ(memory.stats().live_bytes, std::int64_t(5 * MiB));
  EXPECT_EQ(memory.stats().takes, 1);
  EXPECT_LE(memory.stats().reserved_bytes, std::int64_t(8 * MiB));
  EXPECT_NE(memory.take(2 * MiB).data(), nullptr);  // what does fit is still given
}

TEST(CachingAllocator, ADeviceSmallerThanARegionStillGivesSmallBlocks) {
  Caching memory(64 << 10);
  const Buffer one = memory.take(1000), two = memory.take(20'000);
  EXPECT_LE(memory.stats().reserved_bytes, 64 << 10);
}

TEST(CachingAllocator, CachedMemoryMakesRoomBeforeARequestFails) {
  Caching memory(8 * MiB);
  (void)memory.take(6 * MiB);
  EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(6 * MiB));
  const Buffer other = memory.take(3 * MiB);  // no fit in the cached block: that one goes back to the system
  EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(4 * MiB));
}

TEST(CachingAllocator, MemoryThatPendingWorkUsesDoesNotMakeRoom) {
  Caching memory(8 * MiB);
  {
    const Buffer used = memory.take(6 * MiB);
    memory.device.stream().enqueue_something();
  }
  EXPECT_THROW((void)memory.take(3 * MiB), Error);
  memory.device.stream().finish_all();
  EXPECT_NE(memory.take(3 * MiB).data(), nullptr);
}

TEST(CachingAllocator, AbsurdSizesAreOutOfMemoryToo) {
  Caching memory;
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX / 2, std::size_t(1) << 48}) {
    try {
      (void)memory.take(bytes);
      FAIL() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::environment);
    }
  }
  EXPECT_EQ(memory.stats().live_bytes, 0);
  EXPECT_EQ(memory.stats().reserved_bytes, 0);
}

TEST(CachingAllocator, WhatTheSystemRefusesIsOutOfMemoryToo) {
  int overcommit = 0;
  std::ifstream("/proc/sys/vm/overcommit_memory") >> overcommit;
  if (overcommit == 1) GTEST_SKIP() << "this system promises any amount of memory";
  Caching memory;
  const Buffer some = memory.take(3 * MiB);
  EXPECT_THROW((void)memory.take(std::size_t(1) << 46), Error);
  EXPECT_EQ(memory.stats().live_bytes, std::int64_t(3 * MiB));
  EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(4 * MiB));
}

TEST(CachingAllocator, TrimGivesIdleRegionsBackAndKeepsPendingAndLiveOnes) {
  Caching memory;
  Buffer live = memory.take(100);
  { const Buffer idle = memory.take(4 * MiB); }
  {
    const Buffer pending = memory.take(6 * MiB, 1);
    memory.device.stream(1).enqueue_something();
  }
  EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(12 * MiB));
  memory.allocator->trim();
  EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(8 * MiB));
  memory.device.stream(1).finish_all();
  memory.allocator->trim();
  EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(2 * MiB));
  live = Buffer();
  memory.allocator->trim();
  EXPECT_EQ(memory.stats().reserved_bytes, 0);
  const Buffer after = memory.take(100);
  std::memset(after.data(), 1, 100);
  EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(2 * MiB));
}

}  // namespace perflab

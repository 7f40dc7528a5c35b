// How memory is reused: sizes, streams, threads, lifetimes.

#include "device/caching_allocator_test.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/check.h"
#include "device/size_class.h"

namespace perflab {
namespace {

// The line "VmFlags: rd wr ..." of the mapping that holds the address; empty if there is no such line.
std::string flags_of_mapping(const std::byte* address) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx ", &begin, &end) == 2)
      inside = begin <= reinterpret_cast<std::uintptr_t>(address) &&
               reinterpret_cast<std::uintptr_t>(address) < end;
    else if (inside && line.starts_with("VmFlags:")) return line;
  }
  return "";
}

}  // namespace

TEST(SizeClass, IsTheSmallestThatFitsAndWastesAtMostAQuarter) {
  for (std::size_t bytes = 0; bytes <= 70'000; ++bytes) {
    const int size_class = size_class_of(bytes);
    const std::size_t rounded = size_of_class(size_class);
    ASSERT_GE(rounded, bytes);
    ASSERT_EQ(rounded % 64, 0u);
    ASSERT_TRUE(size_class == 0 || size_of_class(size_class - 1) < bytes) << bytes;
    if (bytes > 256) {
      ASSERT_LE(rounded - bytes, bytes / 4 + 63) << bytes;
    }
  }
  EXPECT_EQ(size_of_class(size_class_of(MiB)), MiB);
  EXPECT_EQ(size_of_class(size_class_of(MiB + 1)), MiB + MiB / 4);
}

TEST(CachingAllocator, CountsWhatWasAskedExactly) {
  Caching memory;
  {
    const Buffer a = memory.take(100), b = memory.take(0), c = memory.take(3 * MiB);
    EXPECT_EQ(memory.stats().live_bytes, std::int64_t(100 + 3 * MiB));
    EXPECT_EQ(memory.stats().takes, 3);
    EXPECT_EQ(memory.stats().system_calls, 2);  // one region for the small ones, one for the large one
    EXPECT_EQ(memory.stats().reserved_bytes, std::int64_t(2 * MiB + 4 * MiB));
    EXPECT_EQ(b.bytes(), 0u);
    EXPECT_NE(b.data(), nullptr);
  }
  EXPECT_EQ(memory.stats().live_bytes, 0);
  EXPECT_EQ(memory.stats().gives, 3);
  EXPECT_EQ(memory.stats().peak_bytes, std::int64_t(100 + 3 * MiB));
  memory.allocator->reset_peak();
  const Buffer again = memory.take(50);
  EXPECT_EQ(memory.stats().peak_bytes, 50);
  EXPECT_EQ(memory.stats().system_calls, 2);
}

TEST(CachingAllocator, AlignsEveryBlockAndLargeOnesToHugePages) {
  Caching memory;
  std::vector<Buffer> all;
  for (const std::size_t bytes :
       {std::size_t(0), std::size_t(1), std::size_t(65), std::size_t(1000), MiB, MiB + 1, 5 * MiB}) {
    all.push_back(memory.take(bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.back().data()) % 64, 0u);
    std::memset(all.back().data(), 1, bytes);
    if (bytes > MiB) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.back().data()) % (2 * MiB), 0u);
    }
  }
}

TEST(CachingAllocator, TheSameStreamGetsItsBlockBackAtOnceThoughWorkIsPending) {
  Caching memory;
  for (const std::size_t bytes : {std::size_t(256), 3 * MiB}) {
    std::byte* first = nullptr;
    {
      const Buffer a = memory.take(bytes);
      first = a.data();
      memory.device.stream().enqueue_something();
    }
    EXPECT_EQ(memory.take(bytes).data(), first);
  }
}

TEST(CachingAllocator, AnotherStreamGetsItOnlyWhenTheWorkIsDone) {
  Caching memory;
  for (const std::size_t bytes : {std::size_t(256), 3 * MiB}) {
    std::byte* first = nullptr;
    {
      const Buffer a = memory.take(bytes);
      first = a.data();
      memory.device.stream(0).enqueue_something();
    }
    const Buffer b = memory.take(bytes, 1);
    EXPECT_NE(b.data(), first);
    memory.device.stream(0).finish_all();
    const Buffer c = memory.take(bytes, 1);
    EXPECT_EQ(c.data(), first);
  }
}

TEST(CachingAllocator, IdleMemoryIsNeverPendingOnItsOwnStream) {
  Caching memory;
  for (const std::size_t bytes : {std::size_t(256), 3 * MiB}) {
    std::byte* first = nullptr;
    {
      const Buffer a = memory.take(bytes);
      first = a.data();
      memory.device.stream().enqueue_something();
    }
    const Buffer b = memory.take(bytes, 0, Use::idle);
    EXPECT_NE(b.data(), first);
    memory.device.stream().finish_all();
    EXPECT_EQ(memory.take(bytes, 0, Use::idle).data(), first);
  }
}

TEST(CachingAllocator, IdleMemoryIsFoundBehindPendingBlocksOfTheSameClass) {
  Caching memory;
  std::optional<Buffer> early = memory.take(64), late = memory.take(64);
  std::byte* const finished = early->data();
  early.reset();
  memory.device.stream().enqueue_something();
  late.reset();  // on top of the list, and pending
  EXPECT_EQ(memory.take(64, 0, Use::idle).data(), finished);
}

TEST(CachingAllocator, AHostThatRunsFarAheadNeedsNoMoreIdleBlocksThanArePending) {
  Caching memory;
  ManualStream& stream = memory.device.stream();
  constexpr int ahead = 300;
  std::set<std::byte*> blocks;
  for (int step = 0; step < 10 * ahead; ++step) {
    blocks.insert(memory.take(64, 0, Use::idle).data());
    stream.enqueue_something();
    if (step >= ahead) stream.finish_one();
  }
  EXPECT_LE(blocks.size(), std::size_t(ahead + 2));
}

TEST(CachingAllocator, LargeBlocksAreReusedWhenAtMostAQuarterIsWasted) {
  Caching memory;
  std::byte* const whole = memory.take(64 * MiB).data();
  EXPECT_EQ(memory.take(60 * MiB).data(), whole);
  EXPECT_NE(memory.take(40 * MiB).data(), whole);
}

TEST(CachingAllocator, BelowEightMiBAHugePageMayBeWastedAndNoMore) {
  Caching memory;
  const std::size_t asked = MiB + MiB / 10;
  std::byte* const two = memory.take(2 * MiB).data();
  EXPECT_EQ(memory.take(asked).data(), two) << "most of a mebibyte is wasted, which is less than a huge page";
  const Buffer out = memory.take(2 * MiB);  // so that only a larger one is there
  std::byte* const four = memory.take(4 * MiB).data();
  EXPECT_NE(memory.take(asked).data(), four);
  EXPECT_EQ(memory.take(2 * MiB + 1).data(), four);
}

TEST(CachingAllocator, RegionsAreAdvisedToBeHugePages) {
  Caching memory;
  const Buffer small = memory.take(64), large = memory.take(5 * MiB);
  for (const Buffer* buffer : {&small, &large}) {
    const std::string flags = flags_of_mapping(buffer->data());
    if (flags.empty()) GTEST_SKIP() << "this kernel does not tell the flags of a mapping";
    if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
      GTEST_SKIP() << "this kernel has no transparent huge pages";
    EXPECT_NE(flags.find(" hg"), std::string::npos) << flags;
  }
}

TEST(CachingAllocator, BuffersOutliveAllocatorStreamAndDevice) {
  auto memory = std::make_unique<Caching>();
  std::vector<Buffer> buffers;
  for (int i = 0; i < 100; ++i) buffers.push_back(memory->take(std::size_t(1) << (i % 22), i % 3));
  memory.reset();
  for (const Buffer& buffer : buffers) std::memset(buffer.data(), 7, buffer.bytes());
  buffers.clear();
}

TEST(CachingAllocator, MemoryThatPendingWorkUsesOutlivesItsAllocator) {
  ManualDevice device;
  std::byte* data = nullptr;
  {
    const AllocatorHandle allocator = make_caching_allocator(device);
    data = Buffer(allocator->take(3 * MiB, device.stream(), Use::stream_ordered)).data();
    device.stream().enqueue_something();
    (void)Buffer(allocator->take(100, device.stream(), Use::stream_ordered));
  }
  std::memset(data, 1, 3 * MiB);  // as the work would
  device.stream().finish_all();
}

TEST(CachingAllocator, EightThreadsNeverShareABlock) {
  Caching memory;
  constexpr int threads = 8, rounds = 3000;
  std::atomic<int> overlaps{0};
  const auto work = [&](int thread) {
    std::mt19937 random{unsigned(thread)};
    std::vector<Buffer> held;
    for (int round = 0; round < rounds; ++round) {
      const std::size_t bytes = 8 + random() % (round % 100 == 0 ? 2 * MiB : 5000);
      Buffer buffer = memory.take(bytes, thread % 3, round % 2 ? Use::idle : Use::stream_ordered);
      std::memcpy(buffer.data(), &thread, sizeof(thread));
      std::memcpy(buffer.data() + bytes - sizeof(thread), &thread, sizeof(thread));
      if (random() % 4 == 0) memory.device.stream(thread % 3).enqueue_something();
      if (random() % 16 == 0) memory.device.stream(thread % 3).finish_all();
      held.push_back(std::move(buffer));
      if (held.size() < 20) continue;
      const std::size_t chosen = random() % held.size();
      int first = 0, last = 0;
      std::memcpy(&first, held[chosen].data(), sizeof(first));
      std::memcpy(&last, held[chosen].data() + held[chosen].bytes() - sizeof(last), sizeof(last));
      if (first != thread || last != thread) ++overlaps;
      std::swap(held[chosen], held.back());
      held.pop_back();
    }
  };
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread) running.emplace_back(work, thread);
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(overlaps, 0);
  EXPECT_EQ(memory.stats().takes, threads * rounds);
  EXPECT_EQ(memory.stats().gives, threads * rounds);
  EXPECT_EQ(memory.stats().live_bytes, 0);
}

TEST(CachingAllocator, BlocksComeBackFromAnyThread) {
  Caching memory;
  Buffer buffer = memory.take(256);
  std::byte* const data = buffer.data();
  std::thread([given = std::move(buffer)]() mutable { given = Buffer(); }).join();
  EXPECT_EQ(memory.take(256).data(), data);
}

}  // namespace perflab

// Buffers, arrays, levels and chains: what the experiments stand on.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "arrays.h"
#include "base/check.h"
#include "chain.h"
#include "levels.h"
#include "ping_pong.h"
#include "strider.h"

namespace perflab::hardware {
namespace {

Topology machine_with(std::int64_t l1, std::int64_t l2, std::int64_t l3, int cores) {
  Topology machine;
  machine.physical_cores = machine.logical_cpus = machine.effective_cpus = cores;
  machine.memory_bytes = std::int64_t(16) << 30;
  if (l1 > 0) machine.caches.push_back({1, l1, 1});
  if (l2 > 0) machine.caches.push_back({2, l2, 1});
  if (l3 > 0) machine.caches.push_back({3, l3, cores});
  return machine;
}
constexpr std::int64_t Ki = 1024, Mi = 1024 * Ki;

}  // namespace

TEST(Buffer, IsAlignedToAHugePageAndWritable) {
  for (const std::int64_t bytes : {std::int64_t(1), 4095 * Ki, 3 * Mi}) {
    Buffer buffer(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % std::uintptr_t(2 * Mi), 0u);
    EXPECT_EQ(buffer.bytes(), bytes);
    buffer.data()[0] = buffer.data()[bytes - 1] = std::byte{7};
    const Buffer moved = std::move(buffer);
    EXPECT_EQ(moved.data()[bytes - 1], std::byte{7});
  }
  EXPECT_THROW(Buffer(0), Error);
  EXPECT_THROW(Buffer(std::int64_t(1) << 62), Error);
}

TEST(LevelSize, FitsTheNamedLevelAndNotTheOneAbove) {
  const Topology machine = machine_with(32 * Ki, Mi, 32 * Mi, 8);
  for (const int threads : {1, 2, 8}) {
    EXPECT_EQ(level_size(machine, "L1", threads).bytes, 16 * Ki * threads);
    EXPECT_EQ(level_size(machine, "L2", threads).bytes, 512 * Ki * threads);
    const std::int64_t l3 = level_size(machine, "L3", threads).bytes;
    EXPECT_GE(l3, 2 * Mi * threads);
    EXPECT_LE(l3, 24 * Mi);
    EXPECT_EQ(level_size(machine, "DRAM", threads).bytes, 128 * Mi);
  }
}

TEST(LevelSize, SaysWhyALevelCannotBeMeasured) {
  EXPECT_EQ(level_size(Topology{}, "L1", 1).reason, "unknown_cache_size");
  EXPECT_EQ(level_size(Topology{}, "DRAM", 1).reason, "unknown_cache_size");
  EXPECT_EQ(level_size(machine_with(32 * Ki, Mi, 0, 4), "L3", 1).reason, "no_such_cache");
  EXPECT_EQ(level_size(machine_with(32 * Ki, Mi, 0, 4), "DRAM", 1).bytes, 4 * Mi);
  EXPECT_EQ(level_size(machine_with(32 * Ki, 64 * Ki, 0, 4), "L2", 1).reason, "cache_too_small");
  Topology small = machine_with(32 * Ki, Mi, 32 * Mi, 2);
  small.memory_bytes = 256 * Mi;
  EXPECT_EQ(level_size(small, "DRAM", 1).reason, "too_little_memory");
  EXPECT_THROW(level_size(small, "L4", 1), Error);
}

TEST(LevelSize, DividesACacheAmongTheCoresThatShareItButNotAmongHardwareThreads) {
  Topology machine = machine_with(32 * Ki, 0, 0, 4);
  machine.logical_cpus = 8;
  machine.caches = {{1, 32 * Ki, 2}, {2, 4 * Mi, 8}};  // two threads per core; four cores on one L2
  EXPECT_EQ(level_size(machine, "L1", 1).bytes, 16 * Ki);
  EXPECT_EQ(level_size(machine, "L2", 1).bytes, 512 * Ki);
}

TEST(Arrays, HoldTheSameValuesForAnyThreadCountAndDoNotOverlap) {
  for (const int threads : {1, 2, 3}) {
    Arrays arrays({100'000, 3, threads});
    EXPECT_EQ(arrays.elements() % 64, 0);
    EXPECT_GE(arrays.bytes(), 100'000);
    EXPECT_LT(arrays.bytes(), 100'000 + 3 * 64 * 4);
    for (int number = 0; number < 3; ++number) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arrays.array(number)) % 64, 0u);  // streaming stores need it
      arrays.fill(number, 5);
    }
    for (int number = 0; number < 3; ++number)
      for (std::int64_t i = 0; i < arrays.elements(); ++i)
        ASSERT_EQ(arrays.array(number)[i], input_value(5 + std::uint32_t(number), i));
    arrays.poison(2);
    EXPECT_TRUE(std::isnan(arrays.array(2)[arrays.elements() - 1]));
    EXPECT_FALSE(std::isnan(arrays.array(1)[arrays.elements() - 1]));
    EXPECT_EQ(arrays.sum([](std::int64_t begin, std::int64_t end) { return double(end - begin); }),
              double(arrays.elements()));
  }
}

TEST(Arrays, KnowWhichThreadTouchedEachShareFirst) {
  EXPECT_TRUE(Arrays({100'000, 2, 2}).touched_by_their_users());
  EXPECT_FALSE(Arrays({100'000, 2, 2, true}).touched_by_their_users());
  EXPECT_TRUE(
      Arrays({100'000, 2, 1, true}).touched_by_their_users());  // one thread has nobody to take a page from
}

TEST(Arrays, SpreadTheirPagesEvenlyOverTheThreadsThatTouchThemFirst) {
  constexpr std::int64_t page_floats = 1024;
  for (const int threads : {2, 3, 4}) {
    Arrays arrays({12 << 20, 3, threads});
    ASSERT_TRUE(arrays.touched_by_their_users());
    std::vector<double> pages(std::size_t(threads), 0);
    for (std::int64_t page = 0; page < arrays.elements(); page += page_floats)
      for (int member = 0; member < threads; ++member)
        pages[std::size_t(member)] += arrays.part(member).begin <= page && page < arrays.part(member).end;
    const double even = double(arrays.elements()) / page_floats / threads;
    for (const double own : pages) EXPECT_NEAR(own, even, 0.1 * even) << threads << " threads";
  }
}

TEST(Arrays, RefuseAnImpossibleShape) {
  EXPECT_THROW(Arrays({0, 3, 2}), Error);
  EXPECT_THROW(Arrays({100'000, 4, 1}), Error);
  EXPECT_THROW(Arrays({100'000, 1, 1}).array(1), Error);
}

TEST(SharedArrays, AreKeptForTheSameShapeAndReplacedForAnother) {
  const auto first = shared_arrays({100'000, 2, 1});
  EXPECT_EQ(shared_arrays({100'000, 2, 1}), first);
  EXPECT_NE(shared_arrays({100'000, 3, 1}), first);
}

TEST(InputValue, IsSpreadOverItsRangeAndDependsOnSeedAndIndex) {
  double sum = 0;
  std::set<float> distinct;
  for (std::int64_t i = 0; i < 10'000; ++i) {
    const float value = input_value(9, i);
    ASSERT_GE(value, 0.5f);
    ASSERT_LT(value, 1.0f);
    sum += double(value);
    distinct.insert(value);
  }
  EXPECT_NEAR(sum / 10'000, 0.75, 0.01);
  EXPECT_GT(distinct.size(), 9'900u);
  EXPECT_NE(input_value(9, 0), input_value(10, 0));
}

TEST(Strider, StaysInsideABufferThatHasNoRoomForAThousandSteps) {
  const std::int64_t bytes = 128 * Ki;  // 31 steps of 4 KiB
  for (const bool backward : {false, true})
    for (const std::int64_t offset : {0, 60}) {
      const auto arrays = std::make_shared<Arrays>(ArraysShape{bytes, 1, 1});
      arrays->fill(0, 5);
      Strider strider(arrays, 4096, offset, backward);
      EXPECT_EQ(strider.accesses_per_call(), 31);
      const std::uint64_t first = strider.plain_sum();
      strider.call();
      EXPECT_EQ(strider.sum(), first);
      std::set<std::uint64_t> sums{first};
      for (int call = 1; call < 64; ++call) {  // each round starts a line later, and after 64 the first again
        strider.call();
        sums.insert(strider.sum());
      }
      EXPECT_GT(sums.size(), 60u);
    }
}

TEST(Strider, MakesAThousandAccessesWhereThereIsRoomAndRefusesNoRoomAtAll) {
  const auto arrays = std::make_shared<Arrays>(ArraysShape{128 * Ki, 1, 1});
  EXPECT_EQ(Strider(arrays, 64, 0, false).accesses_per_call(), 1000);
  EXPECT_THROW(Strider(arrays, 256 * Ki, 0, false), Error);
}

TEST(PingPong, AnswersEveryPingInEveryWayOfWaiting) {
  for (const auto wait : {PingPong::Wait::spin, PingPong::Wait::atomic_wait, PingPong::Wait::condvar}) {
    PingPong pair(wait);
    for (int i = 0; i < 100; ++i) pair.round_trip();
    EXPECT_EQ(pair.answered(), 100u);
    EXPECT_EQ(pair.handshakes(), 200u);
  }
}

TEST(PingPong, APartnerThatSpinsGoesToSleepWhenNobodyPingsAndStillAnswers) {
  PingPong pair(PingPong::Wait::spin);
  for (std::uint32_t pings = 1; pings <= 20; ++pings) {
    while (!pair.partner_gave_up_spinning()) std::this_thread::yield();  // for ever if it goes on spinning
    pair.round_trip();
    EXPECT_EQ(pair.answered(), pings);
  }
}

TEST(Chain, VisitsEveryLineOnceForAnyNumberOfLines) {
  for (const std::int64_t lines : {1, 2, 127, 129, 4096}) {
    const Chain chain(64 * lines, Random(3));
    EXPECT_EQ(chain.lines(), lines);
    EXPECT_TRUE(chain.visits_every_line_once());
    EXPECT_EQ(chase(chain.at(0), lines), chain.at(0));
    EXPECT_EQ(chase(chain.at(0), lines + 5), chain.at(5));
    EXPECT_EQ(read_lines(chain.line(0), lines), chain.sum_of_lines());
  }
}

TEST(Chain, APathThatClosesTooEarlyIsNoticed) {
  const Chain chain(64 * 100, Random(3));
  auto* broken = const_cast<Hop*>(chain.at(40));
  broken->next = chain.at(0);
  EXPECT_FALSE(chain.visits_every_line_once());
  broken->next = chain.at(40);  // never comes back
  EXPECT_FALSE(chain.visits_every_line_once());
}

TEST(Chain, IsNoWalkInOrder) {
  const Chain chain(64 * 1000, Random(3));
  int in_order = 0;
  for (std::int64_t step = 0; step < 1000; ++step)
    in_order += chain.at(step + 1) == chain.at(step) + 1 ? 1 : 0;
  EXPECT_LT(in_order, 10);  // a random permutation has about one such neighbour
}

}  // namespace perflab::hardware

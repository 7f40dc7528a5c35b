#include "device/task_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "device/device_testing.h"

namespace perflab {
namespace {

struct TaskQueueTest : testing::Test {
  ManualDevice device;
  StreamContext context{device, device.stream()};
  std::atomic<std::uint64_t> issued{0};
  std::vector<int> ran;  // outlives the queue, whose tasks refer to it
  TaskQueue queue;

  void push(int number) {
    queue.push([this, number](StreamContext&) { ran.push_back(number); }, issued);
  }
  void run_one() {
    queue.front()(context);
    queue.front().reset();
    queue.pop();
  }
};

TEST_F(TaskQueueTest, IsFirstInFirstOutOverManyChunks) {
  constexpr int count = 10'000;
  for (int i = 0; i < count; ++i) push(i);
  EXPECT_EQ(issued, std::uint64_t(count));
  for (int i = 0; i < count; ++i) run_one();
  ASSERT_EQ(ran.size(), std::size_t(count));
  for (int i = 0; i < count; ++i) ASSERT_EQ(ran[std::size_t(i)], i);
}

TEST_F(TaskQueueTest, OneThatIsEmptiedAtOnceNeverGrows) {
  const std::int64_t bytes = queue.bytes();
  EXPECT_GT(bytes, 0);
  for (int i = 0; i < 1000; ++i) {
    push(i);
    run_one();
    ASSERT_EQ(queue.bytes(), bytes);
  }
}

TEST_F(TaskQueueTest, GrowsWithItsTasksAndKeepsOnlySomeOfItsMemory) {
  constexpr int count = 50'000;
  const std::int64_t empty = queue.bytes();
  for (int i = 0; i < count; ++i) push(i);
  const std::int64_t full = queue.bytes();
  EXPECT_GE(full, std::int64_t(count * sizeof(Task)));
  for (int i = 0; i < count; ++i) run_one();
  const std::int64_t kept = queue.bytes();
  EXPECT_LT(kept, full / 10);
  EXPECT_GE(kept, empty);
  for (int round = 0; round < 3; ++round) {  // what is kept is used again
    for (int i = 0; i < 500; ++i) push(i);
    for (int i = 0; i < 500; ++i) run_one();
    EXPECT_EQ(queue.bytes(), kept);
  }
}

TEST_F(TaskQueueTest, TasksThatNobodyRanAreDestroyedWithIt) {
  const auto witness = std::make_shared<int>(0);
  {
    TaskQueue abandoned;
    for (int i = 0; i < 200; ++i) abandoned.push([held = witness](StreamContext&) {}, issued);
    EXPECT_EQ(witness.use_count(), 201);
  }
  EXPECT_EQ(witness.use_count(), 1);
}

TEST_F(TaskQueueTest, ManyProducersLoseNothingAndEachKeepsItsOrder) {
  constexpr int producers = 4, each = 5000;
  std::array<int, producers> next{};
  bool in_order = true;
  std::vector<std::thread> threads;
  for (int producer = 0; producer < producers; ++producer)
    threads.emplace_back([&, producer] {
      for (int i = 0; i < each; ++i)
        queue.push(
            [&, producer, i](StreamContext&) {
              in_order = in_order && i == std::exchange(next[std::size_t(producer)], i + 1);
            },
            issued);
    });
  for (std::uint64_t done = 0; done < producers * each; ++done) {  // the consumer, meanwhile
    while (issued.load() == done) std::this_thread::yield();
    run_one();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(in_order);
  for (const int count : next) EXPECT_EQ(count, each);
}

}  // namespace
}  // namespace perflab

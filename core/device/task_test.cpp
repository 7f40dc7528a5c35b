#include "device/task.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "device/device_testing.h"

namespace perflab {
namespace {

struct TaskTest : testing::Test {
  ManualDevice device;
  StreamContext context{device, device.stream()};
};

TEST_F(TaskTest, RunsWhatItHoldsAndIsEmptyAfterReset) {
  int runs = 0;
  Task task = [&](StreamContext& given) { runs += given.threads; };
  ASSERT_TRUE(task);
  task(context);
  EXPECT_EQ(runs, 1);
  task.reset();
  EXPECT_FALSE(task);
  EXPECT_FALSE(Task());
}

TEST_F(TaskTest, SmallAndLargeCallablesMoveAndAreDestroyedOnce) {
  const auto witness = std::make_shared<int>(0);
  const auto through_moves = [&](Task first) {
    EXPECT_EQ(witness.use_count(), 2);
    Task second = std::move(first), third;
    EXPECT_FALSE(first);  // NOLINT: a moved-from task is empty
    third = std::move(second);
    EXPECT_EQ(witness.use_count(), 2);
    third(context);
    third.reset();
    EXPECT_EQ(witness.use_count(), 1) << "what was captured goes with the run, not with the task";
  };
  through_moves([held = witness](StreamContext&) { *held += 1; });
  struct Odd {  // its move may throw: kept on the heap, where it need not move
    std::shared_ptr<int> held;
    explicit Odd(std::shared_ptr<int> given) : held(std::move(given)) {}
    Odd(Odd&& other) noexcept(false) : held(std::move(other.held)) {}
    void operator()(StreamContext&) { *held += 10; }
  };
  through_moves(Odd(witness));
  through_moves([held = witness, ballast = std::array<char, 2 * Task::capacity>{}](StreamContext&) {
    *held += 100 + ballast[0];
  });
  EXPECT_EQ(*witness, 111);
}

TEST_F(TaskTest, HoldsWhatCannotBeCopied) {
  int got = 0;
  Task task = [&got, value = std::make_unique<int>(7)](StreamContext&) { got = *value; };
  task(context);
  EXPECT_EQ(got, 7);
}

TEST_F(TaskTest, AssigningDestroysWhatWasThere) {
  const auto witness = std::make_shared<int>(0);
  Task task = [held = witness](StreamContext&) {};
  task = Task([](StreamContext&) {});
  EXPECT_EQ(witness.use_count(), 1);
  {
    const Task dropped = [held = witness](StreamContext&) {};
    EXPECT_EQ(witness.use_count(), 2);
  }
  EXPECT_EQ(witness.use_count(), 1) << "a task that never ran lets go as well";
}

TEST_F(TaskTest, ThatItKeepsTheOrderMovesWithIt) {
  Task task = [](StreamContext&) {};
  EXPECT_FALSE(task.keeps_order());
  task.keep_order();
  Task moved = std::move(task), assigned;
  EXPECT_TRUE(moved.keeps_order());
  assigned = std::move(moved);
  EXPECT_TRUE(assigned.keeps_order());
}

}  // namespace
}  // namespace perflab

#include "device/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace perflab {
namespace {

std::exception_ptr error(const char* text) { return std::make_exception_ptr(std::runtime_error(text)); }

std::string thrown_by_wait(const Progress& progress, std::uint64_t ticket) {
  try {
    progress.wait(ticket);
  } catch (const std::runtime_error& thrown) {
    return thrown.what();
  }
  return "";
}

}  // namespace

TEST(Progress, WhatIsCompletedIsReachedAndNothingBeyond) {
  Progress progress;
  EXPECT_TRUE(progress.reached(0));
  EXPECT_FALSE(progress.reached(1));
  progress.issued_ticket = 3;
  progress.complete(1);
  progress.complete(2);
  EXPECT_TRUE(progress.reached(2));
  EXPECT_FALSE(progress.reached(3));
  EXPECT_EQ(progress.issued(), 3u);
  EXPECT_EQ(progress.completed(), 2u);
  progress.wait(2);
}

TEST(Progress, EverySleeperWakesAtItsOwnTicket) {
  Progress progress;
  constexpr std::uint64_t tickets = 300;
  std::atomic<bool> early{false};
  std::vector<std::thread> sleepers;
  for (const std::uint64_t ticket : {std::uint64_t(1), std::uint64_t(100), std::uint64_t(100), tickets})
    sleepers.emplace_back([&, ticket] {
      progress.wait(ticket);
      if (progress.completed() < ticket) early = true;
    });
  for (std::uint64_t ticket = 1; ticket <= tickets; ++ticket) {
    progress.complete(ticket);
    std::this_thread::yield();
  }
  for (std::thread& sleeper : sleepers) sleeper.join();
  EXPECT_FALSE(early);
}

TEST(Progress, AFailureCoversWhatWasSkippedForItAndNothingElse) {
  Progress progress;
  EXPECT_FALSE(progress.skips(1));
  progress.complete(1);
  progress.fail(2, error("two"));
  EXPECT_TRUE(progress.poisoned());
  EXPECT_TRUE(progress.skips(3));
  progress.complete(3);
  EXPECT_EQ(thrown_by_wait(progress, 1), "");
  EXPECT_EQ(thrown_by_wait(progress, 2), "two");
  EXPECT_EQ(thrown_by_wait(progress, 3), "two");
  progress.wait_quietly(3);
  const Progress::Failure failure = progress.take_failure();
  EXPECT_TRUE(failure.error);
  EXPECT_EQ(failure.first, 2u);
  EXPECT_EQ(failure.last, 3u);
  EXPECT_FALSE(progress.poisoned());
  EXPECT_FALSE(progress.take_failure().error);
  EXPECT_FALSE(progress.skips(4));
  progress.complete(4);
  EXPECT_EQ(thrown_by_wait(progress, 4), "");
  EXPECT_EQ(thrown_by_wait(progress, 2), "two") << "an event of before still knows";
}

TEST(Progress, ErrorsOfDifferentStreamsAreInTheOrderInWhichTheyCame) {
  Progress first, second;
  first.fail(1, error("first"));
  second.fail(1, error("second"));
  EXPECT_LT(first.take_failure().order, second.take_failure().order);
}

}  // namespace perflab

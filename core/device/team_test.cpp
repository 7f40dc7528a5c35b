#include "device/team.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/check.h"

namespace perflab {

TEST(Team, RunsEveryMemberOnceOnItsOwnThread) {
  for (const int threads : {1, 2, 3, 7}) {
    Team team(threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(threads));
      team.run([&](int member) { ++calls[std::size_t(member)]; });
      for (const auto& count : calls) ASSERT_EQ(count.load(), 1);
    }
    EXPECT_EQ(team.last_census(), threads);
    EXPECT_EQ(team.threads(), threads);
  }
}

TEST(Team, RethrowsTheFirstMembersErrorAfterAllFinishedAndStaysUsable) {
  Team team(3);
  std::atomic<int> finished{0};
  const auto failing = [&](int member) {
    ++finished;
    if (member != 0) throw std::runtime_error("member " + std::to_string(member));
  };
  try {
    team.run(failing);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "member 1");
  }
  EXPECT_EQ(finished.load(), 3);
  EXPECT_NO_THROW(team.run([](int) {}));
}

TEST(Team, RefusesAnImpossibleSize) {
  EXPECT_THROW(Team(0), Error);
  EXPECT_THROW(Team(1025), Error);
}

TEST(Share, CoversEveryElementOnceInWholeGrains) {
  for (const std::int64_t count : {0, 1, 127, 129, 1000, 4096})
    for (const int members : {1, 2, 3, 7})
      for (const std::int64_t grain : {1, 16}) {
        std::int64_t next = 0;
        for (int member = 0; member < members; ++member) {
          const Range range = share(count, member, members, grain);
          ASSERT_EQ(range.begin, next);
          ASSERT_LE(range.begin, range.end);
          if (member > 0) {
            ASSERT_EQ(range.begin % grain, 0);
          }
          next = range.end;
        }
        ASSERT_EQ(next, count);
      }
}

}  // namespace perflab

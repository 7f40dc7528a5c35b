#include "device/spin.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#include "device/topology.h"

namespace perflab {

TEST(SpinPermit, AtMostAllProcessorsButOneAreGrantedAtATime) {
  const int most = this_machine().effective_cpus - 1, threads = most + 6;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> granted{0};
    std::barrier all_hold(threads);
    std::vector<std::thread> holders;
    for (int i = 0; i < threads; ++i)
      holders.emplace_back([&] {
        const SpinPermit permit;
        if (permit) ++granted;
        all_hold.arrive_and_wait();  // nobody lets go before everybody has asked
      });
    for (std::thread& holder : holders) holder.join();
    EXPECT_LE(granted, most);
  }
}

TEST(SpinPermit, OneThatWasGivenBackIsGrantedAgain) {
  if (this_machine().effective_cpus < 2) GTEST_SKIP() << "nobody spins on a single processor";
  bool granted = false;
  // A stream's thread of another test may still be spinning for a moment.
  for (int tries = 0; tries < 1'000'000 && !granted; ++tries) granted = bool(SpinPermit());
  EXPECT_TRUE(granted);
}

TEST(SpinUntil, WithoutAPermitLooksOnce) {
  std::vector<std::unique_ptr<SpinPermit>> all;
  for (int i = 0; i < this_machine().effective_cpus; ++i) all.push_back(std::make_unique<SpinPermit>());
  int looks = 0;
  EXPECT_FALSE(spin_until([&] { return ++looks > 1; }));
  EXPECT_EQ(looks, 1);
  EXPECT_TRUE(spin_until([&] { return true; }));
}

TEST(SpinUntil, EndsWhenTheConditionIsTrueAndGivesUpWhenItNeverIs) {
  std::atomic<bool> flag{true};
  EXPECT_TRUE(spin_until([&] { return flag.load(); }));
  EXPECT_FALSE(spin_until([] { return false; }));
}

}  // namespace perflab

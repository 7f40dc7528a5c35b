#include "base/clock.h"

#include <gtest/gtest.h>

namespace perflab {

TEST(FakeClock, MovesOnlyWhenTold) {
  FakeClock clock;
  const std::int64_t start = clock.now_ns();
  EXPECT_EQ(clock.now_ns(), start);
  clock.advance_ns(250, 100);
  EXPECT_EQ(clock.now_ns(), start + 250);
  EXPECT_EQ(clock.cpu_ns(), 100);
}

TEST(FakeClock, CoarseResolutionRoundsDown) {
  FakeClock clock;
  clock.set_resolution_ns(15'600'000);  // the tick of an old Windows timer
  const std::int64_t start = clock.now_ns();
  clock.advance_ns(1'000'000);
  EXPECT_EQ((clock.now_ns() - start) % 15'600'000, 0);
}

TEST(FakeClock, AScriptDistortsReadings) {
  FakeClock clock;
  clock.script([](std::int64_t now) { return now - 1'000'000'000; });
  EXPECT_EQ(clock.now_ns(), 0);
}

TEST(SteadyClock, NeverGoesBackAndCpuTimeAdvancesWithWork) {
  Clock& clock = steady_clock();
  const std::int64_t cpu_start = clock.cpu_ns();
  std::int64_t previous = clock.now_ns();
  while (clock.cpu_ns() == cpu_start) {
    const std::int64_t now = clock.now_ns();
    ASSERT_GE(now, previous);
    previous = now;
  }
}

TEST(ClockQuality, FindsTheResolutionOfACoarseClockAndOfAFrozenOne) {
  FakeClock clock;
  std::int64_t calls = 0;
  clock.script([&](std::int64_t) { return ++calls / 10 * 500; });  // a step of 500 ns at every tenth reading
  EXPECT_EQ(measure_quality(clock).resolution_ns, 500);
  EXPECT_EQ(measure_quality(clock).overhead_ns, 0);

  FakeClock frozen;
  EXPECT_EQ(measure_quality(frozen).resolution_ns, 0);
}

TEST(Utc, HasTheIsoForm) {
  const std::string text = utc_text();
  ASSERT_EQ(text.size(), 20u);
  EXPECT_EQ(text[10], 'T');
  EXPECT_EQ(text[19], 'Z');
}

}  // namespace perflab

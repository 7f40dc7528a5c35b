#include "bench/stopping.h"

#include <gtest/gtest.h>

#include <limits>

namespace perflab {
namespace {

constexpr std::int64_t second = 1'000'000'000;

Profile quick() {
  Profile profile;
  profile.min_blocks = 10;
  profile.max_blocks = 30;
  profile.target_half_width = 0.05;
  profile.case_cap_ns = 2 * second;
  profile.lab_cap_ns = 25 * second;
  return profile;
}

Profile smoke() {
  Profile profile;
  profile.min_blocks = profile.max_blocks = 6;
  profile.target_half_width = 0;
  profile.lab_cap_ns = 3 * second;
  return profile;
}

StopInput wide(int blocks) { return {blocks, 0.2, {}, 0, 0, 0, blocks}; }

TEST(Stopping, LooksAtEightNumbersOfBlocksOnly) {
  std::vector<int> looks;
  for (int n = 0; n <= 200; ++n)
    if (is_look(n)) looks.push_back(n);
  EXPECT_EQ(looks, (std::vector{10, 15, 20, 30, 40, 60, 80, 100}));
}

TEST(Stopping, ForPrecisionAtALookAndNeverBetweenLooks) {
  for (const int n : {10, 15, 20}) EXPECT_EQ(stop_reason(quick(), {n, 0.05, {}, 0, 0, 0, n}), "precision");
  for (const int n : {6, 9, 11, 14, 29}) EXPECT_EQ(stop_reason(quick(), {n, 0.0, {}, 0, 0, 0, n}), "") << n;
  EXPECT_EQ(stop_reason(quick(), {10, 0.0501, {}, 0, 0, 0, 10}), "");
}

TEST(Stopping, ForPrecisionNotBeforeTheFewestBlocksOfTheProfile) {
  Profile patient = quick();
  patient.min_blocks = 15;
  EXPECT_EQ(stop_reason(patient, {10, 0.01, {}, 0, 0, 0, 10}), "");
  EXPECT_EQ(stop_reason(patient, {15, 0.01, {}, 0, 0, 0, 15}), "precision");
}

TEST(Stopping, WhenTheLastDoublingShrankTheHalfWidthByLessThanTenPercent) {
  StopInput at_20 = wide(20);
  at_20.history = {{10, 0.2 / 0.91}, {15, 0.5}};
  EXPECT_EQ(stop_reason(quick(), at_20), "stabilised");
  at_20.history = {{10, 0.2 / 0.89}, {15, 0.2}};  // the look at 15 is no doubling
  EXPECT_EQ(stop_reason(quick(), at_20), "");
  at_20.history = {{15, 0.2}};
  EXPECT_EQ(stop_reason(quick(), at_20), "");
}

TEST(Stopping, IsNotStabilisedWithoutAnInterval) {
  StopInput input = wide(20);
  input.half_width = std::numeric_limits<double>::infinity();
  input.history = {{10, input.half_width}};
  EXPECT_EQ(stop_reason(quick(), input), "");
}

TEST(Stopping, AtTheCapOfTheCaseAtALook) {
  StopInput input = wide(10);
  input.elapsed_ns = 2 * second;
  EXPECT_EQ(stop_reason(quick(), input), "time_cap");
  input.blocks = 11;
  EXPECT_EQ(stop_reason(quick(), input), "");
}

TEST(Stopping, AfterSixBlocksOnceTheLabsCapIsSpent) {
  for (const int n : {0, 5}) {
    StopInput input = wide(n);
    input.lab_elapsed_ns = 26 * second;
    EXPECT_EQ(stop_reason(quick(), input), "") << n;
  }
  for (const int n : {6, 7, 13}) {
    StopInput input = wide(n);
    input.lab_elapsed_ns = 25 * second;
    EXPECT_EQ(stop_reason(quick(), input), "time_cap") << n;
  }
}

TEST(Stopping, AtTheMostBlocksEvenWhereNoLookLies) {
  EXPECT_EQ(stop_reason(quick(), wide(30)), "max_n");
  Profile odd = quick();
  odd.max_blocks = 25;
  EXPECT_EQ(stop_reason(odd, wide(25)), "max_n");
}

TEST(Stopping, WhenMoreThanTenPercentWereInvalid) {
  EXPECT_EQ(stop_reason(quick(), {10, 0.2, {}, 0, 0, 2, 12}), "too_many_invalid");
  EXPECT_EQ(stop_reason(quick(), {10, 0.2, {}, 0, 0, 1, 10}), "") << "exactly 10 %";
  EXPECT_EQ(stop_reason(quick(), {11, 0.2, {}, 0, 0, 5, 16}), "") << "no look";
}

TEST(Stopping, OfAFixedProfileIsCalledFixedAndIgnoresPrecision) {
  for (int n = 0; n < 6; ++n) EXPECT_EQ(stop_reason(smoke(), {n, 0.0, {}, 0, 9 * second, 0, n}), "") << n;
  EXPECT_EQ(stop_reason(smoke(), {6, 0.0, {}, 0, 0, 0, 6}), "fixed");
  EXPECT_EQ(stop_reason(smoke(), {6, 0.0, {}, 0, 9 * second, 0, 6}), "fixed")
      << "it did all it was asked for";
  EXPECT_EQ(stop_reason(smoke(), {6, 0.0, {}, 0, 0, 6, 12}), "too_many_invalid");
  Profile twelve = smoke();
  twelve.min_blocks = twelve.max_blocks = 12;
  EXPECT_EQ(stop_reason(twelve, {10, 0.0, {}, 0, 0, 0, 10}), "");
  EXPECT_EQ(stop_reason(twelve, {7, 0.0, {}, 0, 9 * second, 0, 7}), "time_cap");
}

}  // namespace
}  // namespace perflab

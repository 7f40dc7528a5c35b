#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/check.h"

namespace perflab {

using Words = std::array<std::uint32_t, 4>;

// The known-answer vectors that the authors of Philox publish with their library (Random123, file
// kat_vectors).
TEST(Philox, ReproducesThePublishedKnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, AnyIndexAloneEqualsTheSameIndexInSequence) {
  const Random random(42, 7);
  const std::vector<float> values = random.uniform_values(1003);
  for (const std::uint64_t i : {0u, 1u, 3u, 4u, 127u, 1002u}) EXPECT_EQ(values[i], random.uniform(i));
}

TEST(Random, UniformStaysInTheHalfOpenUnitIntervalWithTheRightMean) {
  const std::vector<float> values = Random(1).uniform_values(100000);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.0f);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 1.0f);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
  EXPECT_NEAR(mean, 0.5, 5 * 0.2887 / std::sqrt(100000.0));  // five standard errors
}

TEST(Random, BelowCoversItsRangeAndNothingElse) {
  const Random random(3);
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 1000; ++i) seen.insert(random.below(i, 7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_THROW(random.below(0, 0), Error);
}

TEST(Random, PermutationHoldsEveryIndexOnce) {
  for (const std::uint32_t count : {0u, 1u, 2u, 127u, 1024u}) {
    std::vector<std::uint32_t> order = Random(9).permutation(count);
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(order[i], i);
  }
}

TEST(Random, SeedStreamAndTextEachChangeTheValues) {
  EXPECT_NE(Random(1).bits(0), Random(2).bits(0));
  EXPECT_NE(Random(1, 0).bits(0), Random(1, 1).bits(0));
  EXPECT_NE(derive_seed(1, "a"), derive_seed(1, "b"));
  EXPECT_NE(derive_seed(1, "a"), derive_seed(2, "a"));
}

}  // namespace perflab

#include "kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "arrays.h"
#include "base/check.h"

namespace perflab::hardware {
namespace {

constexpr Pattern patterns[] = {Pattern::copy,  Pattern::scale, Pattern::add,
                                Pattern::triad, Pattern::read,  Pattern::in_place};
constexpr std::int64_t sizes[] = {0, 1, 15, 16, 17, 127, 128, 129, 1000, 20'011};

struct alignas(64) Line {
  float values[16];
};

// Three arrays with a guard line behind each, aligned as streaming stores want it.
struct Three {
  explicit Three(std::int64_t n) : lines{Lines(count(n)), Lines(count(n)), Lines(count(n))} {
    for (std::int64_t i = 0; i < std::int64_t(lines[0].size()) * 16; ++i) {
      at(0)[i] = input_value(1, i);
      at(1)[i] = input_value(2, i);
      at(2)[i] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  using Lines = std::vector<Line>;
  static std::size_t count(std::int64_t n) { return std::size_t(n + 15) / 16 + 1; }
  float* at(int number) { return lines[number].data()->values; }
  Lines lines[3];
};

float wanted(Pattern pattern, float a, float b) {
  switch (pattern) {
    case Pattern::copy:
      return a;
    case Pattern::scale:
      return stream_factor * a;
    case Pattern::add:
      return a + b;
    case Pattern::triad: {
      const float product = stream_factor * b;  // rounded before it is added
      return a + product;
    }
    case Pattern::read:
    case Pattern::in_place:
      break;
  }
  return std::numeric_limits<float>::quiet_NaN();
}

void expect_written(Pattern pattern, Three& three, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    ASSERT_EQ(three.at(2)[i], wanted(pattern, three.at(0)[i], three.at(1)[i]))
        << "element " << i << " of " << n;
  ASSERT_TRUE(std::isnan(three.at(2)[n])) << "wrote behind element " << n;
}

}  // namespace

TEST(StreamPass, WritesExactlyTheElementsOfThePatternForOddSizes) {
  for (const Pattern pattern : patterns) {
    if (!writes_only(pattern)) continue;
    for (const std::int64_t n : sizes) {
      Three plain(n), streamed(n);
      EXPECT_EQ(stream_pass(pattern, plain.at(0), plain.at(1), plain.at(2), n, 2), 0);
      expect_written(pattern, plain, n);
      stream_pass_nt(pattern, streamed.at(0), streamed.at(1), streamed.at(2), n, 2);
      expect_written(pattern, streamed, n);
    }
  }
}

TEST(StreamPass, ReadSumsEveryElementOncePerPass) {
  for (const std::int64_t n : sizes)
    for (const std::int64_t passes : {1, 3}) {
      Three three(n);
      double sum = 0;
      for (std::int64_t i = 0; i < n; ++i) sum += double(three.at(0)[i]);
      EXPECT_NEAR(stream_pass(Pattern::read, three.at(0), nullptr, nullptr, n, passes), double(passes) * sum,
                  1e-6 * double(passes) * sum);
    }
}

TEST(StreamPass, ReadCountsElementsExactly) {
  std::vector<float> ones(20'011, 1.0f);  // sums of ones are exact: a lost or doubled element shows
  for (const std::int64_t n : sizes)
    EXPECT_EQ(stream_pass(Pattern::read, ones.data(), nullptr, nullptr, n, 3), double(3 * n));
}

TEST(StreamPass, InPlaceChangesSignOncePerPassAndNothingElse) {
  for (const std::int64_t n : sizes)
    for (const std::int64_t passes : {1, 2, 3}) {
      Three three(n);
      std::copy(three.at(0), three.at(0) + n, three.at(2));
      stream_pass(Pattern::in_place, nullptr, nullptr, three.at(2), n, passes);
      for (std::int64_t i = 0; i < n; ++i)
        ASSERT_EQ(three.at(2)[i], passes % 2 ? -three.at(0)[i] : three.at(0)[i]);
      ASSERT_TRUE(std::isnan(three.at(2)[n]));
    }
}

TEST(StreamPass, RefusesStreamingStoresWhereThereIsNothingToStream) {
  float value = 0;
  EXPECT_THROW(stream_pass_nt(Pattern::read, &value, &value, &value, 1, 1), Error);
  EXPECT_THROW(stream_pass_nt(Pattern::in_place, &value, &value, &value, 1, 1), Error);
}

TEST(StreamCost, CountsUsefulBytesAndFlopsPerElement) {
  const auto check = [](Pattern pattern, double flops, double read, double written) {
    const Cost cost = stream_cost(pattern, 10);
    EXPECT_EQ(cost.flops, 10 * flops);
    EXPECT_EQ(cost.bytes_read, 10 * read);
    EXPECT_EQ(cost.bytes_written, 10 * written);
  };
  check(Pattern::copy, 0, 4, 4);
  check(Pattern::scale, 1, 4, 4);
  check(Pattern::add, 1, 8, 4);
  check(Pattern::triad, 2, 8, 4);
  check(Pattern::read, 1, 4, 0);
  check(Pattern::in_place, 0, 4, 4);
}

TEST(Pattern, IsParsedFromItsNameOrRefused) {
  EXPECT_EQ(parse_pattern("in_place"), Pattern::in_place);
  EXPECT_EQ(parse_pattern("triad"), Pattern::triad);
  EXPECT_THROW(parse_pattern("fill"), Error);
}

TEST(StridedSum, AddsTheSameWordsAsAWalkFromAnyAddressInBothDirections) {
  std::vector<std::byte> bytes(70'000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 37 >> 3);
  for (const std::int64_t stride : {8, 24, 64, 520})
    for (const std::int64_t count : {0, 1, 3, 4, 127, 129})
      for (const std::int64_t offset : {0, 1, 60}) {
        std::uint64_t total = 0;
        for (std::int64_t i = 0; i < count; ++i) {
          std::uint64_t word;
          std::memcpy(&word, bytes.data() + offset + i * stride, 8);
          total += word;
        }
        EXPECT_EQ(strided_sum(bytes.data() + offset, count, stride), total);
        const std::byte* last = bytes.data() + offset + (count > 0 ? count - 1 : 0) * stride;
        EXPECT_EQ(strided_sum(last, count, -stride), total);
      }
}

TEST(LinesTouched, EqualsTheSetOfLinesThatTheWordsLieOn) {
  for (const std::int64_t stride : {8, 16, 48, 64, 72, 128, 4096})
    for (const std::int64_t offset : {0, 4, 60})
      for (const std::int64_t count : {0, 1, 2, 127, 129}) {
        std::set<std::int64_t> lines;
        for (std::int64_t i = 0; i < count; ++i)
          for (std::int64_t byte = 0; byte < 8; ++byte) lines.insert((offset + i * stride + byte) / 64);
        EXPECT_EQ(lines_touched(offset, count, stride), std::int64_t(lines.size()));
        EXPECT_EQ(lines_touched(offset, count, -stride), std::int64_t(lines.size()));
      }
  EXPECT_EQ(lines_touched(0, 100, 8), 13);  // eight words share a line
  EXPECT_EQ(lines_touched(0, 100, 64), 100);
  EXPECT_EQ(lines_touched(60, 100, 128), 200);  // every word lies on two lines
}

TEST(FmaSteps, DoesWhatSingleFmasWouldDo) {
  for (const std::int64_t steps : {0, 1, 7}) {
    float one = 0.7f;
    for (std::int64_t i = 0; i < steps; ++i)
      one = std::fma(one, -0.5f, 0.25f);  // or twice rounded: within 1e-4
    EXPECT_NEAR(fma_steps(steps, -0.5f, 0.25f, 0.7f), double(fma_lanes) * double(one), 1e-4);
  }
  EXPECT_EQ(fma_steps(1000, -1.0f, 1.0f, 0.625f), fma_lanes * 0.625);  // 1-(1-x) is x, exactly
  EXPECT_EQ(fma_steps(1001, -1.0f, 1.0f, 0.625f), fma_lanes * 0.375);
}

TEST(PolynomialSum, EqualsTheReferenceInDoublePrecision) {
  for (const std::int64_t n : sizes)
    for (const int multiply_adds : {1, 2, 4, 16, 64}) {
      Three three(n);
      double sum = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const double x = double(three.at(0)[i]);
        double t = x;
        for (int step = 1; step < multiply_adds; ++step) t = t * x + 0.5;
        sum += t * x;
      }
      EXPECT_NEAR(polynomial_sum(three.at(0), n, 3, multiply_adds), 3 * sum, 1e-5 * 3 * sum);
    }
  EXPECT_THROW(polynomial_sum(nullptr, 0, 1, 0), Error);
}

TEST(Chase, FollowsAddressesAndNothingElse) {
  std::vector<Hop> hops(5);
  const int order[] = {3, 0, 4, 1, 2};
  for (int i = 0; i < 5; ++i) hops[std::size_t(order[i])].next = &hops[std::size_t(order[(i + 1) % 5])];
  for (const int count : {0, 1, 4, 5, 12})
    EXPECT_EQ(chase(&hops[3], count), &hops[std::size_t(order[count % 5])]);
}

}  // namespace perflab::hardware

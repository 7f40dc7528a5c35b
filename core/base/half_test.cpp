#include "base/half.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"

namespace perflab {
namespace {

struct Format {
  const char* name;
  int exponent_bits, mantissa_bits;
  std::uint16_t (*narrow)(float);
  float (*widen)(std::uint16_t);
  void (*narrow_many)(const float*, std::uint16_t*, std::int64_t);
  void (*widen_many)(const std::uint16_t*, float*, std::int64_t);

  std::uint16_t infinity() const { return std::uint16_t(((1 << exponent_bits) - 1) << mantissa_bits); }
  bool is_nan(std::uint16_t half) const { return (half & 0x7fff) > infinity(); }
};
const Format f16{"f16", 5, 10, f16_from_f32, f32_from_f16, f16_from_f32, f32_from_f16};
const Format bf16{"bf16", 8, 7, bf16_from_f32, f32_from_bf16, bf16_from_f32, f32_from_bf16};

// What a 16-bit pattern means, from its definition.
double value_of(const Format& format, std::uint16_t half) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int exponent = (half & 0x7fff) >> format.mantissa_bits;
  const int mantissa = half & ((1 << format.mantissa_bits) - 1);
  const int implied = exponent == 0 ? 0 : 1 << format.mantissa_bits;
  const double size = std::ldexp(implied + mantissa, std::max(exponent, 1) - bias - format.mantissa_bits);
  return half & 0x8000 ? -size : size;
}

// Rounding to nearest even by integers and search only: the neighbour that is nearer to |value| in units of
// 2^-149 ...
std::uint16_t nearest_even(const Format& format, std::uint32_t bits) {
  const std::uint32_t size = bits & 0x7fffffffu;
  const auto sign = std::uint16_t((bits >> 16) & 0x8000u);
  const double value =
      double(std::bit_cast<float>(size));           // every float and half, and all midpoints, are exact here
  std::uint16_t low = 0, high = format.infinity();  // patterns of one sign are ordered as their values
  while (high - low > 1) {
    const auto middle = std::uint16_t((low + high) / 2);
    (value_of(format, middle) <= value ? low : high) = middle;
  }
  // ... where infinity stands for the next power of two, as the standard has it.
  const double below = value - value_of(format, low), above = value_of(format, high) - value;
  const bool up = above < below || (above == below && low % 2 == 1);
  return std::uint16_t(sign | (up ? high : low));
}

std::uint16_t reference(const Format& format, std::uint32_t bits) {
  const std::uint32_t size = bits & 0x7fffffffu;
  const auto sign = std::uint16_t((bits >> 16) & 0x8000u);
  if (size == 0x7f800000u) return std::uint16_t(sign | format.infinity());
  if (size < 0x7f800000u) return nearest_even(format, bits);
  const std::uint32_t payload = (size & 0x7fffffu) >> (23 - format.mantissa_bits);
  return std::uint16_t(sign | format.infinity() | payload | (1u << (format.mantissa_bits - 1)));
}

class Half : public testing::TestWithParam<Format> {};

TEST_P(Half, AllPatternsMeanWhatTheDefinitionSays) {
  const Format& format = GetParam();
  int wrong = 0;
  for (int pattern = 0; pattern < 65536; ++pattern) {
    const auto half = std::uint16_t(pattern);
    const float wide = format.widen(half);
    if (format.is_nan(half)) wrong += !std::isnan(wide) || std::signbit(wide) != (half >= 0x8000);
    else if ((half & 0x7fff) == format.infinity()) wrong += wide != (half & 0x8000 ? -HUGE_VALF : HUGE_VALF);
    else wrong += double(wide) != value_of(format, half) || std::signbit(wide) != (half >= 0x8000);
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(Half, AllPatternsComeBackAndNanComesBackQuiet) {
  const Format& format = GetParam();
  const auto quiet = std::uint16_t(1 << (format.mantissa_bits - 1));
  int wrong = 0;
  for (int pattern = 0; pattern < 65536; ++pattern) {
    const auto half = std::uint16_t(pattern);
    wrong += format.narrow(format.widen(half)) != (format.is_nan(half) ? half | quiet : half);
  }
  EXPECT_EQ(wrong, 0);
}

// Every 251st float, and around every half and every midpoint of two halves the floats 3 below to 3 above it.
std::vector<std::uint32_t> dense_sample(const Format& format) {
  std::vector<std::uint32_t> sample;
  for (std::uint64_t bits = 0; bits < std::uint64_t(1) << 32; bits += 251)
    sample.push_back(std::uint32_t(bits));
  const auto around = [&](double value) {
    const auto bits = std::bit_cast<std::uint32_t>(float(value));
    for (std::uint32_t near = bits - 3; near != bits + 4; ++near)
      for (const std::uint32_t sign : {0u, 0x80000000u}) sample.push_back(near ^ sign);
  };
  for (std::uint16_t half = 0; half < format.infinity(); ++half) {
    around(value_of(format, half));
    around((value_of(format, half) + value_of(format, std::uint16_t(half + 1))) / 2);
  }
  for (const std::uint32_t bits :
       {0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fbfffffu, 0x7fc00000u, 0x7fffffffu})
    for (const std::uint32_t sign : {0u, 0x80000000u}) sample.push_back(bits ^ sign);
  return sample;
}

TEST_P(Half, RoundsToNearestEvenEverywhere) {
  const Format& format = GetParam();
  const std::vector<std::uint32_t> sample = dense_sample(format);
  ASSERT_GT(sample.size(), 17'000'000u);
  std::int64_t wrong = 0;
  std::uint32_t wrong_at = 0;
  for (const std::uint32_t bits : sample)
    if (format.narrow(std::bit_cast<float>(bits)) != reference(format, bits)) ++wrong, wrong_at = bits;
  EXPECT_EQ(wrong, 0) << std::hex << "for example the float 0x" << wrong_at << ": 0x"
                      << format.narrow(std::bit_cast<float>(wrong_at)) << ", want 0x"
                      << reference(format, wrong_at);
}

TEST_P(Half, ManyAtOnceGiveTheBitsOfOneAtATime) {
  const Format& format = GetParam();
  std::vector<float> wide;
  for (const std::uint32_t bits : dense_sample(format)) wide.push_back(std::bit_cast<float>(bits));
  std::vector<std::uint16_t> narrow(wide.size());
  format.narrow_many(wide.data(), narrow.data(), std::int64_t(wide.size()));
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < wide.size(); ++i) wrong += narrow[i] != format.narrow(wide[i]);
  EXPECT_EQ(wrong, 0);

  for (const int first : {0, 1, 5}) {  // alignments; odd counts
    std::vector<std::uint16_t> halves;
    for (int pattern = first; pattern < 65536; ++pattern) halves.push_back(std::uint16_t(pattern));
    std::vector<float> floats(halves.size());
    format.widen_many(halves.data(), floats.data(), std::int64_t(halves.size()));
    for (std::size_t i = 0; i < halves.size(); ++i)
      wrong +=
          std::bit_cast<std::uint32_t>(floats[i]) != std::bit_cast<std::uint32_t>(format.widen(halves[i]));
  }
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Formats, Half, testing::Values(f16, bf16),
                         [](const auto& format) { return std::string(format.param.name); });

TEST(HalfOfADtype, ConvertsByNameAndRefusesIntegers) {
  const float values[] = {1.5f, -2, 65520, 1e-8f, 3};
  std::byte stored[sizeof(values)];
  float back[5];
  from_f32(values, stored, Dtype::f16, 5);
  to_f32(stored, Dtype::f16, back, 5);
  EXPECT_EQ(std::vector<float>(back, back + 5), (std::vector<float>{1.5f, -2, HUGE_VALF, 0, 3}));
  from_f32(values, stored, Dtype::bf16, 5);
  to_f32(stored, Dtype::bf16, back, 5);
  EXPECT_EQ(back[2], 65536);
  from_f32(values, stored, Dtype::f32, 5);
  to_f32(stored, Dtype::f32, back, 5);
  EXPECT_EQ(back[3], 1e-8f);
  EXPECT_THROW(to_f32(stored, Dtype::i32, back, 5), Error);
  EXPECT_THROW(from_f32(back, stored, Dtype::u8, 5), Error);
}

}  // namespace
}  // namespace perflab

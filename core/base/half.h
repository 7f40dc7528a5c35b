#pragma once
// half — exact conversion between f32 and the 16-bit storage formats, f16 (IEEE binary16) and bf16 (the upper
// half of an f32).
//
// Towards 16 bits values are rounded once, to nearest, ties to even: too large becomes infinity, denormal
// results are kept, a NaN stays one (quiet, with the upper bits of its payload). Towards f32 every value is
// exact; an f16 NaN becomes quiet. Functions of one value and of many give the same bits. Stateless.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/dtype.h"
#include "base/simd.h"

namespace perflab {

constexpr std::uint16_t f16_from_f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto size =
      std::int32_t(bits & 0x7fffffffu);  // |value|, compared as a signed integer: cheaper as vectors
  const auto mantissa = std::uint32_t(size);
  // Rebias the exponent and round the 13 bits that go; a carry moves into the exponent, up to infinity.
  const std::uint32_t normal = (mantissa - 0x38000000u + 0xfffu + ((mantissa >> 13) & 1u)) >> 13;
  // Below 2^-14 a half counts in 2^-24, which is the last bit of a float between 0.5 and 1: the addition
  // rounds.
  const std::uint32_t denormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(mantissa) + 0.5f) - 0x3f000000u;
  const std::uint32_t nan = 0x7e00u | ((mantissa >> 13) & 0x3ffu);
  std::uint32_t half = select_bits(size < 0x38800000, denormal, normal);
  half = select_bits(size >= 0x47800000, 0x7c00u, half);  // 65,520 and above have become 0x7c00 by the carry
  half = select_bits(size > 0x7f800000, nan, half);
  return std::uint16_t(half | ((bits >> 16) & 0x8000u));
}

constexpr float f32_from_f16(std::uint16_t half) {
  const auto size = std::int32_t(half & 0x7fffu);
  // As if the half's fields were a float's, then 2^112 for the difference of the biases: exact, denormals
  // too.
  const float scaled = std::bit_cast<float>(std::uint32_t(size) << 13) * 0x1p112f;
  const std::uint32_t special =
      0x7f800000u | (std::uint32_t(size) << 13) | select_bits(size > 0x7c00, 0x400000u, 0);
  const std::uint32_t bits = select_bits(size >= 0x7c00, special, std::bit_cast<std::uint32_t>(scaled));
  return std::bit_cast<float>(bits | ((std::uint32_t(half) & 0x8000u) << 16));
}

constexpr std::uint16_t bf16_from_f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const bool nan = std::int32_t(bits & 0x7fffffffu) > 0x7f800000;
  return std::uint16_t(select_bits(nan, (bits >> 16) | 0x40u, rounded));
}

constexpr float f32_from_bf16(std::uint16_t half) { return std::bit_cast<float>(std::uint32_t(half) << 16); }

// Many values; `from` and `to` do not overlap.
void f16_from_f32(const float* from, std::uint16_t* to, std::int64_t count);
void f32_from_f16(const std::uint16_t* from, float* to, std::int64_t count);
void bf16_from_f32(const float* from, std::uint16_t* to, std::int64_t count);
void f32_from_bf16(const std::uint16_t* from, float* to, std::int64_t count);

// The same for a floating dtype chosen at run time; f32 is copied. Error(check) for i32 and u8.
void to_f32(const std::byte* from, Dtype dtype, float* to, std::int64_t count);
void from_f32(const float* from, std::byte* to, Dtype dtype, std::int64_t count);

}  // namespace perflab

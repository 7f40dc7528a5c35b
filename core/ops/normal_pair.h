#pragma once
// normal_pair — two normal numbers from two random words: Box and Muller's transform, without branches and
// without the library's functions, so that compilers vectorise it and every backend rounds alike.
//
// With 32 bits under the logarithm the largest value is sqrt(2 * 32 * ln 2) = 6.66. Errors against float64:
// minus_two_log 3e-7 of its value, sine and cosine 1.2e-7; the logarithm's argument is rounded to 24 bits,
// which moves a small radius r by up to 2^-25/r. The polynomials are our own minimax fits. Pure functions.

#include <bit>
#include <cmath>
#include <cstdint>

namespace perflab {

// Not functors::log, whose last bit depends on fused multiply-adds and which pays for denormal, infinite and
// negative numbers: these words have none, and what is drawn should not depend on the build.
//
// -2 ln u of u = (word / 2 + 1/2) / 2^31, which lies in [2^-32, 1]: never infinite.
inline float minus_two_log(std::uint32_t word) {
  const float u = (float(std::int32_t(word >> 1)) + 0.5f) * 0x1p-31f;
  // u = 2^exponent * (1 + f), 1 + f in [sqrt(1/2), sqrt(2)).
  const std::int32_t bits = std::bit_cast<std::int32_t>(u);
  const std::int32_t exponent = (bits - 0x3f3504f3) >> 23;
  const float f = std::bit_cast<float>(bits - exponent * (1 << 23)) - 1.0f;
  const float square = f * f;
  float tail = -0.0763443f;  // ln(1+f) = f - f^2/2 + f^3 * tail
  tail = tail * f + 0.1276155f;
  tail = tail * f - 0.13160194f;
  tail = tail * f + 0.14201762f;
  tail = tail * f - 0.16623357f;
  tail = tail * f + 0.20001227f;
  tail = tail * f - 0.25000823f;
  tail = tail * f + 0.3333333f;
  // ln 2 in two parts: the first has so few bits that its products with exponents are exact.
  const float e = float(exponent);
  const float small = e * -2.12194440e-4f + (tail * (f * square) - 0.5f * square);
  return -2.0f * (e * 0.693359375f + (f + small));
}

struct SineCosine {
  float sine, cosine;
};
// Of the angle 2 pi * (word / 256) / 2^24.
inline SineCosine sine_cosine(std::uint32_t word) {
  const auto turn = std::int32_t(word >> 8);              // 2^24 are a full turn
  const std::int32_t quarter = (turn + (1 << 21)) >> 22;  // the nearest quarter turn, 0..4
  const float x =
      float(turn - quarter * (1 << 22)) * 0x1p-22f;  // the rest, in quarter turns: exact, within 1/2
  const float square = x * x;
  float s = -0.004601658f;
  s = s * square + 0.07968003f;
  s = s * square - 0.6459635f;
  s = (s * square + 1.5707964f) * x;
  float c = 0.0009037665f;
  c = c * square - 0.020860165f;
  c = c * square + 0.25366923f;
  c = c * square - 1.2337005f;
  c = c * square + 1.0f;
  const bool swapped = (quarter & 1) != 0;
  const float sine = swapped ? c : s, cosine = swapped ? s : c;
  // Bit 1 of the quarter is the sine's sign, of the next quarter the cosine's.
  const auto flip = [](float value, std::int32_t quarters) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ (std::uint32_t(quarters & 2) << 30));
  };
  return {flip(sine, quarter), flip(cosine, quarter + 1)};
}

struct NormalPair {
  float first, second;
};
inline NormalPair normal_pair(std::uint32_t radius_word, std::uint32_t angle_word) {
  const float radius = std::sqrt(minus_two_log(radius_word));
  const SineCosine direction = sine_cosine(angle_word);
  return {radius * direction.cosine, radius * direction.sine};
}

}  // namespace perflab

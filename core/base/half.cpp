#include "base/half.h"

#include <cstring>

#include "base/check.h"
#include "base/simd.h"

namespace perflab {

void f16_from_f32(const float* __restrict from, std::uint16_t* __restrict to, std::int64_t count) {
  std::int64_t i = 0;
  if constexpr (half_group() > 0)
    for (; i + half_group() <= count; i += half_group()) halves_from_floats(from + i, to + i);
  for (; i < count; ++i) to[i] = f16_from_f32(from[i]);
}

void f32_from_f16(const std::uint16_t* __restrict from, float* __restrict to, std::int64_t count) {
  std::int64_t i = 0;
  if constexpr (half_group() > 0)
    for (; i + half_group() <= count; i += half_group()) floats_from_halves(from + i, to + i);
  for (; i < count; ++i) to[i] = f32_from_f16(from[i]);
}

void bf16_from_f32(const float* __restrict from, std::uint16_t* __restrict to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = bf16_from_f32(from[i]);
}

void f32_from_bf16(const std::uint16_t* __restrict from, float* __restrict to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = f32_from_bf16(from[i]);
}

void to_f32(const std::byte* from, Dtype dtype, float* to, std::int64_t count) {
  PL_CHECK(is_floating(dtype), "conversion: {} values as f32; want f32, f16 or bf16", name_of(dtype));
  if (dtype == Dtype::f16) return f32_from_f16(reinterpret_cast<const std::uint16_t*>(from), to, count);
  if (dtype == Dtype::bf16) return f32_from_bf16(reinterpret_cast<const std::uint16_t*>(from), to, count);
  if (count > 0) std::memcpy(to, from, std::size_t(count) * sizeof(float));
}

void from_f32(const float* from, std::byte* to, Dtype dtype, std::int64_t count) {
  PL_CHECK(is_floating(dtype), "conversion: f32 to {}; want f32, f16 or bf16", name_of(dtype));
  if (dtype == Dtype::f16) return f16_from_f32(from, reinterpret_cast<std::uint16_t*>(to), count);
  if (dtype == Dtype::bf16) return bf16_from_f32(from, reinterpret_cast<std::uint16_t*>(to), count);
  if (count > 0) std::memcpy(to, from, std::size_t(count) * sizeof(float));
}

}  // namespace perflab

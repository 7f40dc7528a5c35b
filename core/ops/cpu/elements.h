#pragma once
// elements — what all CPU kernels share: where an operand's elements are, how to read them as floats, and how
// many of them make a thread worth starting.
//
// f32 is used where it stands; the 16-bit types go through a buffer of the caller.

#include <cstdint>

#include "base/half.h"
#include "ops/op.h"

namespace perflab {

// A thread's part, at least: some microseconds, several times a team's start.
inline constexpr std::int64_t grain_elements = 32 * 1024;        // of work that keeps up with memory
inline constexpr std::int64_t heavy_grain_elements = 16 * 1024;  // of more passes, or of random numbers

inline std::byte* address_of(const Operand& operand, std::int64_t element) {
  return operand.data + std::size_t(element) * bytes_of(operand.dtype);
}

// `count` elements from `first`, as floats: where they are if they are floats, else converted to `wide`.
inline const float* floats_at(const Operand& operand, std::int64_t first, std::int64_t count, float* wide) {
  if (operand.dtype == Dtype::f32) return operand.as<const float>() + first;
  to_f32(address_of(operand, first), operand.dtype, wide, count);
  return wide;
}

}  // namespace perflab

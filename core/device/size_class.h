#pragma once
// Size classes — block sizes that requests are rounded up to, so that what comes back fits what is asked
// next.
//
// Multiples of 64 bytes up to 256, then four steps per power of two: at most a quarter is lost. Pure
// arithmetic.

#include <bit>
#include <cstddef>

namespace perflab {

constexpr int size_class_of(std::size_t bytes) {
  const std::size_t units = bytes == 0 ? 1 : (bytes + 63) / 64;
  if (units <= 4) return int(units) - 1;
  const std::size_t below = units - 1;
  const int power = int(std::bit_width(below)) - 1;  // >= 2
  return (power - 1) * 4 + int(below >> (power - 2)) - 4;
}

constexpr std::size_t size_of_class(int size_class) {
  if (size_class < 4) return std::size_t(size_class + 1) * 64;
  const int power = size_class / 4 + 1;
  return (std::size_t(size_class % 4 + 5) << (power - 2)) * 64;
}

}  // namespace perflab

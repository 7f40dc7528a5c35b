#pragma once
// Shape — up to four dimensions, stored inline, never on the heap. Row-major and contiguous by convention.
//
// Dimensions are element counts >= 0; a shape with a zero dimension holds no elements, a shape without
// dimensions holds one (a scalar). Value type; immutable except by assignment.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace perflab {

class Shape {
 public:
  static constexpr int max_rank = 4;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t>
            dims);  // Error(check): more than four dimensions, a negative one, or > 2^63-1 elements

  int rank() const { return rank_; }
  std::int64_t operator[](int axis) const;  // negative axes count from the back; Error(check) out of range
  std::int64_t elements() const {           // product of the dimensions; 1 for a scalar
    std::int64_t product = 1;
    for (int axis = 0; axis < rank_; ++axis) product *= dims_[std::size_t(axis)];
    return product;
  }
  Shape with(int axis, std::int64_t dim) const;  // the same shape but for one dimension
  Shape without_last() const;                    // [2,3] -> [2]; Error(check) of a scalar
  Shape appended(std::int64_t dim) const;        // [2] -> [2,dim]; Error(check) as the constructor
  std::string to_string() const;                 // "[2,3]"

  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::array<std::int64_t, max_rank> dims_{};
  int rank_ = 0;
};

}  // namespace perflab

template <>
struct fmt::formatter<perflab::Shape> : fmt::formatter<std::string> {
  template <typename Context>
  auto format(const perflab::Shape& shape, Context& context) const {
    return fmt::formatter<std::string>::format(shape.to_string(), context);
  }
};

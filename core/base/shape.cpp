#include "base/shape.h"

#include "base/check.h"

namespace perflab {

Shape::Shape(std::initializer_list<std::int64_t> dims) {
  PL_CHECK(dims.size() <= std::size_t(max_rank), "shape: {} dimensions given; want at most {}", dims.size(),
           max_rank);
  std::int64_t product = 1;
  for (const std::int64_t dim : dims) {
    PL_CHECK(dim >= 0, "shape: dimension {} is {}; want >= 0", rank_, dim);
    PL_CHECK(!__builtin_mul_overflow(product, dim, &product), "shape: more than 2^63-1 elements");
    dims_[std::size_t(rank_++)] = dim;
  }
}

std::int64_t Shape::operator[](int axis) const {
  const int index = axis < 0 ? axis + rank_ : axis;
  PL_CHECK(index >= 0 && index < rank_, "shape: axis {} of {}; want -{}..{}", axis, to_string(), rank_,
           rank_ - 1);
  return dims_[std::size_t(index)];
}

Shape Shape::with(int axis, std::int64_t dim) const {
  const int index = axis < 0 ? axis + rank_ : axis;
  PL_CHECK(index >= 0 && index < rank_ && dim >= 0, "shape: dimension {} of {} cannot become {}", axis,
           to_string(), dim);
  Shape changed = *this;
  changed.dims_[std::size_t(index)] = dim;
  return changed;
}

Shape Shape::without_last() const {
  PL_CHECK(rank_ >= 1, "shape: a scalar has no last dimension to leave out; want at least one");
  Shape shorter = *this;
  shorter.dims_[std::size_t(--shorter.rank_)] = 0;  // shapes are compared with what they do not use
  return shorter;
}

Shape Shape::appended(std::int64_t dim) const {
  PL_CHECK(rank_ < max_rank, "shape: {} dimensions given; want at most {}", rank_ + 1, max_rank);
  std::int64_t product = 1;
  PL_CHECK(dim >= 0 && !__builtin_mul_overflow(elements(), dim, &product),
           "shape: dimension {} cannot follow {}; want >= 0, and at most 2^63-1 elements", dim, to_string());
  Shape longer = *this;
  longer.dims_[std::size_t(longer.rank_++)] = dim;
  return longer;
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (int axis = 0; axis < rank_; ++axis)
    text += fmt::format("{}{}", axis ? "," : "", dims_[std::size_t(axis)]);
  return text + "]";
}

}  // namespace perflab

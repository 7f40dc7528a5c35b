#pragma once
// row_storage — rows of f32, f16 or bf16 in memory, read and written as floats, a chunk at a time.
//
// f32 is used where it stands; the 16-bit types go through a buffer of the caller and are rounded once, to
// nearest even.

#include "ops/cpu/elements.h"
#include "ops/cpu/row_reduce.h"

namespace perflab {

using Tile = std::array<float, row_chunk>;

class SourceRow {
 public:
  SourceRow(const Operand& operand, std::int64_t row, std::int64_t length)
      : operand_(operand), first_(row * length) {}

  // Elements begin .. begin+count-1, in the row's memory or in the buffer.
  const float* read(std::int64_t begin, std::int64_t count, float* buffer) const {
    return floats_at(operand_, first_ + begin, count, buffer);
  }

 private:
  const Operand& operand_;
  std::int64_t first_;
};

class TargetRow {
 public:
  TargetRow(const Operand& operand, std::int64_t row, std::int64_t length)
      : operand_(operand), first_(row * length) {}

  // Where the floats of a chunk are to be put; write() must follow.
  float* place(std::int64_t begin, float* buffer) const {
    return in_place() ? operand_.as<float>() + first_ + begin : buffer;
  }
  void write(std::int64_t begin, std::int64_t count, const float* values) const {
    if (!in_place()) from_f32(values, address_of(operand_, first_ + begin), operand_.dtype, count);
  }
  // What was put there can be read again by the next pass.
  bool in_place() const { return operand_.dtype == Dtype::f32; }

 private:
  const Operand& operand_;
  std::int64_t first_;
};

// to[i] = function(i). The loops read other arrays or to[i] itself, never another element of `to`.
template <typename Function>
inline void for_chunk(std::int64_t count, float* to, const Function& function) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) to[i] = function(i);
}

}  // namespace perflab

#pragma once
// row_storage — rows of f32, f16 or bf16 in memory, read and written as floats, a chunk at a time.
//
// f32 is used where it stands; the 16-bit types go through a buffer of the caller and are rounded once, to
// nearest even.

#include "base/half.h"
#include "ops/cpu/row_reduce.h"
#include "ops/op.h"

namespace perflab {

using Tile = std::array<float, row_chunk>;

class SourceRow {
 public:
  SourceRow(const Operand& operand, std::int64_t row, std::int64_t length)
      : dtype_(operand.dtype), data_(operand.data + std::size_t(row * length) * bytes_of(operand.dtype)) {}

  // Elements begin .. begin+count-1, in the row's memory or in the buffer.
  const float* read(std::int64_t begin, std::int64_t count, float* buffer) const {
    const std::byte* from = data_ + std::size_t(begin) * bytes_of(dtype_);
    if (dtype_ == Dtype::f32) return reinterpret_cast<const float*>(from);
    to_f32(from, dtype_, buffer, count);
    return buffer;
  }

 private:
  Dtype dtype_;
  const std::byte* data_;
};

class TargetRow {
 public:
  TargetRow(const Operand& operand, std::int64_t row, std::int64_t length)
      : dtype_(operand.dtype), data_(operand.data + std::size_t(row * length) * bytes_of(operand.dtype)) {}

  // Where the floats of a chunk are to be put; write() must follow.
  float* place(std::int64_t begin, float* buffer) const { return in_place() ? as_floats(begin) : buffer; }
  void write(std::int64_t begin, std::int64_t count, const float* values) const {
    if (!in_place()) from_f32(values, data_ + std::size_t(begin) * bytes_of(dtype_), dtype_, count);
  }
  bool in_place() const {
    return dtype_ == Dtype::f32;
  }  // what was put there can be read again by the next pass

 private:
  float* as_floats(std::int64_t begin) const { return reinterpret_cast<float*>(data_) + begin; }
  Dtype dtype_;
  std::byte* data_;
};

// to[i] = function(i). The loops read other arrays or to[i] itself, never another element of `to`.
template <typename Function>
inline void for_chunk(std::int64_t count, float* to, const Function& function) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) to[i] = function(i);
}

}  // namespace perflab

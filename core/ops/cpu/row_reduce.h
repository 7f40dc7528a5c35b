#pragma once
// row_reduce — the one skeleton under everything that reduces rows: sums, maxima, softmax, layer norm,
// losses.
//
// A row is cut into chunks of 2,048 elements; 32 lanes inside a chunk, and the chunks of a row, are combined
// pairwise. This tree depends on the row's length only, so a result is bitwise equal for every thread count
// and vector width. Many rows are dealt out to the threads; of few long ones each is done by the whole team.
// What is done to a row is written once, for both. Elements are stored as f32, f16 or bf16; arithmetic is
// f32.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/simd.h"
#include "device/parallel.h"
#include "ops/cpu/elements.h"

namespace perflab {

inline constexpr std::int64_t row_chunk = 2048;                // elements: 8 KB, a quarter of a small L1
inline constexpr std::int64_t long_row_elements = 128 * 1024;  // from here on a team per row pays

// A combiner: what joins two parts of a row, in scalars and in vectors, and what the whole row's value
// becomes.
struct Sum {
  static constexpr float identity = 0;
  template <typename Value>
  static Value combine(Value a, Value b) {
    return a + b;
  }
  static float finish(float value, std::int64_t) { return value; }
};
struct Mean : Sum {
  static float finish(float value, std::int64_t length) { return value / float(length); }
};
struct Max {  // NaN wins over every number
  static constexpr float identity = -std::numeric_limits<float>::infinity();
  template <typename Value>
  static Value combine(Value a, Value b) {
    return ((a > b) | (a != a)) ? a : b;
  }
  static float finish(float value, std::int64_t) { return value; }
};

// At most one chunk of numbers, in the fixed tree.
template <typename Combiner>
float reduce_chunk(const float* values, std::int64_t count) {
  constexpr int lanes = 32, width = vector_floats();
  std::array<Floats, lanes / width> sums;
  sums.fill(Floats{} + Combiner::identity);
  const auto add = [&sums](const float* from) {
    for (int v = 0; v < lanes / width; ++v)
      sums[std::size_t(v)] = Combiner::combine(sums[std::size_t(v)], load_floats(from + v * width));
  };
  const std::int64_t whole = count - count % lanes;
  for (std::int64_t i = 0; i < whole; i += lanes) add(values + i);
  std::array<float, lanes> lane;
  if (whole < count) {
    lane.fill(Combiner::identity);
    std::copy_n(values + whole, count - whole, lane.data());
    add(lane.data());
  }
  for (int v = 0; v < lanes / width; ++v) store_floats(lane.data() + v * width, sums[std::size_t(v)]);
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) lane[i] = Combiner::combine(lane[i], lane[i + half]);
  return lane[0];
}

// One row: its chunks are done by this thread, or by the whole team.
class Row {
 public:
  Row(std::int64_t length, StreamContext* team) : length_(length), team_(team) {}

  // body(begin, count, tile): elements begin .. begin+count-1 of the row; tile has room for a chunk of
  // floats.
  template <typename Body>
  void each_chunk(const Body& body) const {
    const auto some = [&](std::int64_t first, std::int64_t last) {
      alignas(64) std::array<float, row_chunk> tile;
      for (std::int64_t chunk = first; chunk < last; ++chunk) {
        const std::int64_t begin = chunk * row_chunk;
        body(begin, std::min(row_chunk, length_ - begin), tile.data());
      }
    };
    if (team_ == nullptr) return some(0, chunks());
    parallel_for(*team_, chunks(), heavy_grain_elements / row_chunk, some);
  }

  // values(begin, count, tile): where that many floats to be reduced stand; in the tile, if it put them
  // there.
  template <typename Combiner, typename Values>
  float reduce(const Values& values) const {
    if (chunks() == 1) {  // the usual case keeps off the heap
      float whole = 0;
      each_chunk([&](std::int64_t begin, std::int64_t count, float* tile) {
        whole = reduce_chunk<Combiner>(values(begin, count, tile), count);
      });
      return Combiner::finish(whole, length_);
    }
    std::vector<float> parts(std::size_t(chunks()), Combiner::identity);
    each_chunk([&](std::int64_t begin, std::int64_t count, float* tile) {
      parts[std::size_t(begin / row_chunk)] = reduce_chunk<Combiner>(values(begin, count, tile), count);
    });
    for (std::size_t step = 1; step < parts.size(); step *= 2)
      for (std::size_t i = 0; i + step < parts.size(); i += 2 * step)
        parts[i] = Combiner::combine(parts[i], parts[i + step]);
    return Combiner::finish(parts.empty() ? Combiner::identity : parts[0], length_);
  }

 private:
  std::int64_t chunks() const { return (length_ + row_chunk - 1) / row_chunk; }
  std::int64_t length_;
  StreamContext* team_;
};

// body(index, row) for every row.
template <typename Body>
void for_each_row(StreamContext& context, std::int64_t rows, std::int64_t length, const Body& body) {
  if (context.threads > 1 && length >= long_row_elements && rows < 8 * context.threads) {
    const Row row(length, &context);
    for (std::int64_t index = 0; index < rows; ++index) body(index, row);
    return;
  }
  const std::int64_t grain =
      std::max<std::int64_t>(1, heavy_grain_elements / std::max<std::int64_t>(1, length));
  parallel_for(context, rows, grain, [&](std::int64_t begin, std::int64_t end) {
    const Row row(length, nullptr);
    for (std::int64_t index = begin; index < end; ++index) body(index, row);
  });
}

}  // namespace perflab

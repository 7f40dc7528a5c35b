#pragma once
// tiles — what the CPU kernels over single elements share: results are made a tile at a time, in f32.
//
// Inputs that are f32 are read in place; f16 and bf16 are converted tile by tile, inside the first-level
// cache, and results are rounded once at the end. Large f32 results bypass the caches, which saves reading
// each line before it is overwritten.

#include <algorithm>
#include <cstring>

#include "base/simd.h"
#include "device/parallel.h"
#include "device/topology.h"
#include "ops/cpu/elements.h"

namespace perflab {

inline constexpr std::int64_t tile_elements = 1024;  // with its inputs a part of the first-level cache
inline constexpr std::int64_t stream_tile_elements =
    256;  // shorter: stores drain while the next tile is computed

// Whether a kernel that moves so many bytes and writes `out` should bypass the caches: what it writes would
// be pushed out of them before anybody reads it.
inline bool bypasses_caches(const Operand& out, std::int64_t moved_bytes) {
  constexpr std::int64_t usual_last_level_bytes = 32 << 20;  // where it cannot be read
  static const std::int64_t last_level_bytes = this_machine().last_level_total_bytes();
  return has_stream_stores() && out.dtype == Dtype::f32 &&
         moved_bytes > (last_level_bytes > 0 ? last_level_bytes : usual_last_level_bytes);
}

// `to` is 64-byte aligned.
inline void stream_tile(const float* from, float* to, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + stream_floats <= count; i += stream_floats) stream_store(to + i, from + i);
  std::copy(from + i, from + count, to + i);
}

// Elements begin..end of `out`: tile(first, count, to) writes results first..first+count to `to`, at most a
// tile.
template <typename Tile>
void produce(const Operand& out, bool stream, std::int64_t begin, std::int64_t end, const Tile& tile) {
  alignas(64) float buffer[tile_elements];
  for (std::int64_t i = begin, count = 0; i < end; i += count) {
    count = std::min(stream ? stream_tile_elements : tile_elements, end - i);
    float* const place = out.as<float>() + i;
    const auto floats_to_line =
        std::int64_t((64 - reinterpret_cast<std::uintptr_t>(place) % 64) % 64 / sizeof(float));
    if (out.dtype != Dtype::f32) {
      tile(i, count, buffer);
      from_f32(buffer, address_of(out, i), out.dtype, count);
    } else if (!stream) {
      tile(i, count, place);
    } else if (floats_to_line > 0) {
      count = std::min(count, floats_to_line);
      tile(i, count, place);
    } else {
      tile(i, count, buffer);
      stream_tile(buffer, place, count);
    }
  }
  if (stream) stream_fence();
}

}  // namespace perflab

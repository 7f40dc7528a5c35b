#include "ops/cpu/column_sum.h"

#include <algorithm>
#include <vector>

#include "ops/cpu/tiles.h"

namespace perflab {
namespace {

constexpr std::int64_t inner_rows = 64;
constexpr std::int64_t max_blocks = 64;
constexpr std::int64_t max_partial_floats = 1 << 20;  // of all blocks together, unless one block needs more

struct Plan {
  std::int64_t rows, columns, rows_per_block, blocks, strips;
  explicit Plan(const Shape& x) : columns(x[-1]) {
    rows = columns == 0 ? 0 : x.elements() / columns;
    const std::int64_t wanted =
        std::clamp<std::int64_t>(max_partial_floats / std::max<std::int64_t>(columns, 1), 1, max_blocks);
    const std::int64_t share = (rows + wanted - 1) / wanted;
    rows_per_block = std::max<std::int64_t>((share + inner_rows - 1) / inner_rows, 1) * inner_rows;
    blocks = std::max<std::int64_t>((rows + rows_per_block - 1) / rows_per_block, 1);
    strips = (columns + tile_elements - 1) / tile_elements;
  }
};

void add_to(float* __restrict sum, const float* __restrict values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) sum[i] += values[i];
}

// Columns first..first+count of rows begin..end, to `to`.
void sum_rows(const Operand& x, std::int64_t columns, Range rows, std::int64_t first, std::int64_t count,
              float* to) {
  alignas(64) float inner[tile_elements], wide[tile_elements];
  std::fill_n(to, count, 0.0f);
  for (std::int64_t row = rows.begin; row < rows.end;) {
    const std::int64_t end = std::min(row + inner_rows, rows.end);
    std::fill_n(inner, count, 0.0f);
    for (; row < end; ++row) add_to(inner, floats_at(x, row * columns + first, count, wide), count);
    add_to(to, inner, count);
  }
}

}  // namespace

void column_sum_kernel(const KernelArgs& args, StreamContext& context) {
  const Plan plan(args.in[0].shape);
  std::vector<float> partial(std::size_t(plan.blocks * plan.columns));
  // One piece of work: a block of rows, a strip of columns. A thread takes about a grain of elements at a
  // time.
  const std::int64_t piece_elements = plan.rows_per_block * std::min(plan.columns, tile_elements) + 1;
  const std::int64_t grain_pieces = std::max<std::int64_t>(grain_elements / piece_elements, 1);
  parallel_for(context, plan.blocks * plan.strips, grain_pieces, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      const std::int64_t block = piece / plan.strips, first = piece % plan.strips * tile_elements;
      const Range rows{block * plan.rows_per_block, std::min((block + 1) * plan.rows_per_block, plan.rows)};
      sum_rows(args.in[0], plan.columns, rows, first, std::min(tile_elements, plan.columns - first),
               partial.data() + block * plan.columns + first);
    }
  });
  for (std::int64_t step = 1; step < plan.blocks; step *= 2)
    for (std::int64_t block = 0; block + step < plan.blocks; block += 2 * step)
      add_to(partial.data() + block * plan.columns, partial.data() + (block + step) * plan.columns,
             plan.columns);
  from_f32(partial.data(), args.out.data, args.out.dtype, plan.columns);
}

}  // namespace perflab

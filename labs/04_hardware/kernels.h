#pragma once
// Kernels — the loops that this lab times, as plain functions on raw pointers, without threads, clocks or
// checks.
//
// Arrays do not overlap. A kernel that takes `passes` goes over the same elements again and again, so that
// one call on a small working set lasts long enough; the compiler may not merge the passes. Useful bytes per
// element are in stream_cost(). Thread-safe: no state.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/cost.h"
#include "base/simd.h"

namespace perflab::hardware {

enum class Pattern { copy, scale, add, triad, read, in_place };

Pattern parse_pattern(std::string_view name);  // Error(usage) for another word
bool writes_only(Pattern pattern);    // one output that is not also read: streaming stores make sense
int arrays_touched(Pattern pattern);  // 1, 2 or 3
Cost stream_cost(Pattern pattern, std::int64_t elements);  // per pass

inline constexpr float stream_factor =
    3.0f;  // s in scale and triad; a power of two would hide rounding mistakes

// copy c=a, scale c=s*a, add c=a+b, triad c=a+s*b, read sum of a, in_place c=-c (an even number of passes
// changes nothing). Returns the sum for read, else 0. Multiplication and addition round separately.
double stream_pass(Pattern pattern, const float* a, const float* b, float* c, std::int64_t elements,
                   std::int64_t passes);
// The same results with stores past the caches. `c` is aligned to 64 bytes; copy, scale, add and triad only.
void stream_pass_nt(Pattern pattern, const float* a, const float* b, float* c, std::int64_t elements,
                    std::int64_t passes);

// One line of a pointer chase: follows `next` and nothing else, so that a hop cannot start before the last
// one ended.
struct alignas(64) Hop {
  const Hop* next;
};
const Hop* chase(const Hop* from, std::int64_t hops);
// Reads one word of each of `lines` neighbouring lines, in order; independent loads. Returns a mixture of
// what was read.
std::uint64_t read_lines(const Hop* from, std::int64_t lines);

// Sum of `count` 8-byte words, `stride_bytes` apart (negative: backwards), from any byte address.
std::uint64_t strided_sum(const std::byte* from, std::int64_t count, std::int64_t stride_bytes);
// Distinct 64-byte lines that those reads touch, when the first word lies at `offset` within its line.
std::int64_t lines_touched(std::int64_t offset, std::int64_t count, std::int64_t stride_bytes);

// Multiply-adds on independent accumulators that live in registers: the arithmetic limit. One step is
// fma_lanes of them; enough to hide their latency, few enough to need no memory. Every accumulator tends to
// addend / (1 - factor); returns their sum.
inline constexpr int fma_lanes = 12 * vector_floats();
double fma_steps(std::int64_t steps, float factor, float addend, float start);

// Sum over x of a chain of multiply_adds >= 1 of them: t = x, then t = t*x + 0.5, the last one adds t*x to
// the sum. Two FLOPs per multiply-add and 4 bytes read per element.
double polynomial_sum(const float* x, std::int64_t elements, std::int64_t passes, int multiply_adds);

}  // namespace perflab::hardware

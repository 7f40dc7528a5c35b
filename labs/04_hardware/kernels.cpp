#include "kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "base/simd.h"

namespace perflab::hardware {
namespace {

constexpr std::int64_t width = vector_floats();

// In a loop over registers: keeps compilers from turning it into a call of memcpy, whose stores bypass the
// caches above a size of its own choosing. Costs no instruction.
void keep_loop() { asm volatile(""); }
// Between passes: what was stored may be looked at, so no pass can be left out.
void keep_pass() { asm volatile("" : : : "memory"); }

struct Copy {
  static auto value(auto a, auto) { return a; }
};
struct Scale {
  static auto value(auto a, auto) { return stream_factor * a; }
};
struct Add {
  static auto value(auto a, auto b) { return a + b; }
};
struct Triad {
  static auto value(auto a, auto b) { return a + stream_factor * b; }
};

template <typename Op>
void plain(const float* __restrict a, const float* __restrict b, float* __restrict c, std::int64_t elements) {
  std::int64_t i = 0;
  for (; i + width <= elements; i += width) {
    store_floats(c + i, Op::value(load_floats(a + i), load_floats(b + i)));
    keep_loop();
  }
  for (; i < elements; ++i) c[i] = Op::value(a[i], b[i]);
}

template <typename Op>
void streaming(const float* __restrict a, const float* __restrict b, float* __restrict c,
               std::int64_t elements) {
  std::int64_t i = 0;
  for (; i + stream_floats <= elements; i += stream_floats) {
    float line[stream_floats];
    for (std::int64_t j = 0; j < stream_floats; j += width)
      store_floats(line + j, Op::value(load_floats(a + i + j), load_floats(b + i + j)));
    stream_store(c + i, line);
  }
  for (; i < elements; ++i) c[i] = Op::value(a[i], b[i]);
  stream_fence();
}

void negate(float* c, std::int64_t elements) {
  for (std::int64_t i = 0; i < elements; ++i) c[i] = -c[i];
}

constexpr int sum_registers = 8;  // independent sums hide an addition's latency
constexpr int chain_registers =
    vector_registers() == 32 ? 8 : 6;  // with as many sums, they fill the registers
constexpr std::int64_t fold =
    16 * 1024;  // terms added in f32 before they go to an f64 sum: the error stays near 1e-6

struct Sums {
  Floats values[sum_registers] = {};
  double tail = 0;
  double take() {
    double sum = tail;
    for (Floats& value : values) {
      for (int i = 0; i < int(width); ++i) sum += double(value[i]);
      value = Floats{};
    }
    tail = 0;
    return sum;
  }
};

void add_values(const float* x, std::int64_t elements, Sums& sums) {
  Sums local = sums;  // in registers
  std::int64_t i = 0;
  for (; i + sum_registers * width <= elements; i += sum_registers * width)
    for (int r = 0; r < sum_registers; ++r) local.values[r] += load_floats(x + i + r * width);
  for (; i < elements; ++i) local.tail += double(x[i]);
  sums = local;
}

float polynomial_term(float x, int multiply_adds) {
  float t = x;
  for (int step = 1; step < multiply_adds; ++step) t = t * x + 0.5f;
  return t * x;
}

void add_polynomials(const float* x, std::int64_t elements, int multiply_adds, Sums& sums) {
  constexpr std::int64_t chunk = chain_registers * width;
  const Floats half = Floats{} + 0.5f;
  Sums local = sums;
  std::int64_t i = 0;
  for (; i + chunk <= elements; i += chunk) {
    Floats t[chain_registers];
    for (int r = 0; r < chain_registers; ++r) t[r] = load_floats(x + i + r * width);
    for (int step = 1; step < multiply_adds; ++step)
      for (int r = 0; r < chain_registers; ++r)
        t[r] = multiply_add(t[r], load_floats(x + i + r * width), half);
    for (int r = 0; r < chain_registers; ++r)
      local.values[r] = multiply_add(t[r], load_floats(x + i + r * width), local.values[r]);
  }
  for (; i < elements; ++i) local.tail += double(polynomial_term(x[i], multiply_adds));
  sums = local;
}

// Passes over x in pieces: add(piece, elements, sums).
template <typename Adder>
double sum_passes(const float* x, std::int64_t elements, std::int64_t passes, Adder add) {
  double sum = 0;
  Sums sums;
  std::int64_t unfolded = 0;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    for (std::int64_t from = 0; from < elements; from += fold) {
      const std::int64_t count = std::min(fold, elements - from);
      add(x + from, count, sums);
      unfolded += count;
      if (unfolded >= fold) {
        sum += sums.take();
        unfolded = 0;
      }
    }
    keep_pass();
  }
  return sum + sums.take();
}

}  // namespace

Pattern parse_pattern(std::string_view name) {
  if (name == "copy") return Pattern::copy;
  if (name == "scale") return Pattern::scale;
  if (name == "add") return Pattern::add;
  if (name == "triad") return Pattern::triad;
  if (name == "read") return Pattern::read;
  if (name == "in_place") return Pattern::in_place;
  fail(ErrorKind::usage, "stream: pattern '{}'; want copy, scale, add, triad, read or in_place", name);
}

bool writes_only(Pattern pattern) { return pattern != Pattern::read && pattern != Pattern::in_place; }

int arrays_touched(Pattern pattern) {
  switch (pattern) {
    case Pattern::copy:
    case Pattern::scale:
      return 2;
    case Pattern::add:
    case Pattern::triad:
      return 3;
    case Pattern::read:
    case Pattern::in_place:
      break;
  }
  return 1;
}

Cost stream_cost(Pattern pattern, std::int64_t elements) {
  const double n = double(elements);
  switch (pattern) {
    case Pattern::copy:
      return {.flops = 0, .bytes_read = 4 * n, .bytes_written = 4 * n};
    case Pattern::scale:
      return {.flops = n, .bytes_read = 4 * n, .bytes_written = 4 * n};
    case Pattern::add:
      return {.flops = n, .bytes_read = 8 * n, .bytes_written = 4 * n};
    case Pattern::triad:
      return {.flops = 2 * n, .bytes_read = 8 * n, .bytes_written = 4 * n};
    case Pattern::read:
      return {.flops = n, .bytes_read = 4 * n, .bytes_written = 0};
    case Pattern::in_place:
      break;
  }
  return {.flops = 0, .bytes_read = 4 * n, .bytes_written = 4 * n};  // a change of sign is not arithmetic
}

double stream_pass(Pattern pattern, const float* a, const float* b, float* c, std::int64_t elements,
                   std::int64_t passes) {
  if (pattern == Pattern::read) return sum_passes(a, elements, passes, add_values);
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    switch (pattern) {
      case Pattern::copy:
        plain<Copy>(a, b, c, elements);
        break;
      case Pattern::scale:
        plain<Scale>(a, b, c, elements);
        break;
      case Pattern::add:
        plain<Add>(a, b, c, elements);
        break;
      case Pattern::triad:
        plain<Triad>(a, b, c, elements);
        break;
      case Pattern::in_place:
        negate(c, elements);
        break;
      case Pattern::read:
        break;
    }
    keep_pass();
  }
  return 0;
}

void stream_pass_nt(Pattern pattern, const float* a, const float* b, float* c, std::int64_t elements,
                    std::int64_t passes) {
  PL_CHECK(writes_only(pattern),
           "stream: streaming stores asked of read or in_place; want a pattern that only writes");
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    switch (pattern) {
      case Pattern::copy:
        streaming<Copy>(a, b, c, elements);
        break;
      case Pattern::scale:
        streaming<Scale>(a, b, c, elements);
        break;
      case Pattern::add:
        streaming<Add>(a, b, c, elements);
        break;
      case Pattern::triad:
        streaming<Triad>(a, b, c, elements);
        break;
      case Pattern::read:
      case Pattern::in_place:
        break;
    }
    keep_pass();
  }
}

const Hop* chase(const Hop* from, std::int64_t hops) {
  for (std::int64_t i = 0; i < hops; ++i) from = from->next;
  return from;
}

std::uint64_t read_lines(const Hop* from, std::int64_t lines) {
  std::uint64_t mixed = 0;
  for (std::int64_t i = 0; i < lines; ++i) mixed += std::bit_cast<std::uint64_t>(from[i].next);
  return mixed;
}

std::uint64_t strided_sum(const std::byte* from, std::int64_t count, std::int64_t stride_bytes) {
  std::uint64_t sums[4] = {};
  const auto word = [&](std::int64_t i) {
    std::uint64_t value;
    std::memcpy(&value, from + i * stride_bytes, sizeof(value));
    return value;
  };
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::int64_t j = 0; j < 4; ++j) sums[j] += word(i + j);
  for (; i < count; ++i) sums[0] += word(i);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

std::int64_t lines_touched(std::int64_t offset, std::int64_t count, std::int64_t stride_bytes) {
  const std::int64_t stride = stride_bytes < 0 ? -stride_bytes : stride_bytes;
  if (count == 0) return 0;
  std::int64_t lines = 0, last = -1;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first_line = (offset + i * stride) / 64, last_line = (offset + i * stride + 7) / 64;
    for (std::int64_t line = first_line; line <= last_line; ++line)
      if (line > last) {
        ++lines;
        last = line;
      }
  }
  return lines;
}

double fma_steps(std::int64_t steps, float factor, float addend, float start) {
  constexpr int registers = fma_lanes / int(width);
  const Floats by = Floats{} + factor, plus = Floats{} + addend;
  Floats lanes[registers];
  for (Floats& lane : lanes) lane = Floats{} + start;
  for (std::int64_t step = 0; step < steps; ++step)
    for (int r = 0; r < registers; ++r) lanes[r] = multiply_add(lanes[r], by, plus);
  double sum = 0;
  for (const Floats& lane : lanes)
    for (int i = 0; i < int(width); ++i) sum += double(lane[i]);
  return sum;
}

double polynomial_sum(const float* x, std::int64_t elements, std::int64_t passes, int multiply_adds) {
  PL_CHECK(multiply_adds >= 1, "roofline: {} multiply-adds per element; want at least 1", multiply_adds);
  return sum_passes(x, elements, passes, [multiply_adds](const float* piece, std::int64_t count, Sums& sums) {
    add_polynomials(piece, count, multiply_adds, sums);
  });
}

}  // namespace perflab::hardware

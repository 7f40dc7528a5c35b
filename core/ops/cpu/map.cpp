#include "ops/cpu/map.h"

#include <algorithm>
#include <type_traits>

#include "ops/cpu/tiles.h"
#include "ops/functors.h"

namespace perflab {
namespace {

// Only these loops are compiled per functor; dtypes, shapes and threads are the skeletons' business.
using UnaryLoop = void (*)(const float* x, float* out, std::int64_t count, float a, float b);
template <typename Functor>
void unary_loop(const float* __restrict x, float* __restrict out, std::int64_t count,
                [[maybe_unused]] float a, [[maybe_unused]] float b) {
  const auto f = [&] {
    if constexpr (std::is_empty_v<Functor>) return Functor{};
    else return Functor{a, b};
  }();
  for (std::int64_t i = 0; i < count; ++i) out[i] = f(x[i]);
}

using BinaryLoop = void (*)(const float* x, const float* y, float* out, std::int64_t count);
template <typename Functor>
void binary_loop(const float* __restrict x, const float* __restrict y, float* __restrict out,
                 std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = Functor{}(x[i], y[i]);
}

std::int64_t bytes_of(const Operand& operand) {
  return operand.shape.elements() * std::int64_t(perflab::bytes_of(operand.dtype));
}

// Of an operation on a few numbers the set-up of tiles and threads would be most of the time.
bool is_short(const KernelArgs& args, std::int64_t elements) {
  return elements <= tile_elements && args.out.dtype == Dtype::f32;
}

void map_unary(const KernelArgs& args, StreamContext& context, UnaryLoop loop) {
  const Operand& x = args.in[0];
  const std::int64_t elements = args.out.shape.elements();
  if (is_short(args, elements)) return loop(x.as<float>(), args.out.as<float>(), elements, args.a, args.b);
  const bool stream = bypasses_caches(args.out, bytes_of(x) + bytes_of(args.out));
  parallel_for(context, elements, grain_elements, [&](std::int64_t begin, std::int64_t end) {
    alignas(64) float wide[tile_elements];
    produce(args.out, stream, begin, end, [&](std::int64_t first, std::int64_t count, float* to) {
      loop(floats_at(x, first, count, wide), to, count, args.a, args.b);
    });
  });
}

// y as floats, from any element of x on: all of y is repeated along x, if it has fewer elements.
class Repeated {
 public:
  Repeated(const Operand& y, std::int64_t elements_of_x)
      : y_(y), period_(y.shape.elements()), equal_(period_ == elements_of_x) {
    if (equal_ || period_ > tile_elements) return;
    to_f32(y.data, y.dtype, floats_, period_);  // short: written out often enough that no tile meets its end
    const std::int64_t written = period_ + std::min(tile_elements, elements_of_x);
    for (std::int64_t i = period_; i < written; ++i) floats_[i] = floats_[i - period_];
  }
  // The values that go with elements first..first+count of x; count may become less.
  const float* at(std::int64_t first, std::int64_t& count) {
    if (equal_) return floats_at(y_, first, count, floats_);
    const std::int64_t begin = first % period_;
    if (period_ <= tile_elements) return floats_ + begin;
    count = std::min(count, period_ - begin);
    return floats_at(y_, begin, count, floats_);
  }

 private:
  const Operand& y_;
  const std::int64_t period_;
  const bool equal_;
  alignas(64) float floats_[2 * tile_elements];
};

void map_binary(const KernelArgs& args, StreamContext& context, BinaryLoop loop) {
  const Operand &x = args.in[0], &y = args.in[1];
  const std::int64_t elements = args.out.shape.elements();
  if (is_short(args, elements) && y.shape.elements() == elements)
    return loop(x.as<float>(), y.as<float>(), args.out.as<float>(), elements);
  const bool stream = bypasses_caches(args.out, bytes_of(x) + bytes_of(y) + bytes_of(args.out));
  parallel_for(context, elements, grain_elements, [&](std::int64_t begin, std::int64_t end) {
    alignas(64) float wide[tile_elements];
    Repeated repeated(y, elements);
    produce(args.out, stream, begin, end, [&](std::int64_t first, std::int64_t count, float* to) {
      const float* from = floats_at(x, first, count, wide);
      for (std::int64_t done = 0, part = 0; done < count; done += part) {
        part = count - done;
        const float* other = repeated.at(first + done, part);
        loop(from + done, other, to + done, part);
      }
    });
  });
}

}  // namespace

#define PL_UNARY_KERNEL(name, flops)                                                      \
  table[std::size_t(Op::name)].cpu = [](const KernelArgs& args, StreamContext& context) { \
    map_unary(args, context, unary_loop<functors::name>);                                 \
  };
#define PL_BINARY_KERNEL(name, flops)                                                     \
  table[std::size_t(Op::name)].cpu = [](const KernelArgs& args, StreamContext& context) { \
    map_binary(args, context, binary_loop<functors::name>);                               \
  };
void add_map_kernels(OpTable& table) { PL_UNARY_OPS(PL_UNARY_KERNEL) PL_BINARY_OPS(PL_BINARY_KERNEL) }
#undef PL_UNARY_KERNEL
#undef PL_BINARY_KERNEL

}  // namespace perflab

// The kernels against the functors, bit by bit; shape rules; gradients against central differences of the
// OpCase references, which are float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

#include "base/check.h"
#include "base/random.h"
#include "device/cpu_device.h"
#include "ops/cpu/tiles.h"
#include "ops/functions.h"
#include "ops/functors.h"

namespace perflab {
namespace {

using Floats1 = std::vector<float>;
constexpr std::int64_t counts[] = {0, 1, 127, 129, 100'003};
constexpr Dtype dtypes[] = {Dtype::f32, Dtype::f16, Dtype::bf16};
constexpr std::byte untouched{0xa5};

// `count` numbers in memory `offset` elements behind an aligned address, with marked bytes on both sides.
class Memory {
 public:
  Memory(std::int64_t count, Dtype dtype, std::int64_t offset = 0)
      : count_(count),
        dtype_(dtype),
        offset_(offset),
        lines_((std::size_t(count + offset) * bytes_of(dtype)) / sizeof(Line) + 2) {
    for (Line& line : lines_) std::fill(std::begin(line.bytes), std::end(line.bytes), untouched);
  }
  Memory(const Floats1& values, Dtype dtype, std::int64_t offset = 0)
      : Memory(std::int64_t(values.size()), dtype, offset) {
    from_f32(values.data(), data(), dtype, count_);
  }
  std::byte* data() { return lines_[0].bytes + std::size_t(offset_) * bytes_of(dtype_); }
  Operand operand() { return {data(), Shape{count_}, dtype_}; }
  Operand operand(const Shape& shape) { return {data(), shape, dtype_}; }
  std::vector<std::byte> bytes() { return {data(), data() + std::size_t(count_) * bytes_of(dtype_)}; }
  Floats1 floats() {
    Floats1 values(std::size_t(count_), 0);
    to_f32(data(), dtype_, values.data(), count_);
    return values;
  }
  bool margins_untouched() {
    const std::byte* begin = lines_[0].bytes;
    const std::byte* end = lines_.back().bytes + sizeof(Line);
    const auto marked = [](std::byte byte) { return byte == untouched; };
    return std::all_of(begin, static_cast<const std::byte*>(data()), marked) &&
           std::all_of(static_cast<const std::byte*>(data()) + bytes().size(), end, marked);
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::int64_t count_;
  Dtype dtype_;
  std::int64_t offset_;
  std::vector<Line> lines_;
};

Floats1 random_values(std::int64_t count, std::uint64_t seed) {
  Floats1 values = Random(seed).uniform_values(count);
  for (float& value : values) value = 8 * value - 4;
  return values;
}

void run(Op op, const KernelArgs& args, int threads) {
  CpuDevice device({.name = "test", .cores = threads, .pinned_cpus = {}});
  Turn turn(device.stream());
  ASSERT_TRUE(turn);
  info(op).cpu(args, turn.context());
}

// One result, rounded to dtype, as bytes.
template <typename Compute>
std::vector<std::byte> rounded(Dtype dtype, std::int64_t count, const Compute& compute) {
  Floats1 values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(compute(std::size_t(i)));
  return Memory(values, dtype).bytes();
}

void expect_unary(Op op, float (*functor)(float)) {
  for (const Dtype dtype : dtypes)
    for (const std::int64_t count : counts)
      for (const std::int64_t offset : {0, 3}) {
        Memory x(random_values(count, 1), dtype, offset), out(count, dtype, offset + 1);
        run(op, {.in = {x.operand()}, .out = out.operand(), .a = 1.5f, .b = -0.5f}, count > 1000 ? 3 : 1);
        const Floats1 in = x.floats();
        const auto want = rounded(dtype, count, [&](std::size_t i) { return functor(in[i]); });
        EXPECT_TRUE(out.bytes() == want)
            << info(op).name << ' ' << name_of(dtype) << ' ' << count << '+' << offset;
        EXPECT_TRUE(out.margins_untouched()) << info(op).name << ' ' << count;
      }
}

template <typename Functor>
float call_unary(float x) {
  if constexpr (std::is_empty_v<Functor>) return Functor{}(x);
  else return Functor{1.5f, -0.5f}(x);
}

#define PL_EXPECT_UNARY(name, flops) expect_unary(Op::name, call_unary<functors::name>);
TEST(Elementwise, UnaryKernelsAreTheirFunctorsForEverySizeDtypeAndOffset) { PL_UNARY_OPS(PL_EXPECT_UNARY) }
#undef PL_EXPECT_UNARY

void expect_binary(Op op, float (*functor)(float, float)) {
  const std::pair<Shape, Shape> shapes[] = {{{0}, {0}},
                                            {{1}, {1}},
                                            {{129}, {129}},
                                            {{100'003}, {100'003}},
                                            {{100'003}, {1}},
                                            {{14'287, 7}, {7}},
                                            {{127, 1}, {1}},
                                            {{23, 4999}, {4999}},
                                            {{33, 1025}, {1, 1025}},
                                            {{98, 1024}, {1024}}};
  for (const Dtype dtype : dtypes)
    for (const auto& [x_shape, y_shape] : shapes) {
      const std::int64_t count = x_shape.elements(), period = y_shape.elements();
      Memory x(random_values(count, 1), dtype, 1), y(random_values(period, 2), dtype, 3), out(count, dtype);
      run(op, {.in = {x.operand(x_shape), y.operand(y_shape)}, .out = out.operand(x_shape)},
          count > 1000 ? 3 : 1);
      const Floats1 in = x.floats(), other = y.floats();
      const auto want = rounded(
          dtype, count, [&](std::size_t i) { return functor(in[i], other[i % std::size_t(period)]); });
      EXPECT_TRUE(out.bytes() == want) << info(op).name << ' ' << name_of(dtype) << ' ' << x_shape.to_string()
                                       << ' ' << y_shape.to_string();
      EXPECT_TRUE(out.margins_untouched()) << info(op).name << ' ' << x_shape.to_string();
    }
}

template <typename Functor>
float call_binary(float x, float y) {
  return Functor{}(x, y);
}

#define PL_EXPECT_BINARY(name, flops) expect_binary(Op::name, call_binary<functors::name>);
TEST(Elementwise, BinaryKernelsRepeatARowOrAnElementAndAreTheirFunctors){PL_BINARY_OPS(PL_EXPECT_BINARY)}
#undef PL_EXPECT_BINARY

TEST(Elementwise, ResultsAreBitwiseEqualForOneToFourThreads) {
  const Shape shape{1001, 257};
  Memory x(random_values(shape.elements(), 1), Dtype::f32), y(random_values(257, 2), Dtype::f32);
  const auto result = [&](Op op, const Shape& out_shape, int threads) {
    Memory out(out_shape.elements(), Dtype::f32);
    run(op, {.in = {x.operand(shape), y.operand()}, .out = out.operand(out_shape), .a = 2, .b = 1}, threads);
    return out.bytes();
  };
  for (const Op op : {Op::gelu, Op::tanh, Op::scale_shift, Op::add, Op::div, Op::fill})
    for (const int threads : {2, 3, 4})
      EXPECT_TRUE(result(op, shape, threads) == result(op, shape, 1)) << info(op).name << ' ' << threads;
  for (const int threads : {2, 3, 4})
    EXPECT_TRUE(result(Op::column_sum, {257}, threads) == result(Op::column_sum, {257}, 1)) << threads;
}

TEST(Elementwise, StoresPastTheCachesWriteTheSameForEveryAlignment) {
  for (const std::int64_t offset : {0, 1, 15, 16})
    for (const std::int64_t count : {0, 1, 15, 16, 17, 1023, 1024, 1025, 5000}) {
      Memory out(count, Dtype::f32, offset);
      produce(out.operand(), true, 0, count, [](std::int64_t first, std::int64_t n, float* to) {
        for (std::int64_t i = 0; i < n; ++i) to[i] = float(first + i);
      });
      const Floats1 got = out.floats();
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < count; ++i) wrong += got[std::size_t(i)] != float(i);
      EXPECT_EQ(wrong, 0) << count << '+' << offset;
      EXPECT_TRUE(out.margins_untouched()) << count << '+' << offset;
    }
}

TEST(Elementwise, OnlyLargeF32ResultsBypassTheCaches) {
  Memory wide(1, Dtype::f32), narrow(1, Dtype::f16);
  const std::int64_t huge = std::int64_t(1) << 50;
  EXPECT_EQ(bypasses_caches(wide.operand(), huge), has_stream_stores());
  EXPECT_FALSE(bypasses_caches(narrow.operand(), huge));
  EXPECT_FALSE(bypasses_caches(wide.operand(), 1 << 20));
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class ElementwiseOnADevice : public testing::Test {
 protected:
  Tensor tensor(const Shape& shape, Dtype dtype = Dtype::f32, std::uint64_t seed = 1) {
    return Tensor::from(random_values(shape.elements(), seed), shape, device_, dtype);
  }
  CpuDevice device_{{.name = "test", .cores = 2, .pinned_cpus = {}}};
};

TEST_F(ElementwiseOnADevice, WrongShapesAndDtypesAreNamed) {
  EXPECT_EQ(
      error_of([&] {
        add(tensor({2, 3}), tensor({2}));
      }),
      "add: shapes are [2,3] and [2]; want equal shapes, or a second input that is one row or one element of "
      "the first");
  EXPECT_NE(error_of([&] { mul(tensor({3}), tensor({2, 3})); }), "no error");  // only the second is repeated
  EXPECT_EQ(error_of([&] { sub(tensor({3}), tensor({3}, Dtype::f16)); }),
            "sub: inputs are f32 and f16; want one dtype, see cast()");
  const Tensor integers = Tensor::from(std::vector<std::int32_t>{1, 2}, {2}, device_);
  EXPECT_EQ(error_of([&] { relu(integers); }), "relu: an input is i32; want f32, f16 or bf16");
  EXPECT_EQ(error_of([&] { cast(tensor({3}), Dtype::u8); }), "cast: to u8; want f32, f16 or bf16");
  EXPECT_EQ(error_of([&] { sgd_step(tensor({3}), tensor({2}), 1); }),
            "sgd_step: weights are f32 [3], the gradient is f32 [2]; want the same shape and dtype");
  EXPECT_EQ(error_of([&] { column_sum(tensor({})); }), "column_sum: a scalar; want at least one dimension");
}

TEST_F(ElementwiseOnADevice, ResultsHaveTheFirstInputsShapeAndDtype) {
  for (const Dtype dtype : dtypes) {
    const Tensor out = add(tensor({2, 3}, dtype), tensor({3}, dtype));
    EXPECT_EQ(out.shape(), (Shape{2, 3}));
    EXPECT_EQ(out.dtype(), dtype);
  }
  EXPECT_EQ(column_sum(tensor({5, 2, 3}, Dtype::bf16)).shape(), Shape{3});
}

TEST_F(ElementwiseOnADevice, ViewsAreReadWhereTheyBegin) {
  const Tensor x = tensor({7, 3});
  const Floats1 all = x.to_host(), part = neg(x.rows(2, 5)).to_host();
  ASSERT_EQ(part.size(), 9u);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], -all[6 + i]);
}

TEST_F(ElementwiseOnADevice, CastsRoundOnceAndComeBackExactly) {
  const Tensor x = Tensor::from(Floats1{1 + 0x1p-11f, 1 + 0x1.8p-10f, 70000, 1e-8f, -2}, {5}, device_);
  EXPECT_EQ(cast(x, Dtype::f16).to_host(), (Floats1{1, 1 + 0x1p-9f, HUGE_VALF, 0, -2}));
  for (const Dtype dtype : {Dtype::f16, Dtype::bf16}) {
    const Tensor narrow = tensor({3, 333}, dtype);
    EXPECT_EQ(cast(cast(narrow, Dtype::f32), dtype).to_host(), narrow.to_host());
  }
}

TEST_F(ElementwiseOnADevice, AnSgdStepRoundsEachHalfPrecisionWeightOnce) {
  const Tensor weights = Tensor::from(Floats1{1, 2}, {2}, device_, Dtype::f16);
  const Tensor gradient = Tensor::from(Floats1{0x1p-10f, -1}, {2}, device_, Dtype::f16);
  EXPECT_TRUE(sgd_step(weights, gradient, 0.5f).shares_memory_with(weights));
  EXPECT_EQ(weights.to_host(), (Floats1{1 - 0x1p-11f, 2.5f}));
}

TEST_F(ElementwiseOnADevice, ColumnSumsOfSmallIntegersAreExact) {
  const std::int64_t rows = 5003, columns = 37;
  Floats1 values;
  for (std::int64_t i = 0; i < rows * columns; ++i) values.push_back(float(i % 13));
  const Floats1 got = column_sum(Tensor::from(values, {rows, columns}, device_)).to_host();
  for (std::int64_t column = 0; column < columns; ++column) {
    std::int64_t want = 0;
    for (std::int64_t row = 0; row < rows; ++row) want += (row * columns + column) % 13;
    EXPECT_EQ(got[std::size_t(column)], float(want)) << column;
  }
}

}  // namespace
}  // namespace perflab

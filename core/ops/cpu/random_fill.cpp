#include "ops/cpu/random_fill.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"
#include "base/simd.h"
#include "device/parallel.h"
#include "ops/cpu/elements.h"
#include "ops/normal_pair.h"

namespace perflab {
namespace {

constexpr int lanes = int(random_group / 4);  // counters, each good for four words
constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;

// The words of `lanes` counters; each stands in the low half of 64 bits, where vector units multiply.
constexpr int vector_lanes = int(sizeof(Lanes64) / 8), vectors = lanes / vector_lanes;
using Words = std::array<std::array<Lanes64, vectors>, 4>;

// The high halves carry whatever is left from products and shifts: nothing ever reads them.
inline void philox_round(Words& c, std::uint32_t key0, std::uint32_t key1) {
  const Lanes64 multiplier0 = Lanes64{} + 0xD2511F53u, multiplier1 = Lanes64{} + 0xCD9E8D57u;
  for (std::size_t v = 0; v < std::size_t(vectors); ++v) {
    const Lanes64 product0 = multiply_low_words(multiplier0, c[0][v]);
    const Lanes64 product1 = multiply_low_words(multiplier1, c[2][v]);
    c[0][v] = (product1 >> 32) ^ c[1][v] ^ key0;
    c[1][v] = product1;
    c[2][v] = (product0 >> 32) ^ c[3][v] ^ key1;
    c[3][v] = product0;
  }
}

// Makes elements 64*group .. 64*group+63: `finish` turns the four words of a counter into four numbers.
template <typename Finish>
inline void fill_group(std::uint64_t seed, std::uint64_t group, float* __restrict out, Finish finish) {
  const auto key0 = std::uint32_t(seed), key1 = std::uint32_t(seed >> 32);
  const std::uint64_t first =
      group * lanes;  // a multiple of `lanes`: no carry into the high word inside the group
  Words c{};
  for (std::size_t v = 0; v < std::size_t(vectors); ++v) {
    for (int lane = 0; lane < vector_lanes; ++lane) c[0][v][lane] = std::uint64_t(lane);
    c[0][v] += (first & 0xffffffffu) + v * vector_lanes;
    c[1][v] += first >> 32;
  }
#pragma GCC unroll 10
  for (std::uint32_t round = 0; round < 10; ++round)
    philox_round(c, key0 + round * weyl0, key1 + round * weyl1);
  std::array<std::array<std::uint64_t, lanes>, 4> words;
  std::memcpy(&words, &c, sizeof(words));
  for (std::size_t lane = 0; lane < std::size_t(lanes); ++lane) {
    const auto word = [&](std::size_t index) { return std::uint32_t(words[index][lane]); };
    finish(word(0), word(1), word(2), word(3), out + 4 * lane);
  }
}

template <typename Finish>
inline void fill(std::uint64_t seed, std::int64_t begin, std::int64_t end, float* out, Finish finish) {
  PL_CHECK(begin >= 0 && begin % random_group == 0,
           "random fill: begins at element {}; want a multiple of {}", begin, random_group);
  const std::int64_t whole_end = end - end % random_group;
  for (std::int64_t i = begin; i < whole_end; i += random_group)
    fill_group(seed, std::uint64_t(i / random_group), out + i, finish);
  if (whole_end >= end || whole_end < begin) return;
  std::array<float, random_group> last;
  fill_group(seed, std::uint64_t(whole_end / random_group), last.data(), finish);
  std::copy_n(last.data(), end - whole_end, out + whole_end);
}

template <typename Fill>
void run(const KernelArgs& args, StreamContext& context, Fill fill_part) {
  float* out = args.out.as<float>();
  const std::int64_t count = args.out.shape.elements();
  parallel_for(context, count, heavy_grain_elements,
               [&](std::int64_t begin, std::int64_t end) { fill_part(args.seed, begin, end, out); });
}

}  // namespace

void uniform_fill(std::uint64_t seed, std::int64_t begin, std::int64_t end, float* out) {
  fill(seed, begin, end, out, [](auto w0, auto w1, auto w2, auto w3, float* four) {
    const auto unit = [](std::uint32_t word) { return float(std::int32_t(word >> 8)) * 0x1p-24f; };
    four[0] = unit(w0);
    four[1] = unit(w1);
    four[2] = unit(w2);
    four[3] = unit(w3);
  });
}

void normal_fill(std::uint64_t seed, std::int64_t begin, std::int64_t end, float* out) {
  fill(seed, begin, end, out, [](auto w0, auto w1, auto w2, auto w3, float* four) {
    const NormalPair a = normal_pair(w0, w1), b = normal_pair(w2, w3);
    four[0] = a.first;
    four[1] = a.second;
    four[2] = b.first;
    four[3] = b.second;
  });
}

void uniform_kernel(const KernelArgs& args, StreamContext& context) { run(args, context, uniform_fill); }
void normal_kernel(const KernelArgs& args, StreamContext& context) { run(args, context, normal_fill); }

}  // namespace perflab

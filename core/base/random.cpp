#include "base/random.h"

#include <numeric>

#include "base/check.h"

namespace perflab {
namespace {

using Wide = unsigned __int128;

std::array<std::uint32_t, 2> halves(std::uint64_t value) {
  return {std::uint32_t(value), std::uint32_t(value >> 32)};
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;  // golden ratio, sqrt(3) - 1
  for (int round = 0; round < 10; ++round) {
    const auto [low0, high0] = halves(multiplier0 * c[0]);
    const auto [low1, high1] = halves(multiplier1 * c[2]);
    c = {high1 ^ c[1] ^ key[0], low1, high0 ^ c[3] ^ key[1], low0};
    key[0] += weyl0;
    key[1] += weyl1;
  }
  return c;
}

std::uint32_t Random::bits(std::uint64_t index) const {
  const auto [block_low, block_high] = halves(index / 4);
  const auto [stream_low, stream_high] = halves(stream_);
  return philox4x32({block_low, block_high, stream_low, stream_high}, halves(seed_))[index % 4];
}

std::uint64_t Random::below(std::uint64_t index, std::uint64_t bound) const {
  PL_CHECK(bound >= 1, "random: below(bound=0); want bound >= 1");
  const auto [low, high] = halves(index);
  const auto [stream_low, stream_high] = halves(stream_);
  const auto words = philox4x32({low, high, stream_low, stream_high ^ 0x80000000u}, halves(seed_));
  const std::uint64_t value = words[0] | std::uint64_t(words[1]) << 32;
  return std::uint64_t(Wide(value) * bound >> 64);
}

float Random::uniform(std::uint64_t index) const { return float(bits(index) >> 8) * 0x1p-24f; }

std::vector<float> Random::uniform_values(std::int64_t count) const {
  PL_CHECK(count >= 0, "random: uniform_values(count={}); want >= 0", count);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = uniform(i);
  return values;
}

std::vector<std::uint32_t> Random::permutation(std::uint32_t count) const {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[below(i, i)]);
  return order;
}

std::uint64_t derive_seed(std::uint64_t seed, std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  const auto [low, high] = halves(hash);
  const auto words = philox4x32({low, high, 0, 0}, halves(seed));
  return words[0] | std::uint64_t(words[1]) << 32;
}

}  // namespace perflab

#pragma once
// Philox4x32-10 — counter-based random numbers: value = f(seed, index).
//
// Every index is computed independently, so any number of threads fill an array with the same values in any
// order. Integers and uniforms are bitwise equal on every backend. Stateless functions; thread-safe. Source:
// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace perflab {

// One Philox4x32-10 block: four 32-bit words from a 128-bit counter and a 64-bit key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  std::uint32_t bits(std::uint64_t index) const;  // 32 uniform bits
  std::uint64_t below(std::uint64_t index,
                      std::uint64_t bound) const;  // 0..bound-1, 64-bit multiply-shift; bound >= 1
  float uniform(std::uint64_t index) const;        // [0, 1), 24 bits
  std::vector<float> uniform_values(std::int64_t count) const;  // uniform(0), uniform(1), ...
  // A random permutation of 0..count-1 (Fisher-Yates driven by below()).
  std::vector<std::uint32_t> permutation(std::uint32_t count) const;

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
};

// Mixes a text into a seed, so that every lab, case and invocation draws its own stream (FNV-1a, then one
// Philox block).
std::uint64_t derive_seed(std::uint64_t seed, std::string_view text);

}  // namespace perflab

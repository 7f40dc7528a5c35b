#pragma once
// Strider — reads 8-byte words of a buffer at equal distances, in rounds.
//
// With a long stride one round touches few lines, which would stay in a cache, so the next round starts a
// line later; only when every line was read do they come again. A call makes up to 1,000 accesses, fewer
// where one round over the whole buffer has no more, and never leaves the buffer. Not thread-safe.

#include <cstdint>
#include <memory>

#include "arrays.h"

namespace perflab::hardware {

class Strider {
 public:
  // offset: of every word, in bytes, 0..120. Error(check) unless a word fits.
  Strider(std::shared_ptr<Arrays> arrays, std::int64_t stride_bytes, std::int64_t offset, bool backward);

  std::int64_t accesses_per_call() const { return accesses_; }
  void call();
  std::uint64_t sum() const { return sum_; }  // of the last call's words, modulo 2^64
  std::uint64_t plain_sum() const;            // of the first call's words, found one by one

 private:
  std::int64_t words_in_round() const;
  const std::byte* word(std::int64_t number) const;  // of this round

  std::shared_ptr<Arrays> arrays_;
  std::int64_t stride_, offset_;
  bool backward_;
  std::int64_t start_ = 0, next_ = 0;  // of this round: byte of its first word, number of its next one
  std::int64_t accesses_;
  std::uint64_t sum_ = 0;
};

}  // namespace perflab::hardware

#include "strider.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "kernels.h"

namespace perflab::hardware {
namespace {

constexpr std::int64_t most_accesses = 1000;  // so that time per call in us reads as ns per access
constexpr std::int64_t line_bytes = 64;

}  // namespace

Strider::Strider(std::shared_ptr<Arrays> arrays, std::int64_t stride_bytes, std::int64_t offset,
                 bool backward)
    : arrays_(std::move(arrays)),
      stride_(stride_bytes),
      offset_(offset),
      backward_(backward),
      accesses_(std::min(most_accesses, words_in_round())) {
  PL_CHECK(accesses_ >= 1, "strider: {} bytes for steps of {}; want room for one", arrays_->bytes(), stride_);
}

// Less the room that the offset and a word on the last line's border need.
std::int64_t Strider::words_in_round() const { return (arrays_->bytes() - 128 - start_) / stride_; }

const std::byte* Strider::word(std::int64_t number) const {
  const std::int64_t from_front = backward_ ? words_in_round() - 1 - number : number;
  return reinterpret_cast<const std::byte*>(arrays_->array(0)) + offset_ + start_ + from_front * stride_;
}

void Strider::call() {
  sum_ = 0;
  for (std::int64_t left = accesses_; left > 0;) {
    const std::int64_t now = std::min(left, words_in_round() - next_);  // 0: no room after a late start
    if (now > 0) sum_ += strided_sum(word(next_), now, backward_ ? -stride_ : stride_);
    left -= now;
    next_ += now;
    if (next_ < words_in_round()) continue;
    next_ = 0;
    start_ = stride_ > line_bytes ? (start_ + line_bytes) % stride_ : 0;
  }
}

std::uint64_t Strider::plain_sum() const {
  std::uint64_t total = 0;
  for (std::int64_t i = 0; i < accesses_; ++i) {
    std::uint64_t value;
    std::memcpy(&value, word(i), sizeof(value));
    total += value;
  }
  return total;
}

}  // namespace perflab::hardware

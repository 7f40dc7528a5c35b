// What a read costs by its distance from the last one, by its alignment and by its direction. DRAM.

#include <cstring>

#include "arrays.h"
#include "bodies.h"
#include "kernels.h"

namespace perflab::hardware {
namespace {

constexpr std::int64_t accesses_per_call = 1000;  // so that time per call in us reads as ns per access
constexpr std::int64_t misaligned_offset =
    60;  // an 8-byte word over the border of two lines, if the stride keeps it there

// Rounds over the buffer in steps of `stride`. With a long stride one round touches few lines, which would
// stay in a cache, so the next round starts a line later; only when every line was read do they come again.
struct Strider {
  std::shared_ptr<Arrays> arrays;
  std::int64_t stride = 8, offset = 0;
  bool backward = false;
  std::int64_t start = 0, next = 0;  // of this round: byte of its first word, number of its next one
  std::uint64_t sum = 0;

  // Less the room that the offset and a word on the last line's border need.
  std::int64_t words_in_round() const { return (arrays->bytes() - 128 - start) / stride; }
  const std::byte* word(std::int64_t number) const {
    const std::int64_t from_front = backward ? words_in_round() - 1 - number : number;
    return reinterpret_cast<const std::byte*>(arrays->array(0)) + offset + start + from_front * stride;
  }
  void call() {
    sum = 0;
    for (std::int64_t left = accesses_per_call; left > 0;) {
      const std::int64_t now = std::min(left, words_in_round() - next);
      sum += strided_sum(word(next), now, backward ? -stride : stride);
      left -= now;
      next += now;
      if (next < words_in_round()) continue;
      next = 0;
      start = stride > 64 ? (start + 64) % stride : 0;
    }
  }
};

// The same words, found one by one.
std::uint64_t plain_sum(const Strider& strider, std::int64_t count) {
  std::uint64_t total = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t value;
    std::memcpy(&value, strider.word(i), sizeof(value));
    total += value;
  }
  return total;
}

}  // namespace

void access_body(Case& c) {
  const LevelSize size = level_size(this_machine(), "DRAM", 1);
  if (size.bytes == 0) return c.skip(size.reason, size.sentence);
  auto strider = std::make_shared<Strider>();
  strider->arrays = shared_arrays({size.bytes, 1, 1});
  strider->stride = c.i("stride_bytes");
  strider->offset = c.is("misaligned") ? misaligned_offset : 0;
  strider->backward = c.is("backward");
  strider->arrays->fill(0, c.random().bits(0));
  const std::uint64_t wanted = plain_sum(*strider, accesses_per_call);
  strider->call();
  c.expect(strider->sum == wanted, "the sum differs from the one of the same words read one by one");

  c.work({.flops = 0, .bytes_read = 8.0 * double(accesses_per_call), .bytes_written = 0});
  c.bound(
      {.level = "DRAM", .pattern = "strided", .threads = 1, .working_set_bytes = strider->arrays->bytes()});
  c.metric("accesses_count", double(accesses_per_call));
  c.metric("lines_count", double(lines_touched(strider->offset, accesses_per_call, strider->stride)));
  c.measure([strider] { strider->call(); });
}

}  // namespace perflab::hardware

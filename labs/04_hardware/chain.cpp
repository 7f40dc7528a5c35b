#include "chain.h"

#include <new>

#include "base/check.h"

namespace perflab::hardware {

static_assert(sizeof(Hop) == 64, "one hop per cache line");

Chain::Chain(std::int64_t bytes, const Random& random) : lines_(bytes / 64), buffer_(bytes) {
  PL_CHECK(lines_ >= 1 && lines_ < (std::int64_t(1) << 32), "chain: {} lines; want 1 .. 2^32-1", lines_);
  order_ = random.permutation(std::uint32_t(lines_));
  auto* hops = reinterpret_cast<Hop*>(buffer_.data());
  for (std::int64_t i = 0; i < lines_; ++i) new (hops + i) Hop{nullptr};  // touches the pages in order
  for (std::int64_t i = 0; i < lines_; ++i)
    hops[order_[std::size_t(i)]].next = hops + order_[std::size_t((i + 1) % lines_)];
}

const Hop* Chain::line(std::int64_t number) const {
  return reinterpret_cast<const Hop*>(buffer_.data()) + number;
}

const Hop* Chain::at(std::int64_t step) const { return line(order_[std::size_t(step % lines_)]); }

std::uint64_t Chain::sum_of_lines() const {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < lines_; ++i) sum += std::uint64_t(reinterpret_cast<std::uintptr_t>(line(i)));
  return sum;
}

bool Chain::visits_every_line_once() const {
  // The path is determined by its lines, so returning to the start after `lines` hops and not before means
  // all of them.
  const Hop* hop = at(0);
  for (std::int64_t step = 1; step <= lines_; ++step) {
    hop = hop->next;
    if (hop == at(0)) return step == lines_;
  }
  return false;
}

std::shared_ptr<const Chain> shared_chain(std::int64_t bytes, const Random& random) {
  static std::weak_ptr<const Chain> last;
  static std::int64_t last_bytes = 0;
  if (auto kept = last.lock(); kept && last_bytes == bytes) return kept;
  auto made = std::make_shared<const Chain>(bytes, random);
  last = made;
  last_bytes = bytes;
  return made;
}

}  // namespace perflab::hardware

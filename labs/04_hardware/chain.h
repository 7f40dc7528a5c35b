#pragma once
// Chain — a random closed path through a buffer: every cache line holds the address of the next one.
//
// The path is a single cycle over all lines, so nothing but the line itself says where the next one is, and
// neither a prefetcher nor a second access in flight can help. Not thread-safe.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "buffer.h"
#include "kernels.h"

namespace perflab::hardware {

class Chain {
 public:
  Chain(std::int64_t bytes, const Random& random);

  std::int64_t lines() const { return lines_; }
  const Hop* at(std::int64_t step) const;      // where `step` hops from the start lead
  const Hop* line(std::int64_t number) const;  // in order of addresses
  std::uint64_t sum_of_lines() const;          // what read_lines over the whole buffer must return
  bool visits_every_line_once() const;         // walks the buffer itself

 private:
  std::int64_t lines_;
  Buffer buffer_;
  std::vector<std::uint32_t> order_;
};

// The chain of this size, made or kept from the last call, so that the variants of a point walk the same one.
std::shared_ptr<const Chain> shared_chain(std::int64_t bytes, const Random& random);

}  // namespace perflab::hardware

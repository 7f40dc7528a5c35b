// Latency per memory level: a dependent walk from line to line, against reading as many lines of the same
// buffer in order.

#include "bodies.h"

#include <algorithm>
#include "chain.h"
#include "scaled.h"

namespace perflab::hardware {
namespace {

constexpr std::int64_t accesses_per_call = 1000;  // so that time per call in us reads as ns per access
constexpr double word_bytes = 8;

struct Walk {
  std::shared_ptr<const Chain> chain;
  std::int64_t position = 0;  // hops done (random), or line number (sequential)
  const Hop* hop = nullptr;
  std::uint64_t read = 0;

  void random() {
    hop = chase(hop, accesses_per_call);
    position += accesses_per_call;
  }
  // Goes on where the last call stopped: every line has left the caches of its level by the time it comes
  // round again.
  void sequential() {
    read = 0;
    for (std::int64_t left = accesses_per_call; left > 0;) {
      const std::int64_t now = std::min(left, chain->lines() - position);
      read += read_lines(chain->line(position), now);
      position = (position + now) % chain->lines();
      left -= now;
    }
  }
};

}  // namespace

void chase_body(Case& c) {
  const LevelSize size = level_size(this_machine(), c.s("level"), 1);
  if (size.bytes == 0) return c.skip(size.reason, size.sentence);
  auto walk = std::make_shared<Walk>();
  walk->chain = shared_chain(size.bytes, c.random());
  const Chain& chain = *walk->chain;
  walk->hop = chain.at(0);
  if (c.is("random"))
    c.expect(chain.visits_every_line_once(), "the path does not visit every line of the buffer exactly once");
  else
    c.expect(read_lines(chain.line(0), chain.lines()) == chain.sum_of_lines(),
             "the lines do not hold what was written");

  c.work({.flops = 0, .bytes_read = word_bytes * double(accesses_per_call), .bytes_written = 0});
  c.bound(
      {.level = c.s("level"), .pattern = c.variant(), .threads = 1, .working_set_bytes = 64 * chain.lines()});
  c.metric("accesses_count", double(accesses_per_call));
  c.metric("lines_count", double(accesses_per_call));
  if (c.is("random")) {
    c.verify([walk] {
      return Verified{walk->hop == walk->chain->at(walk->position), std::uint64_t(walk->position)};
    });
    return c.measure([walk] { walk->random(); });
  }
  c.measure([walk] { walk->sequential(); });
}

void derive_chase(const Results& results, Derived& derived) {
  const Series* random = results.only("chase", {{"level", "DRAM"}}, "random");
  const Series* sequential = results.only("chase", {{"level", "DRAM"}}, "sequential");
  std::optional<Estimate> ratio;
  if (random != nullptr && sequential != nullptr)
    ratio = results.ratio(*random, "finish", *sequential, "finish");
  add_or_missing(derived, "random_over_sequential_per_access_ratio", "ratio", ratio, "no_valid_samples",
                 {random, sequential});
}

}  // namespace perflab::hardware

// The instrument measures itself: what the sampler adds to a sample, and our STREAM against a plain one.

#include <cmath>

#include "arrays.h"
#include "base/clock.h"
#include "bench/take.h"
#include "bodies.h"
#include "kernels.h"
#include "plain_stream.h"
#include "scaled.h"

namespace perflab::hardware {

// The timed interval around an empty call, against the two clock readings that it cannot do without.
void self_sampler_body(Case& c) {
  c.expect(true, "");
  Clock& clock = steady_clock();
  if (c.is("two_clock_reads")) {
    auto last_ns = std::make_shared<std::int64_t>(0);
    return c.measure([&clock, last_ns] {
      const std::int64_t start_ns = clock.now_ns();
      *last_ns = clock.now_ns() - start_ns;
    });
  }
  auto empty = std::make_shared<Prepared>();
  empty->once = [](Counts&) {};
  empty->waited_for = {&c.device()};
  c.measure([&clock, empty] {
    Stopwatch watch(clock);
    Counts counts({});
    time_calls(watch, *empty, 1, counts);
  });
}

void derive_self_sampler(const Results& results, Derived& derived) {
  const Series* whole = results.only("self_sampler", {}, "timed_interval");
  const Series* clock = results.only("self_sampler", {}, "two_clock_reads");
  std::optional<Estimate> beyond;
  if (whole != nullptr && clock != nullptr && !whole->timed.empty() &&
      whole->timed.size() == clock->timed.size()) {
    std::vector<double> difference_ns = whole->clock("finish");
    const std::vector<double> reads_ns = clock->clock("finish");
    for (std::size_t i = 0; i < difference_ns.size(); ++i) difference_ns[i] -= reads_ns[i];
    beyond = estimate(difference_ns);
  }
  add_or_missing(derived, "sampler_overhead_ns", "ns", beyond, "no_valid_samples");
}

void self_stream_body(Case& c) {
  const int threads = thread_counts(this_machine()).back();
  const LevelSize size = level_size(this_machine(), "DRAM", threads);
  if (size.bytes == 0) return c.skip(size.reason, size.sentence);
  const bool plain = c.is("plain_openmp");
  if (plain && !plain_stream_available())
    return c.skip("built_without_openmp", "this build has no OpenMP to write the plain loop with");
  const Pattern pattern = parse_pattern(c.s("pattern"));
  const auto arrays = shared_arrays({size.bytes, 3, threads});
  const auto seed = c.random().bits(0);
  arrays->fill(0, seed);
  arrays->fill(1, seed);
  arrays->poison(2);
  const auto call = [arrays, pattern, plain, threads] {
    if (plain)
      return plain_stream(pattern, arrays->array(0), arrays->array(1), arrays->array(2), arrays->elements(),
                          threads);
    arrays->sum([&](std::int64_t begin, std::int64_t end) {
      return stream_pass(pattern, arrays->array(0) + begin, arrays->array(1) + begin,
                         arrays->array(2) + begin, end - begin, 1);
    });
  };
  call();
  const double wrong = arrays->sum([&](std::int64_t begin, std::int64_t end) {
    std::int64_t count = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const float a = arrays->array(0)[i];
      count += arrays->array(2)[i] == (pattern == Pattern::copy ? a : a + stream_factor * arrays->array(1)[i])
                   ? 0
                   : 1;
    }
    return double(count);
  });
  c.expect(wrong == 0, "elements differ from the same arithmetic done one by one");
  c.work(stream_cost(pattern, arrays->elements()));
  c.bound(
      {.level = "DRAM", .pattern = c.s("pattern"), .threads = threads, .working_set_bytes = arrays->bytes()});
  c.measure(call);
}

void derive_self_stream(const Results& results, Derived& derived) {
  for (const char* pattern : {"copy", "triad"}) {
    const Series* ours = results.only("self_stream", {{"pattern", pattern}}, "ours");
    const Series* plain = results.only("self_stream", {{"pattern", pattern}}, "plain_openmp");
    std::optional<Estimate> ratio;
    if (ours != nullptr && plain != nullptr) ratio = results.ratio(*ours, "finish", *plain, "finish");
    add_or_missing(derived, std::string(pattern) + "_ours_over_plain_ratio", "ratio", ratio,
                   "no_valid_samples");
  }
}

}  // namespace perflab::hardware

// Bandwidth per memory level, access pattern and thread count, with plain and with streaming stores.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "arrays.h"
#include "base/check.h"
#include "bodies.h"
#include "kernels.h"
#include "scaled.h"

namespace perflab::hardware {
namespace {

constexpr std::int64_t bytes_per_call =
    16 << 20;  // per thread: some 100 us, so that starting the team costs a per cent at most
constexpr std::int64_t sample_distance =
    1024;  // elements between those that are read back after a timed call

// One pattern on one set of arrays; the timed call, its check and its read-back share it.
struct Stream {
  std::shared_ptr<Arrays> arrays;
  Pattern pattern;
  bool nt;
  std::uint32_t seed;
  std::int64_t passes;
  double sum = 0;  // of the last call, for read

  // The output comes last, so that the inputs are arrays 0 and 1.
  const float* a() const { return arrays->array(0); }
  const float* b() const { return arrays->array(arrays_touched(pattern) == 3 ? 1 : 0); }
  float* c() const { return arrays->array(arrays_touched(pattern) - 1); }

  void prepare() {
    for (int number = 0; number < arrays_touched(pattern); ++number) arrays->fill(number, seed);
    if (writes_only(pattern)) arrays->poison(arrays_touched(pattern) - 1);
  }

  void call(std::int64_t times) {
    sum = arrays->sum([&](std::int64_t begin, std::int64_t end) {
      const float* from_b = b() + begin;
      if (!nt) return stream_pass(pattern, a() + begin, from_b, c() + begin, end - begin, times);
      stream_pass_nt(pattern, a() + begin, from_b, c() + begin, end - begin, times);
      return 0.0;
    });
  }

  double input(int number, std::int64_t i) const {
    return double(input_value(seed + std::uint32_t(number), i));
  }
  double wanted(std::int64_t i) const {  // in double precision
    switch (pattern) {
      case Pattern::copy:
        return input(0, i);
      case Pattern::scale:
        return double(stream_factor) * input(0, i);
      case Pattern::add:
        return input(0, i) + input(1, i);
      case Pattern::triad:
        return input(0, i) + double(stream_factor) * input(1, i);
      case Pattern::read:
      case Pattern::in_place:
        break;
    }
    return input(0, i);
  }
  // Two f32 roundings at most; in_place may stand at either sign.
  bool right(std::int64_t i) const {
    const double got = double(c()[i]);
    const double value = pattern == Pattern::in_place ? std::fabs(got) : got;
    return std::fabs(value - wanted(i)) <= 1.2e-7 * 2 * wanted(i);  // false for NaN
  }
  double wanted_sum() const {  // of one pass
    return arrays->sum([&](std::int64_t begin, std::int64_t end) {
      double total = 0;
      for (std::int64_t i = begin; i < end; ++i) total += input(0, i);
      return total;
    });
  }
  double wrong_elements() const {
    return arrays->sum([&](std::int64_t begin, std::int64_t end) {
      std::int64_t wrong = 0;
      for (std::int64_t i = begin; i < end; ++i) wrong += right(i) ? 0 : 1;
      return double(wrong);
    });
  }
  Verified read_back(double sum_of_a_pass) const {
    std::uint64_t checksum = 0xcbf29ce484222325u;
    const auto mix = [&](const void* bytes, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i)
        checksum = (checksum ^ std::uint64_t(static_cast<const unsigned char*>(bytes)[i])) * 0x100000001b3u;
    };
    if (pattern == Pattern::read) {
      mix(&sum, sizeof(sum));
      return {std::fabs(sum / double(passes) - sum_of_a_pass) <= 1e-5 * sum_of_a_pass, checksum};
    }
    bool correct = true;
    for (std::int64_t i = 0; i < arrays->elements(); i += sample_distance) {
      correct = correct && right(i);
      mix(c() + i, sizeof(float));
    }
    return {correct, checksum};
  }
};

struct Request {
  std::string level, pattern;
  int threads;
  bool nt, hot_called_dram, serial_first_touch;
};

void measure_stream(Case& c, const Request& request) {
  const Pattern pattern = parse_pattern(request.pattern);
  if (request.nt && !writes_only(pattern))
    return c.skip("nothing_to_stream",
                  "a pattern that reads what it writes, or writes nothing, has no use for streaming stores");
  if (request.nt && !has_stream_stores())
    return c.skip("no_streaming_stores", "this processor has no streaming stores that plain C++ can reach");
  const LevelSize declared = level_size(this_machine(), request.level, request.threads);
  if (declared.bytes == 0) return c.skip(declared.reason, declared.sentence);
  const bool planted = request.hot_called_dram && request.level == "DRAM";
  const LevelSize real = planted ? level_size(this_machine(), "L1", request.threads) : declared;
  if (real.bytes == 0) return c.skip(real.reason, real.sentence);

  Stream stream{.arrays = shared_arrays(
                    {real.bytes, arrays_touched(pattern), request.threads, request.serial_first_touch}),
                .pattern = pattern,
                .nt = request.nt,
                .seed = c.random().bits(0),
                .passes = 1};
  Arrays& arrays = *stream.arrays;
  c.expect(arrays.touched_by_their_users(),
           "a share was first touched by another thread than the one that uses it");
  stream.prepare();
  stream.call(1);
  const double sum_of_a_pass = pattern == Pattern::read ? stream.wanted_sum() : 0;
  if (pattern == Pattern::read)
    c.expect(std::fabs(stream.sum - sum_of_a_pass) <= 1e-5 * sum_of_a_pass,
             "the sum differs from the one in double precision");
  else c.expect(stream.wrong_elements() == 0, "elements differ from the reference in double precision");

  const Cost pass = stream_cost(pattern, arrays.elements());
  // A working set that is said to be larger than it is must still account for the bytes that it is said to
  // move.
  const std::int64_t wanted_bytes = planted ? declared.bytes : std::int64_t(bytes_per_call) * request.threads;
  stream.passes = std::max<std::int64_t>(1, std::int64_t(double(wanted_bytes) / pass.bytes()));
  const double n = double(stream.passes);
  c.work(
      {.flops = n * pass.flops, .bytes_read = n * pass.bytes_read, .bytes_written = n * pass.bytes_written});
  c.bound({.level = request.level,
           .pattern = request.pattern + (request.nt ? "_nt" : ""),
           .threads = request.threads,
           .working_set_bytes = arrays.bytes()});
  auto state = std::make_shared<Stream>(stream);
  c.threads(request.threads, [state] { return state->arrays->team().last_census(); });
  c.verify([state, sum_of_a_pass] { return state->read_back(sum_of_a_pass); });
  c.measure([state] { state->call(state->passes); });
}

}  // namespace

void stream_body(Case& c) {
  measure_stream(c, {.level = c.s("level"),
                     .pattern = c.s("pattern"),
                     .threads = int(c.i("threads")),
                     .nt = c.is("nt"),
                     .hot_called_dram = c.fault(1),
                     .serial_first_touch = c.fault(2)});
}

void ceilings_body(Case& c) {
  if (c.s("level") == "compute") return fma_body(c);
  measure_stream(c, {.level = c.s("level"),
                     .pattern = c.s("pattern"),
                     .threads = int(c.i("threads")),
                     .nt = c.s("stores") == "nt",
                     .hot_called_dram = false,
                     .serial_first_touch = false});
}

namespace {

// The memory's kind as `counts` found it; 0 = unknown.
int ddr_generation_seen(const Results& results) {
  for (const Series* series : results.find("counts"))
    for (const double generation : series->metric("ddr_generation_count")) return int(generation);
  return 0;
}

}  // namespace

void derive_stream(const Results& results, Derived& derived) {
  // All cores, in whichever way they get most: normal or streaming stores.
  std::optional<Estimate> best;
  std::vector<const Series*> used;
  int threads = 0;
  for (const Series* series : results.find("stream", {{"level", "DRAM"}, {"pattern", "triad"}}))
    threads = std::max(threads, series->info.threads);
  for (const Series* series : results.find(
           "stream", {{"level", "DRAM"}, {"pattern", "triad"}, {"threads", std::to_string(threads)}})) {
    used.push_back(series);
    const auto rate = series->bandwidth_GBps();
    if (rate && (!best || rate->median > best->median)) best = rate;
  }
  add_or_missing(derived, "triad_all_cores_GBps", "GBps", best, "no_valid_samples", used);
  // The article speaks of DDR4: the same number answers it only where the memory is known to be that.
  const int generation = ddr_generation_seen(results);
  if (generation == 0) return derived.missing("dram_triad_all_cores_GBps", "GBps", "unknown_memory_type");
  if (generation != 4) return derived.missing("dram_triad_all_cores_GBps", "GBps", "needs_mem:ddr4");
  add_or_missing(derived, "dram_triad_all_cores_GBps", "GBps", best, "no_valid_samples", used);
}

}  // namespace perflab::hardware

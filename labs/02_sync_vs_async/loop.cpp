// The article's loop: ten times a normal matrix and its product with itself, with a wait after each step or
// none.

#include <algorithm>
#include <bit>
#include <future>
#include <numeric>
#include <optional>

#include "bodies.h"
#include "derive.h"
#include "ops/functions.h"
#include "waiting.h"

namespace perflab::waiting {
namespace {

constexpr std::int64_t steps = 10, article_n = 1000;

// Fault 1: the loop's last piece of work does not end before somebody has looked whether the queue is empty,
// so the gate fires on a machine of any speed. One for all variants, which share the device; main thread
// only.
class LastPiece {
 public:
  void hold(Device& device) {
    held_.emplace();
    device.stream().enqueue([open = held_->get_future().share()](StreamContext&) { open.wait(); });
  }
  void let_go() {
    if (held_) held_->set_value();
    held_.reset();
  }

 private:
  std::optional<std::promise<void>> held_;
};
LastPiece last_piece;

struct Loop {
  Loop(Device& on, std::int64_t side, std::uint64_t first_seed, bool waits, bool reads)
      : device(on), n(side), seed(first_seed), wait_each(waits), read_back(reads) {}
  Loop(const Loop&) = delete;
  ~Loop() { last_piece.let_go(); }

  Device& device;
  std::int64_t n;
  std::uint64_t seed;
  bool wait_each, read_back, holds_last = false;
  Tensor drawn{}, product{};
  EngineCounts counts{};
  std::int64_t pending = 0;  // pieces of work left when the last call returned

  void run() {
    last_piece.let_go();
    take_counts();
    const PolicyGuard guard(Policy::async);
    for (std::int64_t step = 0; step < steps; ++step) {
      drawn = normal({n, n}, seed + std::uint64_t(step), device);
      product = matmul(drawn, drawn);
      if (wait_each) wait_for(device);
      if (read_back) product.rows(0, 1).to_host();
    }
    counts = take_counts();
    if (holds_last) last_piece.hold(device);
    pending = device.stream().pending();
  }
  bool is_done() const {  // a clock that stopped in time left nothing in the queue
    const bool done = device.stream().pending() == 0;
    last_piece.let_go();
    return done;
  }
};

// Nobody works here, so draining it proves nothing: what a clock names that stops too early.
class IdleDevice : public Device {
 public:
  IdleDevice() : Device("idle") {}
  void synchronize() override {}
};

// ||row of product - drawn x drawn|| / ||drawn x drawn|| for some rows, in double precision.
double relative_error(const std::vector<float>& drawn, const std::vector<float>& product, std::int64_t n) {
  double error2 = 0, norm2 = 0;
  for (std::int64_t row = 0; row < n; row += std::max<std::int64_t>(1, n / 4))
    for (std::int64_t column = 0; column < n; ++column) {
      double want = 0;
      for (std::int64_t k = 0; k < n; ++k)
        want += double(drawn[std::size_t(row * n + k)]) * double(drawn[std::size_t(k * n + column)]);
      const double difference = double(product[std::size_t(row * n + column)]) - want;
      error2 += difference * difference;
      norm2 += want * want;
    }
  return std::sqrt(error2 / norm2);
}

std::uint64_t checksum(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t(0), [](std::uint64_t sum, float value) {
    return 31 * sum + std::bit_cast<std::uint32_t>(value);
  });
}

}  // namespace

void loop_body(Case& c) {
  const std::int64_t n = c.i("n");
  auto loop = std::make_shared<Loop>(c.device(), n, c.random().bits(0), c.is("sync"), c.fault(2));
  loop->run();
  const std::vector<float> want = loop->product.to_host();
  // Rounding of n products and n - 1 sums grows with the square root of n at most n: 1e-5 leaves room for
  // 1000.
  c.expect(relative_error(loop->drawn.to_host(), want, n) < 1e-5,
           "the last product is not that of its matrix");
  const std::int64_t promised = c.is("sync") ? steps : 0;
  c.expect(loop->counts.waits == promised,
           fmt::format("the loop waited {} times; the variant promises {}", loop->counts.waits, promised));
  c.expect(loop->counts.dispatches == 2 * steps, "the loop did not dispatch two operations per step");

  const double elements = double(n) * double(n);
  c.work({.flops = double(steps) * 2 * elements * double(n),  // of the products
          .bytes_read = 4 * double(steps) * elements,
          .bytes_written = 8 * double(steps) * elements});
  c.bound({.level = "compute", .pattern = "fma", .threads = c.device().info().cores, .working_set_bytes = 0});
  c.evidence("measured", engine_subject);
  c.one_call_per_sample();
  c.verify([loop, want] {
    if (!loop->is_done()) return Verified{false, 0};
    const std::vector<float> got = loop->product.to_host();
    return Verified{got == want, checksum(got)};
  });
  loop->holds_last = c.fault(1);  // from here on
  static IdleDevice idle;
  std::vector<Device*> waited_for{c.fault(1) ? &idle : &c.device()};
  c.measure_counts(
      [loop](Counts& counts) {
        loop->run();
        counts.set("waits_count", double(loop->counts.waits));
        counts.set("enqueues_count", double(loop->counts.enqueues));
        counts.set("pending_count", double(loop->pending));
      },
      std::move(waited_for));
}

void derive_loop(const Results& results, Derived& derived) {
  const Series* sync = results.only("loop", {}, "sync");
  const Series* async = results.only("loop", {}, "async");
  add_ratio(derived, "sync_finish_over_async_finish_ratio", sync, "finish", async, "finish");
  add_ratio(derived, "sync_finish_over_async_submit_ratio", sync, "finish", async, "submit");
  add_ratio(derived, "submit_over_finish_ratio", async, "submit", async, "finish");
  add_ratio(derived, "finish_over_submit_ratio", async, "finish", async, "submit");
  add_ratio(derived, "verified_over_finish_ratio", async, "verified", async, "finish");
  const Series* article = results.only("loop", {{"n", std::to_string(article_n)}}, "async");
  add_median(derived, "async_finish_s", "s", article, "finish", 1e-9);
  add_median(derived, "async_submit_s", "s", article, "submit", 1e-9);
}

}  // namespace perflab::waiting

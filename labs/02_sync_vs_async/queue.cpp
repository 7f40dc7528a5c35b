// How long a queue takes work without making its owner wait: tasks of about a microsecond, 1 to 10,000 at
// once.

#include "base/units.h"
#include "bodies.h"
#include "counter.h"
#include "derive.h"
#include "waiting.h"

namespace perflab::waiting {
namespace {

constexpr std::int64_t steps_per_task = 300;  // about a microsecond
constexpr std::int64_t bound_pending = 256;   // of the bounded variant; 0 is no bound

struct Queue {
  Device& device;
  std::int64_t depth;
  RunAhead run_ahead;
  Counter counter{};
  std::uint32_t wanted = 0;
  EngineCounts counts{};
  std::int64_t pending = 0;  // tasks left when the last one was handed over

  void run() {
    take_counts();
    const PolicyGuard guard(Policy::async, run_ahead);
    Stream& stream = device.stream();
    for (std::int64_t task = 0; task < depth; ++task)
      execute(stream, [this](StreamContext&) { counter.count_up(steps_per_task); });
    wanted += std::uint32_t(depth * steps_per_task);
    pending = stream.pending();
    counts = take_counts();
  }
};

}  // namespace

void queue_body(Case& c) {
  auto queue = std::make_shared<Queue>(
      Queue{.device = c.device(), .depth = c.i("depth"), .run_ahead = {c.is("bounded") ? bound_pending : 0}});
  queue->run();
  wait_for(c.device());
  c.expect(queue->counter.holds(queue->wanted), "the tasks did not count what was asked for");
  c.expect(queue->counts.enqueues == queue->depth, "not every task went through the queue");
  c.expect(!c.is("bounded") || queue->pending <= bound_pending, "the bounded queue grew beyond its bound");
  c.evidence("measured", engine_subject);
  c.one_call_per_sample();
  c.verify([queue] { return Verified{queue->counter.holds(queue->wanted), queue->wanted}; });
  c.measure_counts([queue](Counts& counts) {
    queue->run();
    counts.set("pending_count", double(queue->pending));
  });
}

void derive_queue(const Results& results, Derived& derived) {
  const Series* deepest = nullptr;
  double most = 0;
  for (const Series* series : results.find("queue", {}, "unbounded"))
    if (const double depth = parse_number(series->axis("depth")); depth >= most) {
      most = depth;
      deepest = series;
    }
  if (deepest == nullptr) return;
  add_median(derived, "submit_per_task_ns", "ns", deepest, "submit", 1 / most);
  add_ratio(derived, "unbounded_submit_over_finish_ratio", deepest, "submit", deepest, "finish");
  const Series* bounded = results.only("queue", {{"depth", deepest->axis("depth")}}, "bounded");
  add_ratio(derived, "bounded_submit_over_finish_ratio", bounded, "submit", bounded, "finish");
}

}  // namespace perflab::waiting

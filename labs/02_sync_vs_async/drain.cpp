// Which queues does a wait cover? Two devices with work each; a wait for both, and one for the current device
// alone.

#include "bodies.h"
#include "derive.h"
#include "device/cpu_device.h"
#include "two_queues.h"
#include "waiting.h"

namespace perflab::waiting {
namespace {

constexpr double steps_per_ms = 350'000;  // about; how long the long work may last, not what is measured

// The other device, and the queues on both. Its own member order ends the device before what its work uses.
struct Drain {
  Drain(Device& current, std::int64_t steps, std::int64_t most_steps)
      : other({.name = "cpu:other", .pinned_cpus = {}}), queues(current, other, steps, most_steps) {}
  CpuDevice other;
  TwoQueues queues;
  ~Drain() { other.synchronize(); }
};

}  // namespace

void drain_body(Case& c) {
  const bool all = c.is("wait_all");
  const auto steps = std::int64_t(steps_per_ms * double(c.i("work_ms")));
  // Where nobody waits for the other queue its work outlasts the count; a wait that did cover it would not
  // hang.
  auto drain = std::make_shared<Drain>(c.device(), steps, all ? steps : 1'000 * steps);
  const auto wait_for_both = [drain, &device = c.device()] {
    device.synchronize();
    drain->other.synchronize();
  };
  drain->queues.run(all);
  c.expect(drain->queues.pending_current() == 0, "the current device has work left after it was waited for");
  c.expect(all ? drain->queues.pending_other() == 0 : drain->queues.pending_other() == 2,
           "the other device's queue is not as long as the wait left it");
  wait_for_both();
  c.expect(drain->queues.counted_up(), "a queue did not do all of its work");
  c.evidence("measured", engine_subject);
  c.one_call_per_sample();
  c.verify([drain] {
    return Verified{drain->queues.counted_up(), std::uint64_t(drain->queues.pending_other())};
  });
  c.measure_counts(
      [drain, all](Counts& counts) {
        drain->queues.run(all);
        counts.set("pending_other_count", double(drain->queues.pending_other()));
        counts.set("pending_current_count", double(drain->queues.pending_current()));
      },
      {&c.device(), &drain->other});
}

void derive_drain(const Results& results, Derived& derived) {
  add_every_sample(derived, "pending_after_wait_all_count", results.only("drain", {}, "wait_all"),
                   "pending_other_count");
  add_every_sample(derived, "pending_other_queue_after_synchronize_count",
                   results.only("drain", {}, "wait_current"), "pending_other_count");
}

}  // namespace perflab::waiting

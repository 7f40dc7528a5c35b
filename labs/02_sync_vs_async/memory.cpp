// What a queue without a bound costs in memory: the host makes batches faster than the device uses them up.

#include <algorithm>

#include "bodies.h"
#include "derive.h"
#include "device/allocator.h"
#include "ops/functions.h"
#include "waiting.h"

namespace perflab::waiting {
namespace {

constexpr std::int64_t inner = 512, columns = 64, bound_pending = 4;

struct Memory {
  Device& device;
  std::int64_t batches, rows;
  bool wait_each;
  RunAhead run_ahead;
  AllocatorHandle allocator;  // of the batches alone; gives back what no queued work needs
  std::vector<float> host_batch;
  Tensor weights{}, last{};
  EngineCounts counts{};
  std::int64_t held_bytes = 0, queue_bytes = 0, longest_queue = 0;  // most, seen after each submission

  void run() {
    take_counts();
    held_bytes = queue_bytes = longest_queue = 0;
    last = Tensor();
    const PolicyGuard guard(Policy::async, run_ahead);
    const AllocatorGuard allocate(device, *allocator);
    for (std::int64_t batch = 0; batch < batches; ++batch) {
      host_batch.front() = float(batch);
      last = matmul(Tensor::from(host_batch, {rows, inner}, device), weights);
      held_bytes = std::max(held_bytes, allocator->stats().reserved_bytes);
      queue_bytes = std::max(queue_bytes, device.stream().queue_bytes());
      longest_queue = std::max(longest_queue, device.stream().pending());
      if (wait_each) wait_for(device);
    }
    counts = take_counts();
  }
};

}  // namespace

void memory_body(Case& c) {
  const std::int64_t rows = c.i("batch_rows");
  const bool bounded = c.is("bounded");
  auto memory = std::make_shared<Memory>(Memory{.device = c.device(),
                                                .batches = c.i("batches"),
                                                .rows = rows,
                                                .wait_each = c.is("wait_each"),
                                                .run_ahead = {bounded ? bound_pending : 0},
                                                .allocator = make_system_allocator(c.device()),
                                                .host_batch = c.random().uniform_values(rows * inner)});
  memory->weights = normal({inner, columns}, c.random().bits(0), c.device());
  memory->run();
  const std::vector<float> want = memory->last.to_host();
  const std::vector<float> weights = memory->weights.to_host();
  double first = 0;
  for (std::size_t k = 0; k < std::size_t(inner); ++k)
    first += double(memory->host_batch[k]) * double(weights[k * columns]);
  const float reference[] = {float(first)};
  c.expect_close(std::span(want).first(1), reference, 1e-4, 1e-3);
  c.expect(!bounded || memory->longest_queue <= bound_pending, "the bounded queue grew beyond its bound");
  c.expect(memory->counts.waits >= (memory->wait_each ? memory->batches : 0),
           "the loop did not wait as it says");
  c.evidence("measured", engine_subject);
  c.one_call_per_sample();
  c.verify([memory, want] { return Verified{memory->last.to_host() == want, std::uint64_t(want.size())}; });
  c.measure_counts([memory](Counts& counts) {
    memory->run();
    counts.set("held_bytes", double(memory->held_bytes));
    counts.set("queue_bytes", double(memory->queue_bytes));
    counts.set("longest_queue_count", double(memory->longest_queue));
  });
}

}  // namespace perflab::waiting

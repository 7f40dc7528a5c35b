#include "engine/policy.h"

#include <exception>

#include "base/check.h"

namespace perflab {

EngineCounts take_counts() { return std::exchange(engine_detail::state.counts, {}); }

void count_wait() { ++engine_detail::state.counts.waits; }

PolicyGuard::PolicyGuard(Policy policy, RunAhead run_ahead)
    : outer_policy_(engine_detail::state.policy), outer_run_ahead_(engine_detail::state.run_ahead) {
  PL_CHECK(run_ahead.most_pending >= 0, "policy: run-ahead of {} operations; want 0 (no bound) or more",
           run_ahead.most_pending);
  engine_detail::state.policy = policy;
  engine_detail::state.run_ahead = run_ahead;
}

PolicyGuard::~PolicyGuard() {
  engine_detail::state.policy = outer_policy_;
  engine_detail::state.run_ahead = outer_run_ahead_;
}

void enqueue_bounded(Stream& stream, Task&& work, RunAhead run_ahead) {
  stream.enqueue(std::move(work), run_ahead.most_pending);
  ++engine_detail::state.counts.enqueues;
}

void enqueue_and_wait(Stream& stream, Task&& work) {
  EngineCounts& counts = engine_detail::state.counts;
  stream.enqueue(std::move(work));
  ++counts.enqueues;
  ++counts.waits;
  // For the work's own ticket: another thread that synchronises may take the failure that made the stream
  // skip it.
  const Event done = stream.record();
  try {
    done.wait();
  } catch (...) {
    const std::exception_ptr error = std::current_exception();
    try {
      stream.synchronize();
    } catch (...) {  // the same error, or a later one: the first wins
    }
    std::rethrow_exception(error);
  }
}

}  // namespace perflab

// Many increments of a small vector, with a wait after each or one for all: what a wait costs, by length of
// the task.

#include <cmath>
#include <vector>

#include "bodies.h"
#include "counter.h"
#include "derive.h"
#include "model.h"
#include "waiting.h"

namespace perflab::waiting {
namespace {

// As many tasks as asked for, but not more than about three milliseconds of work.
std::int64_t tasks_of(const Case& c) {
  constexpr std::int64_t most_increments = 1'000'000, fewest_tasks = 5;
  const std::int64_t affordable = std::max(fewest_tasks, most_increments / c.i("increments_per_task"));
  return std::min(c.i("most_tasks"), affordable);
}

struct Increments {
  Device& device;
  std::int64_t tasks, increments;
  bool wait_each;
  Policy policy;
  Counter counter{};
  std::uint32_t wanted = 0;
  EngineCounts counts{};

  void run() {
    take_counts();
    const PolicyGuard guard(policy, RunAhead{0});
    Stream& stream = device.stream();
    for (std::int64_t task = 0; task < tasks; ++task) {
      execute(stream, [this](StreamContext&) { counter.count_up(increments); });
      if (wait_each) wait_for(device);
    }
    wanted += std::uint32_t(tasks * increments);
    counts = take_counts();
  }
};

}  // namespace

void increments_body(Case& c) {
  auto work =
      std::make_shared<Increments>(Increments{.device = c.device(),
                                              .tasks = tasks_of(c),
                                              .increments = c.i("increments_per_task"),
                                              .wait_each = c.is("wait_each"),
                                              .policy = c.is("no_queue") ? Policy::sync : Policy::async});
  work->run();
  c.device().synchronize();
  c.expect(work->counter.holds(work->wanted), "the vector does not hold the number of increments");
  c.expect(c.is("no_queue") || work->counts.enqueues == work->tasks, "not every task went through the queue");
  if (!c.is("no_queue"))
    c.expect(work->counts.waits == (c.is("wait_each") ? work->tasks : 0),
             "the variant waited otherwise than it says");
  c.evidence("measured", engine_subject);
  c.metric("tasks_count", double(work->tasks));
  c.verify([work] { return Verified{work->counter.holds(work->wanted), work->wanted}; });
  c.measure_counts([work](Counts& counts) {
    work->run();
    counts.set("waits_count", double(work->counts.waits));
    counts.set("enqueues_count", double(work->counts.enqueues));
  });
}

void derive_increments(const Results& results, Derived& derived) {
  std::vector<TaskRun> fitted, predicted;
  std::vector<const Series*> used;
  bool odd = false;
  for (const Series* each : results.find("increments", {}, "wait_each")) {
    const std::string& size = each->axis("increments_per_task");
    const Series* once = results.only("increments", {{"increments_per_task", size}}, "wait_once");
    if (!reason_for_none(each).empty() || !reason_for_none(once).empty()) continue;
    const std::vector<double> tasks = each->metric("tasks_count");
    if (tasks.empty()) continue;
    // Every other size, so that the sizes to be predicted lie between fitted ones.
    (odd ? predicted : fitted)
        .push_back({.tasks = tasks.front(),
                    .increments = std::stod(size),
                    .wait_each_ns = each->finish_ns().median,
                    .wait_once_ns = once->finish_ns().median,
                    .submit_ns = median(once->clock("submit"))});
    used.insert(used.end(), {each, once});
    odd = !odd;
  }
  const auto add = [&](const char* metric, const char* unit, double value) {
    derived.add({.metric = metric, .unit = unit, .value = value, .n = int(used.size()), .used = used});
  };
  if (fitted.size() < 2) {
    for (const char* metric : {"t1_submit_ns", "t2_fixed_ns", "t2_per_increment_ns", "t3_notify_ns"})
      derived.missing(metric, "ns", "too_few_sizes");
    for (const char* metric : {"model_sync_relerr", "model_async_relerr"})
      derived.missing(metric, "share", "too_few_sizes");
    return;
  }
  const TaskModel model = fit(fitted);
  add("t1_submit_ns", "ns", model.submit_ns);
  add("t2_fixed_ns", "ns", model.fixed_ns);
  add("t2_per_increment_ns", "ns", model.per_increment_ns);
  add("t3_notify_ns", "ns", model.notify_ns);
  const ModelErrors missed = errors(model, predicted);
  add("model_sync_relerr", "share", missed.wait_each);
  add("model_async_relerr", "share", missed.wait_once);
}

}  // namespace perflab::waiting

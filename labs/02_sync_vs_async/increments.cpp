// Many increments of a small vector, with a wait after each or one for all: what a wait costs, by length of
// the task.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/units.h"
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
  c.one_call_per_sample();  // one drain per call: batched calls would share it
  c.metric("tasks_count", double(work->tasks));
  c.verify([work] { return Verified{work->counter.holds(work->wanted), work->wanted}; });
  c.measure_counts([work](Counts& counts) {
    work->run();
    counts.set("waits_count", double(work->counts.waits));
    counts.set("enqueues_count", double(work->counts.enqueues));
  });
}

namespace {

// One size as the model wants it; nothing where a variant is missing or its blocks differ.
std::optional<TaskBlocks> blocks_of(const Series* each, const Series* once) {
  if (!reason_for_none(each).empty() || !reason_for_none(once).empty()) return std::nullopt;
  const std::vector<double> tasks = each->metric("tasks_count");
  TaskBlocks blocks{.tasks = tasks.empty() ? 0 : tasks.front(),
                    .increments = parse_number(each->axis("increments_per_task")),
                    .wait_each_ns = each->clock("finish"),
                    .wait_once_ns = once->clock("finish"),
                    .submit_ns = once->clock("submit")};
  // An invalid sample has left its block out of one of them: the last blocks of the others go too.
  const std::size_t n =
      std::min({blocks.wait_each_ns.size(), blocks.wait_once_ns.size(), blocks.submit_ns.size()});
  for (auto* values : {&blocks.wait_each_ns, &blocks.wait_once_ns, &blocks.submit_ns}) values->resize(n);
  if (tasks.empty() || n == 0) return std::nullopt;
  return blocks;
}

void add_model(Derived& derived, std::span<const TaskBlocks> fitted, const TaskModel& model,
               const std::vector<const Series*>& used) {
  const ModelInterval interval = bootstrap_fit(fitted, 1);
  for (const auto& [metric, number] : {std::pair{"t1_submit_ns", &TaskModel::submit_ns},
                                       {"t2_fixed_ns", &TaskModel::fixed_ns},
                                       {"t2_per_increment_ns", &TaskModel::per_increment_ns},
                                       {"t3_notify_ns", &TaskModel::notify_ns}})
    derived.add({.metric = metric,
                 .unit = "ns",
                 .value = model.*number,
                 .interval = Interval{interval.lo.*number, interval.hi.*number, 0.95},
                 .n = int(used.size()),
                 .used = used});
}

// fitted_wait_each_at_1_ns, predicted_wait_once_at_300_ns ...: totals, to be drawn beside what was measured.
void add_totals(Derived& derived, const char* how, const TaskModel& model, const TaskBlocks& size,
                const std::vector<const Series*>& used) {
  const auto add = [&](const char* what, double ns) {
    derived.add({.metric = fmt::format("{}_{}_at_{:.0f}_ns", how, what, size.increments),
                 .unit = "ns",
                 .value = ns,
                 .n = int(used.size()),
                 .evidence = "modelled",
                 .used = used});
  };
  add("wait_each", model.wait_each_ns(size.tasks, size.increments));
  add("wait_once", model.wait_once_ns(size.tasks, size.increments));
}

}  // namespace

void derive_increments(const Results& results, Derived& derived) {
  std::vector<TaskBlocks> sizes;
  std::vector<const Series*> used;
  for (const Series* each : results.find("increments", {}, "wait_each")) {
    const Series* once =
        results.only("increments", {{"increments_per_task", each->axis("increments_per_task")}}, "wait_once");
    auto blocks = blocks_of(each, once);
    if (!blocks) continue;
    sizes.push_back(std::move(*blocks));
    used.insert(used.end(), {each, once});
  }
  std::sort(sizes.begin(), sizes.end(),
            [](const TaskBlocks& a, const TaskBlocks& b) { return a.increments < b.increments; });
  // Every other size is fitted, so that the sizes to be predicted lie between fitted ones.
  std::vector<TaskBlocks> fitted;
  std::vector<TaskRun> medians, predicted;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    (i % 2 == 0 ? medians : predicted).push_back(sizes[i].medians());
    if (i % 2 == 0) fitted.push_back(sizes[i]);
  }
  if (fitted.size() < 2) {
    for (const char* metric : {"t1_submit_ns", "t2_fixed_ns", "t2_per_increment_ns", "t3_notify_ns"})
      derived.missing(metric, "ns", "too_few_sizes");
    for (const char* metric : {"model_sync_relerr", "model_async_relerr"})
      derived.missing(metric, "share", "too_few_sizes");
    return;
  }
  const TaskModel model = fit(medians);
  add_model(derived, fitted, model, used);
  const ModelErrors missed = errors(model, predicted);
  const int n = int(used.size());
  derived.add(
      {.metric = "model_sync_relerr", .unit = "share", .value = missed.wait_each, .n = n, .used = used});
  derived.add(
      {.metric = "model_async_relerr", .unit = "share", .value = missed.wait_once, .n = n, .used = used});
  for (std::size_t i = 0; i < sizes.size(); ++i)
    add_totals(derived, i % 2 == 0 ? "fitted" : "predicted", model, sizes[i], used);
}

}  // namespace perflab::waiting

#include "model.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace perflab::waiting {

double TaskModel::wait_each_ns(double tasks, double increments) const {
  return tasks * (submit_ns + execute_ns(increments) + notify_ns);
}

double TaskModel::wait_once_ns(double tasks, double increments) const {
  const double execute = execute_ns(increments);
  const bool device_is_slower = tasks * execute > (tasks - 1) * submit_ns;
  return notify_ns + (device_is_slower ? submit_ns + tasks * execute : tasks * submit_ns + execute);
}

TaskModel fit(std::span<const TaskRun> runs) {
  PL_CHECK(runs.size() >= 2, "task model: {} sizes; want at least two to tell fixed cost from length",
           runs.size());
  const TaskRun &shortest = runs.front(), &longest = runs.back();
  TaskModel model;
  model.submit_ns = shortest.submit_ns / shortest.tasks;
  // Long tasks keep the device busy all the time, so their pace is t2.
  const double pace_short = shortest.wait_once_ns / shortest.tasks,
               pace_long = longest.wait_once_ns / longest.tasks;
  model.per_increment_ns =
      std::max(0.0, (pace_long - pace_short) / (longest.increments - shortest.increments));
  // Where submission sets the pace, the fixed part of t2 hides below it and cannot be seen: then it counts as
  // none.
  const bool device_is_slower = pace_short > 1.05 * model.submit_ns;
  if (device_is_slower)
    model.fixed_ns = std::max(0.0, pace_short - model.per_increment_ns * shortest.increments);
  model.notify_ns = std::max(
      0.0, shortest.wait_each_ns / shortest.tasks - model.submit_ns - model.execute_ns(shortest.increments));
  return model;
}

ModelErrors errors(const TaskModel& model, std::span<const TaskRun> runs) {
  ModelErrors worst;
  for (const TaskRun& run : runs) {
    const double each = model.wait_each_ns(run.tasks, run.increments) / run.wait_each_ns;
    const double once = model.wait_once_ns(run.tasks, run.increments) / run.wait_once_ns;
    worst.wait_each = std::max(worst.wait_each, std::fabs(each - 1));
    worst.wait_once = std::max(worst.wait_once, std::fabs(once - 1));
  }
  return worst;
}

}  // namespace perflab::waiting

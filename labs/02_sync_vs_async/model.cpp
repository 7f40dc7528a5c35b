#include "model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "base/random.h"
#include "bench/statistics.h"

namespace perflab::waiting {

double TaskModel::wait_each_ns(double tasks, double increments) const {
  return tasks * (submit_ns + execute_ns(increments) + notify_ns);
}

double TaskModel::wait_once_ns(double tasks, double increments) const {
  const double execute = execute_ns(increments);
  const bool device_is_slower = tasks * execute > (tasks - 1) * submit_ns;
  return notify_ns + (device_is_slower ? submit_ns + tasks * execute : tasks * submit_ns + execute);
}

namespace {

constexpr std::size_t unknowns = 4;  // submit, fixed, per increment, notify
using Row = std::array<double, unknowns>;

// Equations of relative errors: each row is divided by what was measured, so that all of them want 1.
class Equations {
 public:
  void add(Row row, double measured) {
    for (double& one : row) one /= measured;
    rows_.push_back(row);
  }

  // Least squares by the normal equations; an unknown that would be negative is left out and is 0.
  Row solve() const {
    std::array<bool, unknowns> in{true, true, true, true};
    for (;;) {
      const Row found = solve(in);
      const auto least = std::min_element(found.begin(), found.end());
      if (*least >= 0) return found;
      in[std::size_t(least - found.begin())] = false;
    }
  }

 private:
  Row solve(const std::array<bool, unknowns>& in) const {
    std::array<std::array<double, unknowns + 1>, unknowns> a{};
    for (std::size_t i = 0; i < unknowns; ++i) {
      if (!in[i]) {
        a[i][i] = 1;
        continue;
      }
      for (const Row& row : rows_) {
        for (std::size_t k = 0; k < unknowns; ++k) a[i][k] += in[k] ? row[i] * row[k] : 0;
        a[i][unknowns] += row[i];
      }
    }
    return eliminate(a);
  }
  // Gauss, with the largest pivot of each column; a column without any leaves its unknown at 0.
  static Row eliminate(std::array<std::array<double, unknowns + 1>, unknowns> a) {
    for (std::size_t i = 0; i < unknowns; ++i) {
      std::size_t pivot = i;
      for (std::size_t k = i + 1; k < unknowns; ++k)
        if (std::fabs(a[k][i]) > std::fabs(a[pivot][i])) pivot = k;
      std::swap(a[i], a[pivot]);
      if (a[i][i] == 0) continue;
      for (std::size_t k = 0; k < unknowns; ++k) {
        if (k == i) continue;
        const double factor = a[k][i] / a[i][i];
        for (std::size_t m = i; m <= unknowns; ++m) a[k][m] -= factor * a[i][m];
      }
    }
    Row found{};
    for (std::size_t i = 0; i < unknowns; ++i) found[i] = a[i][i] == 0 ? 0 : a[i][unknowns] / a[i][i];
    return found;
  }

  std::vector<Row> rows_;
};

}  // namespace

TaskModel fit(std::span<const TaskRun> runs) {
  PL_CHECK(runs.size() >= 2, "task model: {} sizes; want at least two to tell fixed cost from length",
           runs.size());
  // Which of the two sets the pace of a size is seen: its tasks take longer than handing them over, or not.
  Equations equations;
  for (const TaskRun& run : runs) {
    const double n = run.tasks, x = run.increments;
    equations.add({n, 0, 0, 0}, run.submit_ns);
    equations.add({n, n, n * x, n}, run.wait_each_ns);
    // The last report is in the total too: about what a wait after each task adds to the slower of the two.
    const double notify = (run.wait_each_ns - run.wait_once_ns) / n;
    const bool device_is_slower = run.wait_once_ns - notify > 1.05 * run.submit_ns;
    if (device_is_slower) equations.add({1, n, n * x, 1}, run.wait_once_ns);
    else equations.add({n, 1, x, 1}, run.wait_once_ns);
  }
  const Row found = equations.solve();
  return {.submit_ns = found[0], .fixed_ns = found[1], .per_increment_ns = found[2], .notify_ns = found[3]};
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

TaskRun TaskBlocks::medians() const {
  return {.tasks = tasks,
          .increments = increments,
          .wait_each_ns = median(wait_each_ns),
          .wait_once_ns = median(wait_once_ns),
          .submit_ns = median(submit_ns)};
}

ModelInterval bootstrap_fit(std::span<const TaskBlocks> sizes, std::uint64_t seed, int resamples) {
  PL_CHECK(resamples >= 40, "task model: {} resamples; want at least 40 for a 95 % interval", resamples);
  const Random random(seed);
  std::uint64_t draws = 0;
  constexpr std::array numbers = {&TaskModel::submit_ns, &TaskModel::fixed_ns, &TaskModel::per_increment_ns,
                                  &TaskModel::notify_ns};
  std::array<std::vector<double>, numbers.size()> found;
  for (int k = 0; k < resamples; ++k) {
    std::vector<TaskRun> runs;
    for (const TaskBlocks& size : sizes) {
      const std::size_t blocks = size.wait_each_ns.size();
      PL_CHECK(blocks > 0 && size.wait_once_ns.size() == blocks && size.submit_ns.size() == blocks,
               "task model: {} blocks of one clock; want one or more, the same of all", blocks);
      TaskBlocks drawn{.tasks = size.tasks, .increments = size.increments};
      for (std::size_t i = 0; i < blocks; ++i) {
        const std::size_t block = random.below(draws++, blocks);
        drawn.wait_each_ns.push_back(size.wait_each_ns[block]);
        drawn.wait_once_ns.push_back(size.wait_once_ns[block]);
        drawn.submit_ns.push_back(size.submit_ns[block]);
      }
      runs.push_back(drawn.medians());
    }
    const TaskModel model = fit(runs);
    for (std::size_t i = 0; i < numbers.size(); ++i) found[i].push_back(model.*numbers[i]);
  }
  ModelInterval interval;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    interval.lo.*numbers[i] = quantile_nearest_rank(found[i], 0.025);
    interval.hi.*numbers[i] = quantile_nearest_rank(found[i], 0.975);
  }
  return interval;
}

}  // namespace perflab::waiting

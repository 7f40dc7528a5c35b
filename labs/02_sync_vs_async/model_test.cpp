#include "model.h"

#include <gtest/gtest.h>

#include <vector>

#include "bench/testing.h"

namespace perflab::waiting {
namespace {

std::vector<TaskRun> runs_of(const TaskModel& truth, const std::vector<double>& increments) {
  std::vector<TaskRun> runs;
  for (const double length : increments) {
    const double tasks = 1000;
    runs.push_back({.tasks = tasks,
                    .increments = length,
                    .wait_each_ns = truth.wait_each_ns(tasks, length),
                    .wait_once_ns = truth.wait_once_ns(tasks, length),
                    .submit_ns = tasks * truth.submit_ns});
  }
  return runs;
}

}  // namespace

TEST(TaskModel, IsTheBooksFormulaOnBothSidesOfItsCondition) {
  const TaskModel model{.submit_ns = 10, .fixed_ns = 0, .per_increment_ns = 1, .notify_ns = 100};
  EXPECT_DOUBLE_EQ(model.wait_each_ns(4, 20), 4 * (10 + 20 + 100));
  EXPECT_DOUBLE_EQ(model.wait_once_ns(4, 20), 10 + 4 * 20 + 100);        // the device sets the pace
  EXPECT_DOUBLE_EQ(model.wait_once_ns(4, 5), 4 * 10 + 5 + 100);          // submission does
  EXPECT_DOUBLE_EQ(model.wait_once_ns(1, 5), model.wait_each_ns(1, 5));  // one task overlaps nothing
}

TEST(TaskModel, FitsHalfOfTheSizesAndPredictsTheOthers) {
  for (const double fixed : {0.0, 150.0}) {
    const TaskModel truth{.submit_ns = 80, .fixed_ns = fixed, .per_increment_ns = 3, .notify_ns = 9000};
    const TaskModel fitted = fit(runs_of(truth, {1, 3000, 300'000}));
    EXPECT_NEAR(fitted.submit_ns, truth.submit_ns, 1e-6);
    EXPECT_NEAR(fitted.per_increment_ns, truth.per_increment_ns, 0.001);
    const ModelErrors missed = errors(fitted, runs_of(truth, {300, 30'000}));
    EXPECT_LT(missed.wait_each, 0.02);
    EXPECT_LT(missed.wait_once, 0.1);
  }
}

TEST(TaskModel, TakesTheMiddleOfNoisySizesAndNotTheOutermost) {
  const TaskModel truth{.submit_ns = 80, .fixed_ns = 0, .per_increment_ns = 3, .notify_ns = 9000};
  std::vector<TaskRun> runs = runs_of(truth, {1, 10, 100, 1000, 10'000, 100'000});
  runs.front().submit_ns *= 1.3;  // one size of six is off
  EXPECT_NEAR(fit(runs).submit_ns, truth.submit_ns, 0.1 * truth.submit_ns);
}

TEST(TaskModel, NeverGivesANegativeTime) {
  TaskRun quick{
      .tasks = 100, .increments = 1, .wait_each_ns = 9000, .wait_once_ns = 10'000, .submit_ns = 9500};
  TaskRun slow = quick;
  slow.increments = 100;
  slow.wait_each_ns = slow.wait_once_ns = 8000;
  const std::vector<TaskRun> runs{quick, slow};
  const TaskModel model = fit(runs);
  for (const double ns : {model.submit_ns, model.fixed_ns, model.per_increment_ns, model.notify_ns})
    EXPECT_GE(ns, 0);
}

TEST(TaskModel, ItsIntervalsHoldTheTruthAndWidenWithTheNoise) {
  const TaskModel truth{.submit_ns = 80, .fixed_ns = 150, .per_increment_ns = 3, .notify_ns = 9000};
  const auto interval = [&](double relative) {
    std::vector<TaskBlocks> sizes;
    for (const TaskRun& run : runs_of(truth, {1, 3000, 300'000}))
      sizes.push_back({run.tasks, run.increments, noisy(run.wait_each_ns, relative, 30, 1),
                       noisy(run.wait_once_ns, relative, 30, 2), noisy(run.submit_ns, relative, 30, 3)});
    return bootstrap_fit(sizes, 1);
  };
  const ModelInterval narrow = interval(0.002), wide = interval(0.02);
  for (double TaskModel::*number :
       {&TaskModel::submit_ns, &TaskModel::per_increment_ns, &TaskModel::notify_ns}) {
    EXPECT_LT(wide.lo.*number, truth.*number * 1.01);
    EXPECT_GT(wide.hi.*number, truth.*number * 0.99);
    EXPECT_GT(wide.hi.*number - wide.lo.*number, 2 * (narrow.hi.*number - narrow.lo.*number));
  }
  EXPECT_THROW(bootstrap_fit(std::vector<TaskBlocks>{{1, 1, {}, {}, {}}}, 1), std::exception);
}

TEST(TaskModel, SaysHowFarOffItIsWhereTasksDoNotFollowIt) {
  const TaskModel truth{.submit_ns = 80, .fixed_ns = 150, .per_increment_ns = 3, .notify_ns = 9000};
  std::vector<TaskRun> others = runs_of(truth, {300, 30'000});
  others[1].wait_each_ns *= 2;
  others[0].wait_once_ns /= 4;
  const ModelErrors missed = errors(fit(runs_of(truth, {1, 3000, 300'000})), others);
  EXPECT_NEAR(missed.wait_each, 0.5, 0.02);
  EXPECT_GT(missed.wait_once, 2.5);
}

TEST(TaskModel, NeedsTwoSizes) {
  const TaskModel truth{.submit_ns = 80, .fixed_ns = 0, .per_increment_ns = 3, .notify_ns = 9000};
  EXPECT_THROW(fit(runs_of(truth, {1})), std::exception);
}

}  // namespace perflab::waiting

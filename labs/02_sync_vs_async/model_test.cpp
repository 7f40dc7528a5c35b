#include "model.h"

#include <gtest/gtest.h>

#include <vector>

namespace perflab::waiting {
namespace {

std::vector<TaskRun> runs_of(const TaskModel& truth, const std::vector<double>& increments) {
  std::vector<TaskRun> runs;
  for (const double length : increments) {
    const double tasks = 1000;
    const double execute = truth.execute_ns(length);
    const double pace = std::max(truth.submit_ns, execute);
    runs.push_back({.tasks = tasks,
                    .increments = length,
                    .wait_each_ns = tasks * (truth.submit_ns + execute + truth.notify_ns),
                    .wait_once_ns = truth.submit_ns + tasks * pace + truth.notify_ns,
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

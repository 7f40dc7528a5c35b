#pragma once
// Model — what N tasks in a queue cost: submit t1, execute t2, notify t3. Pure functions.
//
// With a wait after each task the three follow each other: N (t1 + t2 + t3). With one wait at the end,
// submission of the next task overlaps execution of this one, so the slower of the two sets the pace: t1 + N
// t2 + t3 while the device is the slower one, else N t1 + t2 + t3. A task's t2 is a fixed part plus so much
// per increment.

#include <cstdint>
#include <span>

namespace perflab::waiting {

// Medians of one size, in ns for all tasks together.
struct TaskRun {
  double tasks, increments;                      // increments per task
  double wait_each_ns, wait_once_ns, submit_ns;  // submit: of wait_once
};

struct TaskModel {
  double submit_ns = 0, fixed_ns = 0, per_increment_ns = 0, notify_ns = 0;

  double execute_ns(double increments) const { return fixed_ns + per_increment_ns * increments; }
  double wait_each_ns(double tasks, double increments) const;
  double wait_once_ns(double tasks, double increments) const;
};

// From two or more sizes, ascending; Error(check) for fewer.
TaskModel fit(std::span<const TaskRun> runs);

struct ModelErrors {
  double wait_each = 0, wait_once = 0;  // largest |predicted / measured - 1|
};
ModelErrors errors(const TaskModel& model, std::span<const TaskRun> runs);

}  // namespace perflab::waiting

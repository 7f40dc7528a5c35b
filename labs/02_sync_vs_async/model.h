#pragma once
// Model — what N tasks in a queue cost: submit t1, execute t2, notify t3. Pure functions.
//
// With a wait after each task the three follow each other: N (t1 + t2 + t3). With one wait at the end,
// submission of the next task overlaps execution of this one, so the slower of the two sets the pace: t1 + N
// t2 + t3 while the device is the slower one, else N t1 + t2 + t3. A task's t2 is a fixed part plus so much
// per increment.

#include <cstdint>
#include <span>
#include <vector>

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

// Least squares on relative errors of all three medians of every size, so that no length and no clock
// outweighs the others; no time comes out negative. From two or more sizes; Error(check) for fewer.
TaskModel fit(std::span<const TaskRun> runs);

struct ModelErrors {
  double wait_each = 0, wait_once = 0;  // largest |predicted / measured - 1|
};
ModelErrors errors(const TaskModel& model, std::span<const TaskRun> runs);

// One size with every block's totals in ns, the same blocks in all three.
struct TaskBlocks {
  double tasks, increments;
  std::vector<double> wait_each_ns{}, wait_once_ns{}, submit_ns{};

  TaskRun medians() const;
};

// 95 % percentile interval of each of the model's numbers, over fits to resampled blocks; the same for the
// same seed. Error(check) for a size without blocks.
struct ModelInterval {
  TaskModel lo, hi;
};
ModelInterval bootstrap_fit(std::span<const TaskBlocks> sizes, std::uint64_t seed, int resamples = 400);

}  // namespace perflab::waiting

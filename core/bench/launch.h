#pragma once
// launch — one launch of a lab: measures a plan and appends to the lab's samples.csv.part and cases.csv.part.
//
// Nothing is judged here. Complete blocks reach the file before the next block starts, so a crash, a full
// disk or Ctrl-C loses at most the block in progress.

#include <deque>
#include <filesystem>
#include <string>

#include "base/clock.h"
#include "bench/plan.h"
#include "bench/probe.h"
#include "bench/profile.h"

namespace perflab {

struct LaunchRequest {
  std::string run_id, lab_id;
  std::filesystem::path lab_folder;  // results/<run_id>/<lab_id>, exists
  Profile profile;
  PlanRequest plan;
  std::string device = "cpu:0";
  std::uint64_t seed = 0;
  int fault = 0;  // counted over the lab
  int invocation = 0;
  bool resume = false;  // skip the points this invocation finished before
  bool terminal = false;
};

struct LaunchTools {
  Clock& clock;
  Probe& probe;
  std::function<bool()> interrupted;
};

// Exit code of measuring: 0, 1 (wrong result or a body's error), 3 (a case without a valid sample), 77 (every
// case was skipped), 130 (interrupted). The .part files stay; the caller finishes them.
int launch(const std::deque<Experiment>& experiments, const LaunchRequest& request, const LaunchTools& tools);

// Gives samples.csv.part and cases.csv.part their final names. No .part: nothing to do.
void finish_records(const std::filesystem::path& lab_folder);

}  // namespace perflab

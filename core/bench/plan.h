#pragma once
// Plan — which points of which experiments a launch will measure: profile, overrides and --experiment
// applied.

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "bench/experiment.h"
#include "bench/profile.h"

namespace perflab {

// Does a user's word mean this lab? "04_hardware", "hardware", "4", "04", or a glob on either name.
bool names_lab(const std::string& word, const std::string& lab_id);

struct PlannedPoint {
  const Experiment* experiment;
  Point point;
  bool with_aa;  // a comparison: always; a sweep: at its first point only
};

struct PlanRequest {
  std::string lab_id;
  std::vector<std::string> experiments;                               // empty: all that are not hidden
  std::vector<std::pair<std::string, std::vector<std::string>>> set;  // axis -> values, as typed
};

// Error(usage) for an experiment, axis or text value that does not exist, naming the nearest ones.
std::vector<PlannedPoint> make_plan(const std::deque<Experiment>& experiments, const Profile& profile,
                                    const PlanRequest& request);

// Axes of --set that no experiment of the plan has: the lab knows them, and here they change nothing.
std::vector<std::string> idle_axes(const std::vector<PlannedPoint>& plan, const PlanRequest& request);

// "axis=v1,v2" -> {axis, {v1, v2}}; Error(usage) otherwise.
std::pair<std::string, std::vector<std::string>> parse_set(std::string_view text);

// --fault counts over the whole lab; returns the experiment it belongs to and its number there.
struct FaultChoice {
  const Experiment* experiment = nullptr;
  int number = 0;  // within the experiment, from 1; 0 = none
};
FaultChoice choose_fault(const std::deque<Experiment>& experiments, int fault);

}  // namespace perflab

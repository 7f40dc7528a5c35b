#pragma once
// Comparison — what two stored runs say about each other: every (lab, case, variant) that both have, with the
// ratio B/A of its finish times, and everything about the two runs that differs. Pure functions of the files.
//
// Two runs are not interleaved: a ratio between them also compares two moments of the machine. So a case that
// its own run calls unfit decides nothing, and nothing at all is decided between two machines.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/json.h"
#include "bench/run.h"
#include "bench/sample.h"
#include "bench/statistics.h"

namespace perflab {

inline constexpr double default_slower_than = 1.05;

struct ComparedLab {
  std::string lab_id;
  std::vector<Sample> samples;
  std::vector<CaseRow> cases;
  std::map<std::string, std::string> verdicts;  // claim -> "CONTRADICTED (opposite)"
  // (case, variant) -> why the run's own judge calls it failed: implausible, wrong_memory_level ...
  std::map<std::pair<std::string, std::string>, std::string> refused{};
};

struct ComparedRun {
  std::string id, status;  // status as Run::status() gives it
  Json manifest, environment;
  std::vector<ComparedLab> labs;
};
// Error(usage) while it is being measured, Error(data) for files that were changed or cannot be read.
ComparedRun read_compared_run(const Run& run);

enum class Change { slower, faster, same, undecided };

struct ComparedCase {
  std::string lab_id, case_id, variant;
  double a_ns = 0, b_ns = 0;  // medians of the finish times
  Estimate ratio;             // b / a
  int n_a = 0, n_b = 0;       // valid samples
  std::string unit;           // of the interval: blocks | launches | batches
  Change change = Change::undecided;
  std::string reason;  // of undecided: snake_case, with the run that it concerns
};

struct Difference {
  std::string what, a, b;  // "" = unknown
};

struct Comparison {
  std::vector<ComparedCase> cases;                            // most surprising first
  std::vector<std::string> only_a, only_b;                    // "lab/case variant"
  std::vector<std::pair<std::string, std::string>> left_out;  // "lab/case variant", why it is not compared
  int empty_in_both = 0;            // cases without a number on either side, for one reason
  std::vector<Difference> machine;  // not empty: another machine
  std::vector<Difference> others;   // versions, builds, settings, claims
  std::vector<Difference> verdicts;
  int verdicts_same = 0, verdicts_one_sided = 0;
  std::vector<std::string> notes;  // sentences
  double level = 0.95;             // asked of each case's interval, so that all of them together hold at 95 %
  double slower_than = default_slower_than;
  double believable = 0;  // the smallest ratio that the A/A copies of both runs leave believable; 0 = unknown
  bool one_machine = true;

  int count(Change change) const;
  double joint_level()
      const;                // at which all intervals that decide hold together; few values may not reach 0.95
  int undecidable() const;  // undecided for a reason, and not only because the interval is wide
  // 0 nothing is slower, 1 something is, 3 the question cannot be answered.
  int exit_code() const;
  std::string verdict() const;  // the sentence that belongs to exit_code()
};

Comparison compare_runs(const ComparedRun& a, const ComparedRun& b, double slower_than = default_slower_than);

// The word for an interval: wholly above `slower_than`, wholly below its inverse, wholly between, or neither.
Change change_of(const Estimate& ratio, double slower_than);
std::string_view word_of(Change change);

std::vector<std::string> comparison_header();
std::vector<std::string> comparison_fields(const ComparedCase& one);

}  // namespace perflab

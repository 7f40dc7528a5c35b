#pragma once
// The judge's parts: the evidence of one lab's run, gathered once, and the questions that summary rows and
// observations both ask of it. Internal to core/bench.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/judge.h"
#include "bench/load.h"
#include "bench/results.h"

namespace perflab {

constexpr double most_invalid = 0.1, most_unstable_clock = 0.01, most_drift_pct = 5;

// One launch of a run by itself: three or more must agree.
struct Launch {
  Launch(const JudgeInput& input, const std::deque<Experiment>& experiments, int invocation);
  Results results;
  std::map<std::string, Derived> derived;
};

// Everything computed once from a JudgeInput.
struct Evidence {
  Evidence(const JudgeInput& judge_input, const std::deque<Experiment>& lab_experiments);
  Evidence(const Evidence&) = delete;

  const JudgeInput& input;
  const std::deque<Experiment>& experiments;
  Results results;
  Ceilings ceilings;                                 // with what this run's own ceiling experiments raised
  std::map<std::string, Derived> derived;            // experiment -> rows; of experiments that ran
  std::vector<std::unique_ptr<Launch>> each_launch;  // where there are three or more
  std::vector<int> launches;                         // invocations seen, ascending
  int fault = 0;
  std::string profile;
  bool decides = true;
  double unstable_clock_share = 0;  // of all timed samples

  const Experiment* experiment(const std::string& name) const;  // nullptr if the lab has none of this name
  bool defines_ceilings(const std::string& experiment) const;
};
std::map<std::string, Derived> derive_all(const Results& results, const std::deque<Experiment>& experiments);

// ---- one series ----
const Series* baseline_of(const Evidence& evidence, const Series& series);  // nullptr for the baseline itself
// The A/A copy beside it; a sweep's points share the one copy of their experiment. nullptr: there is none.
const Series* control_of(const Evidence& evidence, const Series& series);
std::optional<BlockEstimate> control_ratio(const Evidence& evidence, const Series& series,
                                           std::string_view metric, double level = 0.95);
// 0.95, or 1 - 0.05/m where m variants share a baseline.
double comparison_level(const Evidence& evidence, const Series& series);
double invalid_share(const Series& series);
bool is_disturbed(
    const Series& series);  // other processes kept more of the processors busy than most_others_share
// Median over the A/A copies of the smallest ratio each could have separated from 1; 0 = unknown.
double separates_above_ratio(const Evidence& evidence);
bool is_steady(const Series& series);  // of every launch; a profile that fixes its warm-up counts as steady
bool is_wrong(const Series& series);   // a gate failed, or a result read back later differed
bool needs_software(const Claim& claim);
// Our own engine in another's place. That what a claim needs is installed does not make these numbers its: a
// framework's never, a GPU's only where the engine ran on one.
bool any_stands_in(const std::vector<const Series*>& used, const Claim& claim);
bool ratio_excludes_one(const Estimate& ratio);

// ---- plausibility (plausible.cpp) ----
struct Bounds {
  std::optional<double> ceiling;  // GB/s or GFLOP/s; none: the gate is UNKNOWN
  std::string unit;               // GBps | GFLOPS, empty: the case declares no bound
  std::string reason;             // "" | implausible | wrong_memory_level
};
Bounds bounds_of(const Evidence& evidence, const Series& series);
// A working set too small for DRAM, or too large for the cache it was declared to be in.
bool at_wrong_level(const CaseRow& row, const std::vector<CacheLevel>& caches);

// ---- summary.cpp, observe.cpp, surprise.cpp ----
std::vector<std::string> summary_header(const Evidence& evidence);
std::vector<std::vector<std::string>> summary_rows(const Evidence& evidence);
Observation observe(const Evidence& evidence, const Claim& claim);
// The claim as it is to be judged here: a subject that names a replacement does not apply where the hardware
// is.
Claim claim_here(const Evidence& evidence, const Claim& claim);
// Fills the judgement's predictions, and the predicted columns of its summary.
void judge_predictions(const Evidence& evidence, Judgement& judgement);
void rank_by_surprise(std::vector<VerdictRow>& rows);

}  // namespace perflab

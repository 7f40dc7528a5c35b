#pragma once
// Judge — from the raw files of one lab's run to summary.csv, verdicts.csv and, where something was asked,
// predictions.csv. A pure function of samples.csv, cases.csv, claims.csv, ceilings.csv, questions.csv,
// predictions.json and the cache sizes in env.json, so that a stored run can be judged again and must give
// the same bytes.

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/calibration.h"
#include "bench/ceilings.h"
#include "bench/claims.h"
#include "bench/experiment.h"
#include "bench/sample.h"
#include "bench/verdict.h"
#include "device/topology.h"

namespace perflab {

// The summary row, without experiment and case, that says how small a difference this run could separate.
inline constexpr const char* separates_above_metric = "separates_above_ratio";

// status_reason of a row with a sample faster than the fastest this machine was ever seen.
inline constexpr const char* implausible_reason = "implausible";

struct JudgeInput {
  std::string run_id, lab_id;
  std::vector<Sample> samples;
  std::vector<CaseRow> cases;
  std::vector<Claim> claims;
  std::vector<Question> questions;
  std::vector<Prediction> predictions;  // of this lab; a question without one was not asked
  Ceilings ceilings;
  std::vector<CacheLevel> caches;     // of the machine that measured; empty: declared levels are not checked
  std::vector<std::string> hardware;  // what else is known to be there, in the words of needs_hw: "mem:ddr4"
  bool partial = false;               // samples end early: interrupted, or a file cut short
  std::string incomplete;             // a finished file lacks planned cases: the sentence that names them
};

struct VerdictRow {
  Claim claim;  // first part; quantity, figure and band of the deciding part
  Observation seen;
  Decision decision;
  int surprise_rank = 0;  // 1 = most surprising: where the verdict differs from what the article says
};

struct Judgement {
  std::vector<std::string> summary_header;
  std::vector<std::vector<std::string>> summary;  // rows under summary_header
  std::vector<VerdictRow> verdicts;               // one per claim, in the registry's order
  std::vector<PredictionRow> predictions;         // one per question that was asked, in their order
  bool wrong_result = false;                      // exit 1
  bool implausible = false;                       // exit 1
  bool no_valid_samples = false;                  // exit 3
  // "Today this machine separates differences above x": median of the A/A copies' MDE; 0 unknown.
  double separates_above_ratio = 0;
  Ceilings ceilings;  // the input's, raised by this run
};

Judgement judge(const JudgeInput& input, const std::deque<Experiment>& experiments);
// Raises ceilings by the valid samples of experiments that define them, unless a fault was planted. A case
// whose working set does not fit its declared level raises nothing; a run on a busy machine raises only what
// is known already.
void raise_ceilings(Ceilings& ceilings, const JudgeInput& input, const std::deque<Experiment>& experiments);

const std::vector<std::string>& verdicts_header();
std::vector<std::string> verdict_fields(const VerdictRow& row, const std::string& run_id,
                                        const std::string& lab_id);

// Everything that judge() needs, read from DIR (a lab's folder of a run) and the run's folder above it.
JudgeInput read_judge_input(const std::filesystem::path& lab_folder);
// Reads DIR, judges, writes summary.csv and verdicts.csv there (predictions.csv and calibration.csv where
// something was asked) and the raised ceilings.csv above it; returns the exit code.
int judge_folder(const std::filesystem::path& lab_folder, const std::deque<Experiment>& experiments);

}  // namespace perflab

#pragma once
// Sample, CaseRow — what one timed group of calls and one prepared case leave behind: the rows of samples.csv
// and cases.csv.
//
// results/README.md describes every column. Times are integers in nanoseconds; *_ns clocks of a sample are
// per iteration. Value types without invariants: the readers and writers of record_csv.h keep them lossless.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/cost.h"
#include "bench/axis.h"

namespace perflab {

inline constexpr int schema_version = 1;
inline constexpr const char* aa_variant = "aa";  // the A/A copy of the baseline

enum class Phase { first, warmup, timed };

struct Sample {
  std::string experiment, case_id, variant;
  std::map<std::string, std::string> axes;  // p_ columns, as text
  std::string device, evidence, link;
  bool logical = false;
  int fault = 0;
  Phase phase = Phase::timed;
  int invocation = 0, block = 0, order_in_block = 0, sample = 0;  // sample > 0: a re-take within its block
  std::int64_t inner_iters = 1;
  std::int64_t t_start_ns = 0;                                         // since run start
  std::optional<double> submit_ns, finish_ns, verified_ns, device_ns;  // per iteration
  std::optional<double> proc_cpu_ns_per_iter;
  std::optional<int> threads_seen;
  std::map<std::string, double> metrics;  // m_ columns
  std::optional<double> cpu_mhz, temp_c;
  std::optional<std::int64_t> cfs_throttled_delta, core_throttle_delta, invol_ctx_switches, major_faults;
  std::string checksum;  // 16 hex digits, empty when there is no output
  bool valid = true;
  std::string invalid_reason;  // snake_case code
};

// Reasons that are the lab's mistake and not the machine's disturbance: the sample is not taken again, the
// case is failed, and the run exits 1.
inline bool is_mistake(std::string_view invalid_reason) {
  return invalid_reason == "wrong_result" || invalid_reason == "launch_only";
}

// One row per case, variant (A/A copy included) and invocation, written when its last block is done. A point
// without rows here was interrupted.
struct CaseRow {
  std::string experiment, case_id, variant, baseline;
  std::map<std::string, std::string> axes;
  int invocation = 0;
  std::string profile;
  bool decides = true;  // false: the profile is too short for verdicts
  int fault = 0;
  std::string device, evidence, subject, link, cache_state;
  Cost cost;                   // per iteration
  std::string level, pattern;  // declared bound; empty = none
  int threads = 1;
  std::int64_t working_set_bytes = 0;
  std::string gate;  // passed | failed | none
  std::optional<std::int64_t> first_call_ns;
  std::string warmup_state;  // steady | not_steady | fixed
  int warmup_calls = 0;
  std::int64_t inner_iters = 0;
  int blocks = 0;
  // CPU time of everybody else while the blocks were taken, as a share of all processors; the A/A copy cannot
  // see a load that is always there.
  std::optional<double> others_cpu_share;
  std::string
      stop_reason;  // precision | stabilised | time_cap | max_n | fixed | interrupted | too_many_invalid
  std::string status, status_reason, status_text;
};

}  // namespace perflab

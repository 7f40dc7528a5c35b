#pragma once
// CasesOnDemand, run_iterations — a plan's cases for a front end that decides by itself which of them run,
// when, and how often.
//
// A point is prepared when the first of its variants is asked for: every variant, each body once, correctness
// gate included, so that a case runs among the same neighbours in memory as in a judged measurement. It lives
// until another point is asked for. A point that comes back (random interleaving) is prepared once more, and
// from then on all points stay. The library behind such a front end is not named here. Not thread-safe.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/launch.h"
#include "bench/sampler.h"

namespace perflab {

class CasesOnDemand {
 public:
  struct Name {
    std::size_t point;          // index into the plan
    std::string variant, text;  // text: "loop/n=1000/sync"
  };

  // Error(usage) for an unknown experiment, axis, fault or device.
  CasesOnDemand(const std::deque<Experiment>& experiments, const LaunchRequest& request);
  const std::vector<Name>& names() const { return names_; }
  std::vector<std::string> metric_names() const;  // of all experiments of the plan, each once
  Prepared& get(const Name& name);
  std::size_t points_alive() const { return alive_.size(); }

 private:
  std::vector<Prepared> prepare_point(const PlannedPoint& planned) const;

  const LaunchRequest& request_;
  std::vector<PlannedPoint> plan_;
  FaultChoice fault_;
  Device& device_;
  std::vector<Name> names_;
  std::map<std::size_t, std::vector<Prepared>> alive_;
  std::set<std::size_t> seen_;
  bool keep_all_ = false;
};

// What some iterations of one case left behind. Times and metrics come from take_sample(), as judged ones do.
struct Iterations {
  double finish_ns = 0;  // all iterations together
  // Per iteration, finite: the metrics, submit_ns, cores_used (processor time over finish time), and from the
  // work model bytes_per_second and flops_per_second.
  std::map<std::string, double> counters;
  std::string label;  // what a reader of the time must know: modelled, or the reason why it is doubtful
  int exit_code = 0;  // 0; 1: wrong result or an exception; 3: no time; 130: interrupted
  std::string error;  // the sentence for a code that is not 0
};

// Calls a prepared case (status ok) that many times, in as many samples as it asks for, then reads its output
// back and compares. Never throws for what the case does.
Iterations run_iterations(Prepared& prepared, std::int64_t iterations, int fault,
                          const SamplerContext& context);

// The names of all counters that run_iterations() may give beside the metrics.
std::vector<std::string> extra_counters();

}  // namespace perflab

// Plausibility: no case is faster than the fastest this machine was ever seen at the level that it declares,
// and no working set belongs to another level than the declared one.

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "bench/judge_parts.h"

namespace perflab {
namespace {

constexpr double tolerated = 1.05;     // rate over ceiling
constexpr double dram_over_cache = 4;  // smallest working set called DRAM, in last-level caches

double work_of(const CaseRow& row) { return row.level == "compute" ? row.cost.flops : row.cost.bytes(); }

// Threads may sit on cores with a cache of their own each, as far as there are instances.
double capacity(const CacheLevel& cache, int threads) {
  return double(cache.bytes) * std::min(std::max(threads, 1), cache.instances);
}

}  // namespace

bool at_wrong_level(const CaseRow& row, const std::vector<CacheLevel>& caches) {
  if (row.working_set_bytes <= 0) return false;  // not declared
  std::int64_t last = 0;
  for (const CacheLevel& cache : caches) {
    if (row.level == fmt::format("L{}", cache.level) && cache.bytes > 0)
      return double(row.working_set_bytes) > capacity(cache, row.threads);
    last = std::max(last, cache.bytes * cache.instances);
  }
  return row.level == "DRAM" && double(row.working_set_bytes) < dram_over_cache * double(last);
}

Bounds bounds_of(const Evidence& evidence, const Series& series) {
  const CaseRow& row = series.info;
  Bounds bounds;
  if (row.level.empty()) return bounds;
  bounds.unit = row.level == "compute" ? "GFLOPS" : "GBps";
  if (const auto exact = evidence.ceilings.find(row.level, row.pattern, row.threads))
    bounds.ceiling = exact->rate;
  else bounds.ceiling = evidence.ceilings.roof(row.level, row.threads);
  if (at_wrong_level(row, evidence.input.caches)) {
    bounds.reason = "wrong_memory_level";
    return bounds;
  }
  // What defines the ceiling cannot exceed it; a faulted run defines nothing.
  const bool defines =
      evidence.defines_ceilings(row.experiment) && is_ceiling_pattern(row.pattern) && evidence.fault == 0;
  if (!bounds.ceiling || defines) return bounds;
  const double work = work_of(row);
  for (const double time_ns : series.clock("finish"))
    if (work > tolerated * *bounds.ceiling * time_ns) bounds.reason = implausible_reason;
  return bounds;
}

void raise_ceilings(Ceilings& ceilings, const JudgeInput& input, const std::deque<Experiment>& experiments) {
  const bool faulted =
      std::any_of(input.samples.begin(), input.samples.end(), [](const Sample& s) { return s.fault != 0; });
  if (faulted) return;
  const Results results(input.samples, input.cases);
  // Some levels at full speed and others not would make a roof that honest kernels break. A ceiling that is
  // known already is another matter: what was reached on a busy machine can be reached.
  const bool disturbed = std::any_of(results.all().begin(), results.all().end(), is_disturbed);
  for (const Series& series : results.all()) {
    const CaseRow& row = series.info;
    const bool defines =
        std::any_of(experiments.begin(), experiments.end(), [&](const Experiment& experiment) {
          return experiment.name() == row.experiment && experiment.ceilings();
        });
    if (!defines || row.level.empty() || !is_ceiling_pattern(row.pattern) || is_wrong(series) ||
        row.evidence != "measured")
      continue;
    if (at_wrong_level(row, input.caches)) continue;
    const double work = work_of(row);
    double fastest = 0;
    for (const double time_ns : series.clock("finish"))
      if (time_ns > 0) fastest = std::max(fastest, work / time_ns);
    const bool known = ceilings.find(row.level, row.pattern, row.threads).has_value();
    if (fastest > 0 && (known || !disturbed))
      ceilings.raise({row.level, row.pattern, row.threads, fastest, input.run_id});
  }
}

}  // namespace perflab

// What this machine says it has, and what of it a program can really use.

#include "bodies.h"

#include <algorithm>
#include "machine_facts.h"
#include "scaled.h"

namespace perflab::hardware {

// The multiply-add loop on so many threads, with the counts beside it.
void counts_body(Case& c) {
  const Topology& machine = this_machine();
  if (machine.physical_cores > 0) c.metric("physical_count", machine.physical_cores);
  if (machine.sockets > 0) c.metric("sockets_count", machine.sockets);
  if (machine.logical_cpus > 0) c.metric("logical_count", machine.logical_cpus);
  if (machine.affinity_cpus > 0) c.metric("affinity_count", machine.affinity_cpus);
  if (machine.quota_cpus > 0) c.metric("quota_count", machine.quota_cpus);
  if (machine.numa_nodes > 0) c.metric("numa_nodes_count", machine.numa_nodes);
  c.metric("effective_count", machine.effective_cpus);
  if (const auto generation = ddr_generation()) c.metric("ddr_generation_count", *generation);
  if (const auto rate = nic_line_rate_GBps()) c.metric("nic_line_rate_GBps", *rate);
  fma_body(c);
}

namespace {

// A count that every sample carries; nothing if the machine does not say.
void add_count(const Results& results, Derived& derived, const char* metric, const char* unit,
               const char* from, const char* reason) {
  DerivedRow row;
  row.metric = metric;
  row.unit = unit;
  for (const Series* series : results.find("counts"))
    for (const double value : series->metric(from)) row.every_sample.push_back(value);
  if (row.every_sample.empty()) return derived.missing(metric, unit, reason);
  row.value = row.every_sample.front();
  row.n = int(row.every_sample.size());
  row.interval = Interval{row.value, row.value, 1};  // read, not estimated
  derived.add(std::move(row));
}

}  // namespace

void derive_counts(const Results& results, Derived& derived) {
  add_count(results, derived, "physical_cores_count", "count", "physical_count", "unknown_core_count");
  add_count(results, derived, "nic_line_rate_GBps", "GBps", "nic_line_rate_GBps", "unknown_line_rate");
  const Series *one = nullptr, *all = nullptr;
  for (const Series* series : results.find("counts")) {
    if (series->timed.empty()) continue;
    if (series->info.threads == 1) one = series;
    if (all == nullptr || series->info.threads > all->info.threads) all = series;
  }
  std::optional<Estimate> parallelism;
  if (one != nullptr && all != nullptr) {
    // Work per call grows with the threads, so equal times mean that all of them run at full speed.
    const Estimate a = one->finish_ns(), b = all->finish_ns();
    const double ideal = all->info.threads;
    parallelism =
        Estimate{.median = ideal * a.median / b.median, .interval = std::nullopt, .n = std::min(a.n, b.n)};
    if (a.interval && b.interval)
      parallelism->interval =
          Interval{ideal * a.interval->lo / b.interval->hi, ideal * a.interval->hi / b.interval->lo,
                   std::min(a.interval->level, b.interval->level)};
  }
  add_or_missing(derived, "effective_parallelism_ratio", "ratio", parallelism, "no_valid_samples",
                 {one, all});
}

}  // namespace perflab::hardware

#pragma once
// gbench — the second front end over a lab's cases: Google Benchmark drives them, for its filters,
// repetitions, JSON and compare.py. Any --benchmark_* flag on a lab's command line asks for it.
//
// Every case x variant of the plan is one benchmark in one thread of the library's; the time it gets is our
// finish clock (docs/google_benchmark.md). No verdict, no results folder: it writes to stdout, stderr and
// --benchmark_out. The library keeps global state: one call per process, unless all flags are given each
// time.

#include <string>
#include <vector>

#include "bench/launch.h"

namespace perflab {

// flags: all begin with --benchmark_. Returns the exit code: 0; 1 (a gate failed or a case threw); 3 (a case
// without a time); 77 (everything was skipped); 130 (interrupted). Error(usage) for flags that the installed
// library does not take and for a filter that matches nothing, Error(io) for output that cannot be written.
int run_google_benchmark(const std::deque<Experiment>& experiments, const LaunchRequest& request,
                         const LaunchTools& tools, const std::string& program,
                         const std::vector<std::string>& flags);

}  // namespace perflab

#pragma once
// `run LAB -- --benchmark_...`: the lab's other front end gets the terminal. Google Benchmark measures,
// nothing is judged, and no results folder is made.

#include "driver/options.h"

namespace perflab {

// Some flag after -- begins with --benchmark_.
bool asks_google_benchmark(const Options& options);

// The lab's exit code. Error(usage) unless exactly one lab is named, and for --out or --resume.
int run_lab_under_google_benchmark(const Options& options);

}  // namespace perflab

#pragma once
// machine_ceilings — when this machine's stored ceilings are measured.
//
// The first run that decides anything measures them, in a run folder of their own and before everything else;
// that begins the store. Later runs raise what is stored, but never begin it: a store is taken to hold every
// level and pattern. Where a sample of a run seems faster than this machine can be, they are measured once
// more before the run is held to be wrong: on a shared memory bus they may date from a slow hour.

#include <filesystem>
#include <string>
#include <vector>

#include "bench/run.h"
#include "driver/labs.h"

namespace perflab {

// Measures them if `out` has none for this machine and a lab knows how. False if the user stopped it.
bool ensure_ceilings(const std::filesystem::path& out, const std::vector<Lab>& labs,
                     const std::vector<std::string>& argv);
// Measures them again, and raises the store and the run's copy. False if that was not possible, or stopped.
bool measure_ceilings_again(const Run& run, const std::vector<Lab>& labs);

}  // namespace perflab

#pragma once
// machine_ceilings — when this machine's stored ceilings are measured.
//
// The first run that decides anything measures them, in a run folder of their own and before everything else;
// that begins the store. Later runs raise what is stored, but never begin it: a store is taken to hold every
// level and pattern.

#include <filesystem>
#include <string>
#include <vector>

#include "driver/labs.h"

namespace perflab {

// Measures them if `out` has none for this machine and a lab knows how. False if the user stopped it.
bool ensure_ceilings(const std::filesystem::path& out, const std::vector<Lab>& labs,
                     const std::vector<std::string>& argv);

}  // namespace perflab

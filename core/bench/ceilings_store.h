#pragma once
// ceilings_store — this machine's ceilings between runs: results/ceilings/<fingerprint>.csv, one file per
// hardware.
//
// A run takes a copy when it begins (RUN/ceilings.csv), judging its labs raises that copy, and
// keep_ceilings() carries what rose back into the store. The largest rate wins, so keeping twice, or two runs
// at once, do no harm.

#include <filesystem>

#include "device/topology.h"

namespace perflab {

// Of the hardware that Topology names, under the same parent as the run's folder.
std::filesystem::path stored_ceilings(const std::filesystem::path& run_folder, const Topology& machine);
// The run's copy is raised by what is stored; nothing stored: the run begins without. Error(data) for a
// broken store, naming the file.
void take_ceilings(const std::filesystem::path& run_folder, const Topology& machine);
void keep_ceilings(const std::filesystem::path& run_folder, const Topology& machine);
// As keep_ceilings, but never begins a store: one that holds only some ceilings would keep the rest from
// being measured.
void raise_stored_ceilings(const std::filesystem::path& run_folder, const Topology& machine);

}  // namespace perflab

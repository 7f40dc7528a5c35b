#pragma once
// describe — what a lab is, as JSON: experiments, axes, variants, metrics, faults, claims. The driver and
// schema.json use it.

#include <deque>
#include <filesystem>
#include <string>

#include "bench/experiment.h"
#include "bench/json.h"

namespace perflab {

Json describe(const std::deque<Experiment>& experiments, const std::string& lab_id);
std::filesystem::path lab_source_folder(const std::string& lab_id);  // labs/NN_name of the source tree

}  // namespace perflab

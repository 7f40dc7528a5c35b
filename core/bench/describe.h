#pragma once
// describe — what a lab is, as JSON: experiments, axes, variants, metrics, faults, claims, questions. The
// driver and schema.json use it. What is said after measuring (a question's reveal) is not in it.

#include <deque>
#include <filesystem>
#include <string>

#include "bench/experiment.h"
#include "bench/json.h"

namespace perflab {

// Error(data) if a question asks for an experiment or an axis that the lab does not have.
Json describe(const std::deque<Experiment>& experiments, const std::string& lab_id);
std::filesystem::path lab_source_folder(const std::string& lab_id);  // labs/NN_name of the source tree

}  // namespace perflab

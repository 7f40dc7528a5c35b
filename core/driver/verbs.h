#pragma once
// The driver's verbs. Each returns the exit code or throws Error.

#include <filesystem>

#include "bench/run.h"
#include "driver/options.h"

namespace perflab {

int list_verb(const Options& options);
int doctor_verb(const Options& options);
int run_verb(const Options& options);
int predict_verb(const Options& options);
int tour_verb(const Options& options);
int compare_verb(const Options& options);
int import_verb(const Options& options);
int plot_verb(const Options& options);
int report_verb(const Options& options);

// Claim, verdict, observed and claimed value for every row of the run's verdicts.csv; "" if there is none.
std::string verdict_table(const std::filesystem::path& run_folder);
// The cases of an imported run with their medians.
std::string imported_table(const Run& run);

}  // namespace perflab

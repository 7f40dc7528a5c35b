#include "driver/machine_ceilings.h"

#include <algorithm>
#include <cstdio>

#include "base/check.h"
#include "base/file.h"
#include "bench/ceilings_store.h"
#include "bench/launch.h"
#include "bench/load.h"
#include "bench/record_csv.h"
#include "bench/run.h"
#include "driver/campaign.h"
#include "driver/child.h"

namespace perflab {
namespace {

constexpr const char* ceilings_profile = "ceilings";  // whatever the profile of the run
constexpr int most_attempts = 3;                      // of a few seconds each, while others disturb

bool is_stored(const std::filesystem::path& run_folder) {
  std::error_code error;
  return std::filesystem::is_regular_file(stored_ceilings(run_folder, this_machine()), error);
}

// A ceiling too low would make an honest run look impossible; and a store with some of them would keep the
// others from ever being measured.
bool was_disturbed(const std::filesystem::path& lab_folder) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(lab_folder / "cases.csv", error)) return false;
  const std::vector<CaseRow> cases = read_cases(lab_folder).cases;
  return std::any_of(cases.begin(), cases.end(),
                     [](const CaseRow& row) { return row.others_cpu_share.value_or(0) > most_others_share; });
}

enum class Taken { kept, disturbed, failed, stopped };

Taken keep_or_not(const Run& run, const std::filesystem::path& lab_folder) {
  if (!is_stored(run.folder()) && was_disturbed(lab_folder)) return Taken::disturbed;
  keep_ceilings(run.folder(), this_machine());
  return Taken::kept;
}

// One launch of the hidden experiment.
Taken measure(const std::filesystem::path& out, const Lab& lab, const std::vector<std::string>& argv,
              const char* why) {
  Run run = Run::create({.out = out,
                         .argv = argv,
                         .profile = ceilings_profile,
                         .seed = 1,
                         .fault = 0,
                         .parent_run_id = "",
                         .labs = {lab.id},
                         .is_latest = false});
  fmt::print("run {}: measuring this machine's ceilings {}\n", run.id(), why);
  std::fflush(stdout);
  take_ceilings(run.folder(), this_machine());
  const std::filesystem::path folder = run.lab_folder(lab.id);
  write_file_atomically(folder / "schema.json", lab.description.dump());
  const ChildEnd end = run_child({lab.program.string(), "--run-dir", run.folder().string(), "--profile",
                                  ceilings_profile, "--experiment", ceilings_experiment(lab)},
                                 lab_variables());
  if (end.exit_code == exit_codes::interrupted || stop_requested()) {
    run.finish("interrupted", exit_codes::interrupted);
    return Taken::stopped;
  }
  Taken taken = Taken::failed;
  if (end.exit_code == exit_codes::ok) {
    finish_records(folder);
    judge_lab(lab, folder);
    taken = keep_or_not(run, folder);
  } else {
    fmt::print(stderr, "perflab run: {} gave no ceilings (exit code {}); nothing is held against them\n",
               lab.id, end.exit_code);
  }
  run.finish(end.exit_code == exit_codes::ok ? "complete" : "failed", end.exit_code);
  return taken;
}

const Lab* lab_with_ceilings(const std::vector<Lab>& labs) {
  for (const Lab& lab : labs)
    if (!ceilings_experiment(lab).empty()) return &lab;
  return nullptr;
}

}  // namespace

bool ensure_ceilings(const std::filesystem::path& out, const std::vector<Lab>& labs,
                     const std::vector<std::string>& argv) {
  if (is_stored(out / "any run")) return true;
  const Lab* lab = lab_with_ceilings(labs);
  if (lab == nullptr) return true;
  const char* why = "first (once per machine)";
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const Taken taken = measure(out, *lab, argv, why);
    if (taken != Taken::disturbed) return taken != Taken::stopped;
    why = "again: other programs kept it busy";
  }
  fmt::print(stderr,
             "perflab run: other programs keep this machine busy, so its ceilings are not stored; nothing is "
             "held against them this time, and the next run measures them again\n");
  return true;
}

bool measure_ceilings_again(const Run& run, const std::vector<Lab>& labs) {
  const Lab* lab = lab_with_ceilings(labs);
  if (lab == nullptr || !is_stored(run.folder())) return false;
  std::vector<std::string> argv;
  for (const Json& word : run.manifest().at("argv").array()) argv.push_back(word.text());
  if (measure(run.folder().parent_path(), *lab, argv, "again: a sample was faster than any before") !=
      Taken::kept)
    return false;
  take_ceilings(run.folder(), this_machine());
  return true;
}

}  // namespace perflab

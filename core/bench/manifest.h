#pragma once
// The parts of manifest.json: where a run comes from and what it left behind. docs/measuring.md lists the
// fields.

#include <filesystem>
#include <functional>
#include <string>

#include "bench/json.h"
#include "bench/run.h"

namespace perflab {

Json new_manifest(const RunRequest& request, const std::string& run_id);
Json list_outputs(
    const std::filesystem::path& folder);  // [{path, bytes, rows, sha256}], sorted; the manifest left out
// CSV records after the header, quotes respected.
std::int64_t count_rows(std::string_view csv);
// SHA-256 over the named file of each lab, one after the other; "" if there is none.
std::string combined_sha256(const std::vector<std::filesystem::path>& files);

// Random per installation, kept in `cache`, so that runs of one machine are recognised without giving its
// name away.
std::string host_alias(const std::filesystem::path& cache);
std::filesystem::path cache_folder();  // ${XDG_CACHE_HOME:-$HOME/.cache}/perflab, else build/cache

struct ProcessId {
  long pid = 0;
  long start_ticks = 0;  // since boot: pids come round again, pairs do not
};
ProcessId this_process();
bool is_alive(const ProcessId& process);

// Makes out/<id> for the first id that is free; a taken one is never touched.
std::filesystem::path make_run_folder(const std::filesystem::path& out,
                                      const std::function<std::string()>& next_id);
std::string new_run_id();

}  // namespace perflab

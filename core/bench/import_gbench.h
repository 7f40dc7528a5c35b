#pragma once
// import_gbench — the JSON that Google Benchmark writes (1.7.1 to 1.9), strictly.
//
// Only rows of run_type "iteration" are measurements; mean, median, stddev, cv, BigO and RMS rows use the
// same fields for other things and are counted, not imported. A bare NaN or Infinity, or one as text, becomes
// an empty cell if it is a counter's and an error if it is a time. Text fields that are not known are left
// out.

#include <string>
#include <string_view>

#include "bench/imported.h"

namespace perflab {

Imported parse_gbench(std::string_view text, const std::string& source);

// What real_time means in rows with several threads: "divided" by their number (before 1.9.0), "wall"
// (since), or "" for a version that does not tell, such as none at all, v0.0.0 or a commit between two
// releases.
std::string threaded_real_time(std::string_view library_version);

// A benchmark's name as case and variant. "loop/n=1000/sync" is experiment loop, n=1000, variant sync, as our
// own labs call themselves; any other name is the case, and its variant is "benchmark".
struct GbenchName {
  std::string experiment, case_id, variant;
  std::map<std::string, std::string> axes;
};
GbenchName split_gbench_name(const std::string& name);

}  // namespace perflab

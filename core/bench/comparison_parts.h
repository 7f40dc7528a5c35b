#pragma once
// The parts of a comparison. Internal to core/bench.

#include "bench/comparison.h"

namespace perflab {

// Hardware that differs, or that only one of the runs knows; `known` is false if neither knows any.
std::vector<Difference> machine_differences(const Json& a, const Json& b, bool& known);
std::vector<Difference> other_differences(const ComparedRun& a, const ComparedRun& b);
void compare_verdicts(const ComparedRun& a, const ComparedRun& b, Comparison& comparison);

bool is_imported(const ComparedRun& run);
// What real_time of a row with several threads means in this imported run: "wall", "divided", or "" where its
// version does not tell.
std::string threaded_time_of(const ComparedRun& run);

}  // namespace perflab

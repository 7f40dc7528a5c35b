#pragma once
// compare_text — a comparison for people: what differs, the most surprising cases, the verdict. Pure
// function, plain ASCII apart from names that are not ours.

#include <string>

#include "bench/comparison.h"

namespace perflab {

std::string comparison_text(const Comparison& comparison, const ComparedRun& a, const ComparedRun& b);
// All cases as CSV, with the header of comparison_header().
std::string comparison_csv(const Comparison& comparison);

}  // namespace perflab

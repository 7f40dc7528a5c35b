#pragma once
// check_request — every argument of `run` held against what the labs say of themselves, before anything is
// made or measured.

#include "bench/profile.h"
#include "driver/labs.h"
#include "driver/options.h"

namespace perflab {

// Error(usage) names the nearest valid axis, value, fault or device. The profile was checked by loading it.
void check_request(const Options& options, const Profile& profile, const std::vector<Lab>& labs);

// The --set options that this lab's axes know: each must be known to at least one lab, not to all.
std::vector<std::string> sets_for(const Lab& lab, const std::vector<std::string>& sets);

}  // namespace perflab

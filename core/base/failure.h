#pragma once
// failure — the end of every main: what was thrown becomes one sentence on stderr and an exit code.

#include <string_view>

namespace perflab {

// Within a catch block. "WHO: sentence"; memory or threads that are not to be had are the environment's
// matter.
int explain_failure(std::string_view who) noexcept;

}  // namespace perflab

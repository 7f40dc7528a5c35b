#pragma once
// The stopping rule — looked at after 10, 15, 20, 30, 40, 60, 80, 100 blocks only, and never because a
// difference became "significant". Pure functions of the data and the elapsed time.

#include <string>
#include <vector>

#include "bench/profile.h"

namespace perflab {

struct StopInput {
  int blocks;
  double half_width;                            // of the log ratio (single variant: of the log median) now
  std::vector<std::pair<int, double>> history;  // (blocks, half width) of earlier looks
  std::int64_t elapsed_ns;                      // in this case
  std::int64_t lab_elapsed_ns;
  int invalid, taken;  // samples, re-takes included
};

bool is_look(int blocks);
// "" = go on, else the stop_reason: precision | stabilised | time_cap | max_n | fixed | too_many_invalid.
std::string stop_reason(const Profile& profile, const StopInput& input);

}  // namespace perflab

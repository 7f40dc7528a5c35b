#pragma once
// The stopping rule — looked at after 10, 15, 20, 30, 40, 60, 80, 100 blocks only, and never because a
// difference became "significant". Pure functions of the data and the elapsed time.
//
// Two exceptions, neither of which sees the data: max_blocks ends a case wherever it lies, and a spent lab
// cap ends every case from its sixth block on (the fewest that have an interval).

#include <cstdint>
#include <string>
#include <utility>
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

inline constexpr int fewest_blocks = 6;

bool is_look(int blocks);
// "" = go on, else the stop_reason: precision | stabilised | time_cap | max_n | fixed | too_many_invalid.
// A profile with target_half_width 0 has a fixed number of blocks (max_blocks) and stops earlier only for the
// lab's cap.
std::string stop_reason(const Profile& profile, const StopInput& input);

}  // namespace perflab

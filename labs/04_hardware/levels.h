#pragma once
// Levels — how large a working set must be to live in L1, L2, L3 or DRAM of a given machine.
//
// Inside a cache: half of it, so that nothing is pushed out by accident (a quarter of the last level, which
// neighbours share). DRAM: four times the last level, so that a cyclic walk finds nothing left from its last
// round.

#include <cstdint>
#include <string>
#include <string_view>

#include "device/topology.h"

namespace perflab::hardware {

struct LevelSize {
  std::int64_t bytes = 0;  // all threads together; 0 = cannot be measured here
  std::string reason;      // then: snake_case code and a sentence
  std::string sentence;
};
// level: L1, L2, L3, DRAM; Error(usage) for another word.
LevelSize level_size(const Topology& machine, std::string_view level, int threads);

}  // namespace perflab::hardware

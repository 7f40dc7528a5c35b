#pragma once
// Preflight — what is checked before the first sample, in well under a second, so that a failure costs
// nothing.
//
// The folder can be made and written, takes UTF-8 names and text, and has room; the clock moves and never
// steps. What the check made it removes again when it fails.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/clock.h"

namespace perflab {

struct PreflightReport {
  ClockQuality clock;
  std::int64_t free_bytes = 0;
};

inline constexpr std::int64_t free_space_factor =
    20;  // free bytes wanted per expected byte: estimates are off, disks shared

// "" or why labs cannot run with so little address space (ulimit -v): libraries that generate code crash when
// there is no room for it.
std::string address_space_problem(std::uint64_t limit_bytes);

// Error(usage) if `out` cannot be used, Error(io) if its disk is full, Error(environment) for an unusable
// clock or too little memory.
PreflightReport preflight(const std::filesystem::path& out, std::int64_t expected_bytes,
                          Clock& clock = steady_clock());

}  // namespace perflab

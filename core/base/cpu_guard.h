#pragma once
// cpu_guard — a binary compiled for another CPU says so and exits 6, instead of dying with an illegal
// instruction.
//
// The check runs before any other static initialiser. On architectures other than x86-64 it has nothing to
// compare.

#include <cstdint>
#include <string>

namespace perflab {

// "" if every required feature is in `available`, else the sentence for the user. Masks of CpuFeature
// (simd.h).
std::string missing_features_text(std::uint32_t required, std::uint32_t available);

// Referencing this from main keeps the guard in the link.
bool cpu_guard_passed();

}  // namespace perflab

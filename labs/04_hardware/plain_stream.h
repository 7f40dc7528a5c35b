#pragma once
// The plainest STREAM: one OpenMP loop over three arrays, as a textbook writes it. What our own is held
// against.
//
// CMake compiles plain_stream_with_openmp.cpp where thread teams run on OpenMP, else
// plain_stream_without_openmp.cpp.

#include <cstdint>

#include "kernels.h"

namespace perflab::hardware {

bool plain_stream_available();
// copy or triad, plain stores.
void plain_stream(Pattern pattern, const float* a, const float* b, float* c, std::int64_t elements,
                  int threads);

}  // namespace perflab::hardware

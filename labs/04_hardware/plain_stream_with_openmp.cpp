#include "plain_stream.h"

namespace perflab::hardware {

bool plain_stream_available() { return true; }

void plain_stream(Pattern pattern, const float* a, const float* b, float* c, std::int64_t elements,
                  int threads) {
  if (pattern == Pattern::copy) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::int64_t i = 0; i < elements; ++i) c[i] = a[i];
  } else {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::int64_t i = 0; i < elements; ++i) c[i] = a[i] + stream_factor * b[i];
  }
}

}  // namespace perflab::hardware

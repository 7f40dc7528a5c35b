// Compiled with the project's own -march flags, so that the constant says what the compiler was allowed to
// emit.
#include "base/simd.h"

namespace perflab {
extern const std::uint32_t required_cpu_features;
constinit const std::uint32_t required_cpu_features = compiled_features();
}  // namespace perflab

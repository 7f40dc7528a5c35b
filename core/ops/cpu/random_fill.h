#pragma once
// random_fill — arrays of random numbers, several Philox4x32-10 counters at a time.
//
// Element i depends on the seed and i only, so threads fill parts of an array with what one thread would put
// there. uniform_fill gives bitwise Random(seed).uniform(i) of base/random.h; normal_fill makes two normals
// of the words 2j and 2j+1 (normal_pair.h). Thread-safe: no state.

#include <cstdint>

#include "ops/op.h"

namespace perflab {

inline constexpr std::int64_t random_group =
    64;  // elements made together: parts of an array begin at multiples of it

// out[i] for begin <= i < end; begin is a multiple of random_group, else Error(check).
void uniform_fill(std::uint64_t seed, std::int64_t begin, std::int64_t end, float* out);
void normal_fill(std::uint64_t seed, std::int64_t begin, std::int64_t end, float* out);

// Kernels of the op table: all of args.out, over the team of the context.
void uniform_kernel(const KernelArgs& args, StreamContext& context);
void normal_kernel(const KernelArgs& args, StreamContext& context);

}  // namespace perflab

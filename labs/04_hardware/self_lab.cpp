// Lab 04, hidden experiments: the instrument and the operations under it measure themselves.

#include "bodies.h"

namespace {

using namespace perflab;
using namespace perflab::hardware;

PL_LAB("self_sampler")
    .question("What does the sampler add to a timed interval, beyond two readings of the clock?")
    .variants({"two_clock_reads", "timed_interval"}, "two_clock_reads")
    .hidden()
    .derive(derive_self_sampler)
    .run(self_sampler_body);

PL_LAB("self_stream")
    .question("Is our STREAM as fast as a plain OpenMP loop?")
    .axis("pattern", {.smoke = {"triad"}, .quick = {"copy", "triad"}, .article = {}, .reproduce = {}})
    .variants({"plain_openmp", "ours"}, "plain_openmp")
    .hidden()
    .derive(derive_self_stream)
    .run(self_stream_body);

PL_LAB("self_gemm")
    .question("What do tensors, table and engine add to the library's matrix product?")
    .axis("n", {.smoke = {std::int64_t(256)}, .quick = pow2(8, 10), .article = {}, .reproduce = {}})
    .variants({"direct", "waist"}, "direct")
    .hidden()
    .derive(derive_self_gemm)
    .run(self_gemm_body);

PL_LAB("self_ops")
    .question("How fast is every operation of the table on large tensors?")
    .axis("op", {.smoke = {"add", "softmax"}, .quick = op_names(), .article = {}, .reproduce = {}})
    .sweep("op")
    .hidden()
    .run(self_ops_body);

PL_LAB("self_gelu")
    .question("How near does one operation on a large tensor come to the bandwidth limit?")
    .variants({"copy_nt", "gelu"}, "copy_nt")
    .hidden()
    .derive(derive_self_gelu)
    .run(self_gelu_body);

}  // namespace

#pragma once
// Bodies — what lab.cpp declares and the files named after their subject define.

#include <cstdint>
#include <vector>

#include "bench/case.h"
#include "bench/experiment.h"
#include "bench/results.h"
#include "levels.h"

namespace perflab::hardware {

void stream_body(Case& c);  // stream.cpp
void ceilings_body(Case& c);
void derive_stream(const Results& results, Derived& derived);
void chase_body(Case& c);  // chase.cpp
void derive_chase(const Results& results, Derived& derived);
void access_body(Case& c);    // access.cpp
void fma_body(Case& c);       // compute.cpp
void roofline_body(Case& c);  // roofline.cpp
void derive_roofline(const Results& results, Derived& derived);
void wake_body(Case& c);  // wake.cpp
void derive_wake(const Results& results, Derived& derived);
void disk_body(Case& c);  // disk.cpp
void derive_tiers(const Results& results, Derived& derived);
void counts_body(Case& c);  // counts.cpp
void derive_counts(const Results& results, Derived& derived);
void self_sampler_body(Case& c);  // self.cpp
void derive_self_sampler(const Results& results, Derived& derived);
void self_stream_body(Case& c);
void derive_self_stream(const Results& results, Derived& derived);

void gemm_body(Case& c);  // gemm.cpp
void derive_gemm(const Results& results, Derived& derived);
void self_gemm_body(Case& c);
void derive_self_gemm(const Results& results, Derived& derived);
std::vector<AxisValue> op_names();  // self_ops.cpp: the op table's
void self_ops_body(Case& c);
void self_gelu_body(Case& c);
void derive_self_gelu(const Results& results, Derived& derived);

}  // namespace perflab::hardware

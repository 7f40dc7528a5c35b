#pragma once
// Bodies — what lab.cpp declares and the files named after their subject define.

#include "bench/case.h"
#include "bench/experiment.h"
#include "bench/results.h"

namespace perflab::waiting {

void loop_body(Case& c);  // loop.cpp
void derive_loop(const Results& results, Derived& derived);
void numpy_loop_body(Case& c);  // frameworks.cpp
void derive_numpy_loop(const Results& results, Derived& derived);
void torch_loop_body(Case& c);
void derive_torch_loop(const Results& results, Derived& derived);
void queue_body(Case& c);  // queue.cpp
void derive_queue(const Results& results, Derived& derived);
void overlap_body(Case& c);  // overlap.cpp
void derive_overlap(const Results& results, Derived& derived);
void increments_body(Case& c);  // increments.cpp
void derive_increments(const Results& results, Derived& derived);
void reads_body(Case& c);  // reads.cpp
void derive_reads(const Results& results, Derived& derived);
void drain_body(Case& c);  // drain.cpp
void derive_drain(const Results& results, Derived& derived);
void memory_body(Case& c);           // memory.cpp
void python_parallel_body(Case& c);  // python.cpp
void derive_python_parallel(const Results& results, Derived& derived);
void frontend_body(Case& c);
void derive_frontend(const Results& results, Derived& derived);

}  // namespace perflab::waiting

// Must not compile: nothing says what was waited for.
#include "bench/sampler.h"

void stop(perflab::Stopwatch& watch) { watch.finished(); }

// The twin that compiles: the completion of a drain stops the stopwatch.
#include "bench/sampler.h"

void stop(perflab::Stopwatch& watch, perflab::Device& device) {
  perflab::Device* const waited_for[] = {&device};
  watch.finished(perflab::drain(waited_for));
}

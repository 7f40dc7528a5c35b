// Preloaded into a lab: counts how often the program starts, and answers every personality() call as a
// container does that filters it (google/benchmark#1984): it seems to work, and changes nothing. A program
// that starts itself again until address randomisation is off would do so forever.

#include <cstdio>
#include <cstdlib>

extern "C" int personality(unsigned long) { return 0; }

namespace {
[[gnu::constructor]] void count_start() {
  const char* path = std::getenv("PERFLAB_TEST_STARTS");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "a")) {
    std::fputs("start\n", file);
    std::fclose(file);
  }
}
}  // namespace

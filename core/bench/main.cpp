// The main() of every lab. The lab's id is the name that CMake gave its program.

#include "base/standard_streams.h"
#include "bench/lab_main.h"

extern const char* const pl_lab_id;

int main(int argc, char** argv) {
  perflab::fill_standard_streams();
  perflab::keep_printing();
  return perflab::after_printing(perflab::lab_main(argc, argv, pl_lab_id));
}

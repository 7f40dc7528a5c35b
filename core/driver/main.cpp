#include "driver/driver_main.h"

#include "base/standard_streams.h"

int main(int argc, char** argv) {
  perflab::fill_standard_streams();
  perflab::keep_printing();
  return perflab::after_printing(perflab::driver_main(argc, argv));
}

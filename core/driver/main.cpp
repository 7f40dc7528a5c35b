#include "driver/driver_main.h"

int main(int argc, char** argv) { return perflab::driver_main(argc, argv); }

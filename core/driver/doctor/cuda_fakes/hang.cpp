// A driver that does not answer.
#include <unistd.h>

extern "C" {
int cuDriverGetVersion(int* version) { return *version = 12040, 0; }
int cuInit(unsigned) { return sleep(60) == 0 ? 0 : 1; }
}

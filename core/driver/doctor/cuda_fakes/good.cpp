// A driver as it should be: one GPU of 16 GB, CUDA 12.4.
#include <cstddef>
#include <cstring>

extern "C" {
int cuDriverGetVersion(int* version) { return *version = 12040, 0; }
int cuInit(unsigned) { return 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int index) { return *device = index, 0; }
int cuDeviceGetName(char* name, int room, int) {
  return std::strncpy(name, "Imaginary GPU 9000", std::size_t(room)), 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = 16'000'000'000, 0; }
int cuDeviceGetAttribute(int* value, int attribute, int) { return *value = attribute == 75 ? 9 : 0, 0; }
}

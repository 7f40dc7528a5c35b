// A driver without a GPU.
extern "C" {
int cuDriverGetVersion(int* version) { return *version = 12040, 0; }
int cuInit(unsigned) { return 100; }
}

// A driver of CUDA 11.4 that is asked for more.
extern "C" {
int cuDriverGetVersion(int* version) { return *version = 11040, 0; }
int cuInit(unsigned) { return 35; }
}

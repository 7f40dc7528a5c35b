#pragma once
// probe_gpu — asks NVIDIA's driver what is there, in a child process with a time limit: a driver that
// crashes, hangs or is missing costs a line of text and nothing else.
//
// The child is `PROGRAM --probe-gpu`. It opens libcuda.so.1 and, if there is one, libnvidia-ml.so.1; nothing
// of perflab is linked with either. Start it from a thread that outlives the call.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/process.h"

namespace perflab {

struct GpuDevice {
  std::string name{};
  std::int64_t memory_bytes = 0;
  std::string compute_capability{};  // "9.0"
};

struct GpuProbe {
  enum class State { good, no_library, broken_library, no_device, driver_too_old, error, crashed, hung };
  State state = State::no_library;
  int cuda_version = 0;          // of the driver: 12040 is 12.4; 0 = unknown
  std::string driver_version{};  // "550.54.14"; "" = unknown
  std::vector<GpuDevice> devices{};
  std::vector<std::string> searched{};  // folders, when there is no library
  std::string
      detail{};  // the loader's words, the error's name, the signal, or what it did when it fell silent
};

inline constexpr const char* gpu_probe_flag = "--probe-gpu";

GpuProbe probe_gpu(const std::filesystem::path& program, const Variables& variables = {},
                   int limit_ms = 7000);

int gpu_probe_child();  // what the child does

std::string cuda_version_text(int version);  // 12040 -> "12.4"; 0 -> "unknown"
std::string cuda_error_name(int code);       // 100 -> "CUDA_ERROR_NO_DEVICE"; "error 12345" if it has none

// Does a program of this toolkit run on this driver? Versions as above.
struct CudaFit {
  enum class Word { ok, warn, fail } word;
  std::string text;
};
CudaFit cuda_fit(int toolkit, int driver);

}  // namespace perflab

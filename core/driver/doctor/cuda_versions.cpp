#include <fmt/format.h>

#include <array>

#include "driver/doctor/gpu_probe.h"

namespace perflab {

std::string cuda_version_text(int version) {
  return version <= 0 ? "unknown" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string cuda_error_name(int code) {
  struct Known {
    int code;
    const char* name;
  };
  // What cuInit is known to answer with. 35 is the runtime's number; the driver's own has no name for it.
  constexpr std::array known = {Known{1, "CUDA_ERROR_INVALID_VALUE"},
                                Known{2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                Known{3, "CUDA_ERROR_NOT_INITIALIZED"},
                                Known{34, "CUDA_ERROR_STUB_LIBRARY"},
                                Known{35, "cudaErrorInsufficientDriver"},
                                Known{46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
                                Known{100, "CUDA_ERROR_NO_DEVICE"},
                                Known{101, "CUDA_ERROR_INVALID_DEVICE"},
                                Known{304, "CUDA_ERROR_OPERATING_SYSTEM"},
                                Known{800, "CUDA_ERROR_NOT_PERMITTED"},
                                Known{802, "CUDA_ERROR_SYSTEM_NOT_READY"},
                                Known{803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
                                Known{804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"},
                                Known{999, "CUDA_ERROR_UNKNOWN"}};
  for (const Known& row : known)
    if (row.code == code) return row.name;
  return fmt::format("error {}", code);
}

// Within one major version an older driver runs a newer toolkit's machine code, but compiles none of its PTX:
// NVIDIA's "minor version compatibility".
CudaFit cuda_fit(int toolkit, int driver) {
  const std::string has = cuda_version_text(driver), needs = cuda_version_text(toolkit);
  if (toolkit <= 0) return {CudaFit::Word::ok, fmt::format("the driver supports CUDA {}", has)};
  if (driver <= 0)
    return {CudaFit::Word::warn,
            fmt::format("the driver does not tell its version; the toolkit is {}", needs)};
  if (driver / 1000 < toolkit / 1000)
    return {
        CudaFit::Word::fail,
        fmt::format("the driver supports CUDA {}, programs of this toolkit need {}.x", has, toolkit / 1000)};
  if (driver < toolkit)
    return {CudaFit::Word::warn,
            fmt::format("the driver supports CUDA {}, the toolkit is {}: machine code runs, PTX does not",
                        has, needs)};
  return {CudaFit::Word::ok, fmt::format("the driver supports CUDA {}, the toolkit is {}", has, needs)};
}

}  // namespace perflab

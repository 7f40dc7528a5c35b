#include <fmt/ranges.h>

#include <array>

#include "base/units.h"
#include "driver/doctor/rules.h"

namespace perflab {
namespace {

constexpr const char* cpu_goes_on = "CPU labs need none; claims that need a GPU are NOT TESTABLE HERE";
constexpr const char* ask_for_driver = "sudo apt-get install nvidia-driver (Debian: non-free), then restart";

// "13.0" -> 13000
int cuda_number(const std::string& version) {
  const std::size_t dot = version.find('.');
  if (dot == std::string::npos) return 0;
  return 1000 * std::atoi(version.c_str()) + 10 * std::atoi(version.c_str() + dot + 1);
}

Finding no_library(const DoctorFacts& facts) {
  std::vector<std::string> folders = facts.gpu.searched;
  folders.push_back("/etc/ld.so.cache");
  if (facts.wsl()) {
    folders.push_back("/usr/lib/wsl/lib");
    const std::string value =
        fmt::format("WSL: no libcuda.so.1 in the loader's path; searched {}", fmt::join(folders, ", "));
    if (facts.wsl_driver)
      return warn(value, "it is in /usr/lib/wsl/lib: export LD_LIBRARY_PATH=/usr/lib/wsl/lib", cpu_goes_on);
    return warn(value, "install NVIDIA's driver in Windows, not in WSL; then wsl --shutdown", cpu_goes_on);
  }
  const std::string value = fmt::format("no libcuda.so.1; searched {}", fmt::join(folders, ", "));
  const double on_bus = facts.environment.number("nvidia_gpus_on_bus").value_or(0);
  if (on_bus > 0)
    return warn(fmt::format("{} on the bus, but {}", counted(on_bus, "NVIDIA GPU"), value),
                facts.in_container() ? "start the container with --gpus all" : ask_for_driver, cpu_goes_on);
  return pass("none: " + value, cpu_goes_on);
}

std::string devices_text(const DoctorFacts& facts) {
  std::string text;
  for (const GpuDevice& device : facts.gpu.devices)
    text += fmt::format("{}{} ({}, compute capability {})", text.empty() ? "" : ", ", device.name,
                        format_bytes(double(device.memory_bytes)), device.compute_capability);
  return text;
}

std::string driver_text(const GpuProbe& gpu) {
  return fmt::format("driver {}, CUDA {}", gpu.driver_version.empty() ? "unknown" : gpu.driver_version,
                     cuda_version_text(gpu.cuda_version));
}

Finding gpu(const DoctorFacts& facts) {
  const GpuProbe& gpu = facts.gpu;
  switch (gpu.state) {
    case GpuProbe::State::good:
      return pass(fmt::format("{}; {}", devices_text(facts), driver_text(gpu)));
    case GpuProbe::State::no_library:
      return no_library(facts);
    case GpuProbe::State::broken_library:
      return warn("libcuda.so.1 cannot be used: " + gpu.detail, "install NVIDIA's driver again", cpu_goes_on);
    case GpuProbe::State::no_device:
      return warn(fmt::format("the driver's library is there ({}), but it sees no GPU: {}", driver_text(gpu),
                              gpu.detail.empty() ? "its list is empty" : gpu.detail),
                  facts.in_container() ? "start the container with --gpus all"
                                       : "unset CUDA_VISIBLE_DEVICES; see whether nvidia-smi finds one",
                  cpu_goes_on);
    case GpuProbe::State::driver_too_old:
      return warn(fmt::format("driver too old: it supports CUDA {}, this program needs {}: {}",
                              cuda_version_text(gpu.cuda_version),
                              facts.tools.nvcc.empty() ? "a newer one" : facts.tools.nvcc, gpu.detail),
                  "install a newer NVIDIA driver",
                  "CPU labs go on; GPU claims are NOT TESTABLE HERE (driver_too_old)");
    case GpuProbe::State::error:
      return warn(fmt::format("cuInit answers {} ({})", gpu.detail, driver_text(gpu)),
                  "see what nvidia-smi says; after a driver's update, restart", cpu_goes_on);
    case GpuProbe::State::crashed:
      return warn("the driver's library crashed: " + gpu.detail, "install NVIDIA's driver again",
                  cpu_goes_on);
    case GpuProbe::State::hung:
      return warn("the driver hangs and was left alone: " + gpu.detail,
                  "see what nvidia-smi says; start the machine again", cpu_goes_on);
  }
  return unknown("not told here");
}

Finding toolkit(const DoctorFacts& facts) {
  const Tools& tools = facts.tools;
  const int driver = facts.gpu.cuda_version;
  if (tools.nvcc.empty()) {
    if (facts.gpu.state != GpuProbe::State::good) return pass("no nvcc, and no GPU that needs it");
    return warn("no nvcc on the PATH or in /usr/local/cuda", "install the CUDA toolkit and build again",
                "CUDA code cannot be built");
  }
  const std::string name = fmt::format("nvcc {} ({})", tools.nvcc, tools.nvcc_program);
  if (driver == 0 && facts.gpu.state != GpuProbe::State::good)
    return pass(name + "; no driver to compare it with");
  const CudaFit fit = cuda_fit(cuda_number(tools.nvcc), driver);
  if (fit.word == CudaFit::Word::ok) return pass(name + "; " + fit.text);
  return warn(name + "; " + fit.text,
              fmt::format("install a driver that supports CUDA {}, or an older toolkit", tools.nvcc),
              fit.word == CudaFit::Word::fail
                  ? "CPU labs go on; GPU claims are NOT TESTABLE HERE (driver_too_old)"
                  : "code that is compiled while a lab runs may be refused");
}

Finding cuda(const DoctorFacts& facts) {
  if (facts.no_cuda_reason.empty()) return pass("labs can use CUDA devices");
  if (facts.gpu.state == GpuProbe::State::good)
    return warn(facts.no_cuda_reason, "build again where nvcc is found: ./perflab build",
                "there is a GPU, but this build cannot use it");
  return pass(facts.no_cuda_reason);
}

constexpr std::array checks = {Check{"gpu", "GPU", gpu}, Check{"toolkit", "GPU", toolkit},
                               Check{"cuda", "GPU", cuda}};

}  // namespace

std::span<const Check> gpu_checks() { return checks; }

}  // namespace perflab

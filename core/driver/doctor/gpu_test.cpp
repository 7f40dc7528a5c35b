#include <gtest/gtest.h>

#include <set>

#include "driver/doctor/doctor_test.h"

namespace perflab {
namespace {

using Gpu = DoctorTest;
using State = GpuProbe::State;

}  // namespace

TEST_F(Gpu, WithoutALibraryTheSearchedFoldersAreNamedAndNothingIsWrong) {
  const Finding finding = judge("gpu");
  EXPECT_EQ(finding.health, Health::pass);
  EXPECT_EQ(finding.value, "none: no libcuda.so.1; searched /lib/x86_64-linux-gnu, /etc/ld.so.cache");
}

TEST_F(Gpu, OneOnTheBusWithoutADriverIsAWarning) {
  put("/sys/bus/pci/devices/a/vendor", "0x10de\n");
  put("/sys/bus/pci/devices/a/class", "0x030000\n");
  EXPECT_TRUE(holds(judge("gpu").value, "1 NVIDIA GPU on the bus, but no libcuda.so.1"));
  EXPECT_TRUE(holds(judge("gpu").fix, "nvidia-driver"));
  put("/.dockerenv", " ");
  EXPECT_EQ(judge("gpu").fix, "start the container with --gpus all");
}

TEST_F(Gpu, InWslTheMessageSaysSoAndNamesItsFolder) {
  put("/proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n");
  DoctorFacts seen = facts();
  EXPECT_EQ(judge("gpu", seen).value,
            "WSL: no libcuda.so.1 in the loader's path; searched /lib/x86_64-linux-gnu, /etc/ld.so.cache, "
            "/usr/lib/wsl/lib");
  EXPECT_TRUE(holds(judge("gpu", seen).fix, "in Windows, not in WSL"));
  seen.wsl_driver = true;
  EXPECT_TRUE(holds(judge("gpu", seen).fix, "export LD_LIBRARY_PATH=/usr/lib/wsl/lib"));
}

TEST_F(Gpu, EveryStateHasAMessageOfItsOwn) {
  std::set<std::string> texts;
  for (const State state : {State::good, State::no_library, State::broken_library, State::no_device,
                            State::driver_too_old, State::error, State::crashed, State::hung}) {
    DoctorFacts seen = facts();
    seen.gpu.state = state;
    texts.insert(judge("gpu", seen).value);
    EXPECT_NE(judge("gpu", seen).health, Health::fail);  // CPU labs go on
  }
  EXPECT_EQ(texts.size(), 8u);
}

TEST_F(Gpu, ADriverThatIsTooOldIsToldWithBothVersions) {
  DoctorFacts seen = facts();
  seen.gpu = {
      .state = State::driver_too_old, .cuda_version = 11040, .detail = "cudaErrorInsufficientDriver (35)"};
  seen.tools.nvcc = "12.4";
  EXPECT_EQ(
      judge("gpu", seen).value,
      "driver too old: it supports CUDA 11.4, this program needs 12.4: cudaErrorInsufficientDriver (35)");
  EXPECT_TRUE(holds(judge("gpu", seen).note, "driver_too_old"));
  EXPECT_TRUE(holds(judge("toolkit", seen).value,
                    "the driver supports CUDA 11.4, programs of this toolkit need 12.x"));
  EXPECT_EQ(doctor_exit_code(seen, judge_all(seen)), 0);
}

TEST_F(Gpu, AGoodOneIsNamedAndABuildThatCannotUseItIsAWarning) {
  DoctorFacts seen = facts();
  seen.gpu = {.state = State::good,
              .cuda_version = 12040,
              .driver_version = "550.54.14",
              .devices = {{"Imaginary GPU 9000", 16'000'000'000, "9.0"}}};
  EXPECT_EQ(judge("gpu", seen).value,
            "Imaginary GPU 9000 (16.0 GB, compute capability 9.0); driver 550.54.14, CUDA 12.4");
  EXPECT_EQ(judge("cuda", seen).value,
            "no CUDA: libperflab_cuda.so is not built");  // the Runtime's own words
  EXPECT_EQ(judge("cuda", seen).health, Health::warn);
  EXPECT_EQ(judge("toolkit", seen).health, Health::warn);
  for (const auto& [nvcc, health] : {std::pair{"12.4", Health::pass}, {"12.6", Health::warn}}) {
    seen.tools.nvcc = nvcc;
    EXPECT_EQ(judge("toolkit", seen).health, health) << nvcc;
  }
  seen.no_cuda_reason = "";
  EXPECT_EQ(judge("cuda", seen).health, Health::pass);
}

TEST(CudaFit, IsATableOfToolkitAndDriver) {
  struct Row {
    int toolkit, driver;
    CudaFit::Word word;
    const char* text;
  };
  using Word = CudaFit::Word;
  for (const Row& row :
       {Row{12040, 12040, Word::ok, "the driver supports CUDA 12.4, the toolkit is 12.4"},
        Row{12040, 12080, Word::ok, "the driver supports CUDA 12.8, the toolkit is 12.4"},
        Row{12040, 13000, Word::ok, "the driver supports CUDA 13.0, the toolkit is 12.4"},
        Row{12080, 12020, Word::warn, "machine code runs, PTX does not"},
        Row{13000, 12080, Word::fail, "the driver supports CUDA 12.8, programs of this toolkit need 13.x"},
        Row{12040, 11040, Word::fail, "the driver supports CUDA 11.4, programs of this toolkit need 12.x"},
        Row{12040, 0, Word::warn, "the toolkit is 12.4"}, Row{0, 12040, Word::ok, "CUDA 12.4"}}) {
    const CudaFit fit = cuda_fit(row.toolkit, row.driver);
    EXPECT_EQ(fit.word, row.word) << row.toolkit << " on " << row.driver;
    EXPECT_TRUE(holds(fit.text, row.text)) << fit.text;
  }
}

TEST(CudaErrors, HaveNames) {
  EXPECT_EQ(cuda_error_name(100), "CUDA_ERROR_NO_DEVICE");
  EXPECT_EQ(cuda_error_name(803), "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH");
  EXPECT_EQ(cuda_error_name(4711), "error 4711");
  EXPECT_EQ(cuda_version_text(11040), "11.4");
  EXPECT_EQ(cuda_version_text(0), "unknown");
}

}  // namespace perflab

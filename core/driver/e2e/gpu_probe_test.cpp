// The probe's child against made-up drivers (core/driver/doctor/cuda_fakes).
#include "driver/doctor/gpu_probe.h"

#include <gtest/gtest.h>

namespace perflab {
namespace {

using State = GpuProbe::State;

GpuProbe probe(const std::string& fake, int limit_ms = 30'000) {
  const std::filesystem::path build = PERFLAB_BINARY_DIR;
  return probe_gpu(build / "perflab", {{"LD_LIBRARY_PATH", (build / "cuda_fakes" / fake).string()}},
                   limit_ms);
}

}  // namespace

TEST(GpuProbeChild, NamesTheDevicesOfAGoodDriver) {
  const GpuProbe seen = probe("good");
  ASSERT_EQ(seen.state, State::good) << seen.detail;
  EXPECT_EQ(seen.cuda_version, 12040);
  ASSERT_EQ(seen.devices.size(), 1u);
  EXPECT_EQ(seen.devices[0].name, "Imaginary GPU 9000");
  EXPECT_EQ(seen.devices[0].memory_bytes, 16'000'000'000);
  EXPECT_EQ(seen.devices[0].compute_capability, "9.0");
}

TEST(GpuProbeChild, TellsADriverWithoutAGpuFromOneThatIsTooOld) {
  const GpuProbe none = probe("no_device"), old = probe("old");
  EXPECT_EQ(none.state, State::no_device);
  EXPECT_EQ(none.detail, "CUDA_ERROR_NO_DEVICE (100)");
  EXPECT_EQ(old.state, State::driver_too_old);
  EXPECT_EQ(old.detail, "cudaErrorInsufficientDriver (35)");
  EXPECT_EQ(old.cuda_version, 11040);
}

TEST(GpuProbeChild, ACrashIsNamedWithItsSignalAndStep) {
  const GpuProbe seen = probe("crash");
  EXPECT_EQ(seen.state, State::crashed);
  EXPECT_EQ(seen.detail, "Segmentation fault (signal 11) in cuInit");
}

TEST(GpuProbeChild, OneThatDoesNotAnswerIsLeftAlone) {
  const GpuProbe seen = probe("hang", 1500);
  EXPECT_EQ(seen.state, State::hung);
  EXPECT_NE(seen.detail.find("no answer within 1.5 s in "), std::string::npos) << seen.detail;
}

TEST(GpuProbeChild, OtherErrorsAreNamed) {
  const GpuProbe seen = probe("mismatch");
  EXPECT_EQ(seen.state, State::error);
  EXPECT_EQ(seen.detail, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)");
}

TEST(GpuProbeChild, AnotherLibraryUnderTheNameIsBroken) {
  const GpuProbe seen = probe("not_cuda");
  EXPECT_EQ(seen.state, State::broken_library);
  EXPECT_EQ(seen.detail, "it has no cuInit");
}

TEST(GpuProbeChild, WithoutALibraryTheLoadersFoldersAreTold) {
  const GpuProbe seen = probe("no_such_fake");
  if (seen.state != State::no_library && seen.state != State::broken_library)
    GTEST_SKIP() << "there is a driver here";
  EXPECT_EQ(seen.state, State::no_library) << seen.detail;
  EXPECT_NE(seen.detail.find("libcuda.so.1: cannot open"), std::string::npos) << seen.detail;
  ASSERT_GE(seen.searched.size(), 2u);
  EXPECT_NE(seen.searched.front().find("cuda_fakes/no_such_fake"), std::string::npos)
      << seen.searched.front();
}

TEST(GpuProbeChild, AProgramThatIsNoProbeIsAnErrorAndNotAGpu) {
  EXPECT_EQ(probe_gpu("/no/such/program").state, State::error);
  const GpuProbe silent = probe_gpu("/bin/true");
  EXPECT_EQ(silent.state, State::error);
  EXPECT_EQ(silent.detail, "the probe ended with exit code 0 in starting");
}

}  // namespace perflab

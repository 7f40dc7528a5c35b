#include "device/plugin.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/test_folder.h"
#include "device/device_testing.h"
#include "device/runtime.h"

namespace perflab {
namespace {

const std::filesystem::path fakes = std::filesystem::path(PERFLAB_BINARY_DIR) / "plugin_fakes";

std::string reason_of(const std::filesystem::path& file) {
  Plugin plugin = Plugin::load(file);
  EXPECT_TRUE(plugin.open_devices().empty());
  EXPECT_EQ(plugin.no_devices_reason().find('\n'), std::string::npos);
  return plugin.no_devices_reason();
}

}  // namespace

TEST(Plugin, AGoodOneGivesItsDevices) {
  Plugin plugin = Plugin::load(fakes / "good.so");
  const auto devices = plugin.open_devices();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0]->name(), "cuda:0");
  EXPECT_EQ(devices[0]->kind(), Kind::cuda);
  EXPECT_EQ(plugin.no_devices_reason(), "");
}

TEST(Plugin, AMissingFileIsOneLineAndNoDevices) {
  EXPECT_EQ(reason_of("/nowhere/libperflab_cuda.so"), "no CUDA: libperflab_cuda.so is not built");
}

TEST(Plugin, AFileThatIsNoSharedObjectIsOneLineAndNoDevices) {
  const TestFolder folder;
  const std::filesystem::path file = folder.path() / "libperflab_cuda.so";
  std::ofstream(file) << "this is\nno machine code\n";
  EXPECT_EQ(reason_of(file).find("no CUDA: libperflab_cuda.so cannot be loaded: "), 0u) << reason_of(file);
}

TEST(Plugin, AForeignSharedObjectIsOneLineAndNoDevices) {
  EXPECT_EQ(reason_of(fakes / "no_symbol.so"),
            "no CUDA: no_symbol.so has no perflab_plugin; it is not one of perflab's");
}

TEST(Plugin, AnotherVersionIsOneLineAndNotCalled) {
  EXPECT_EQ(reason_of(fakes / "other_version.so"),
            fmt::format("no CUDA: other_version.so is version {}, this program wants {}; build both again",
                        plugin_version + 1, plugin_version));
}

TEST(Plugin, AnotherLayoutIsOneLineAndNotCalled) {
  EXPECT_EQ(
      reason_of(fakes / "other_layout.so"),
      fmt::format("no CUDA: other_layout.so was compiled with other headers or another compiler (layout "
                  "{:016x}, this program's is {:016x}); build both again",
                  plugin_layout ^ 1, plugin_layout));
}

TEST(Plugin, TheLayoutTellsSizesAlignmentsAndTheirOrderApart) {
  struct alignas(8) Wide {
    char text[8];
  };
  struct alignas(4) Loose {
    char text[8];
  };
  EXPECT_EQ((layout_of<Wide, Loose>()), (layout_of<Wide, Loose>()));
  EXPECT_NE((layout_of<Wide, Loose>()), (layout_of<Loose, Wide>()));
  EXPECT_NE((layout_of<Wide>()), (layout_of<Loose>()));
  EXPECT_NE((layout_of<Wide>()), (layout_of<Wide, Wide>()));
}

TEST(Plugin, ItsBuffersOutliveTheRuntime) {
  ManualDevice elsewhere;
  Buffer buffer;
  {
    const Runtime runtime({.plugin = fakes / "good.so"});
    Allocator& allocator = Device::named("cuda:0").allocator();
    EXPECT_EQ(allocator.name(), "fake");
    buffer = Buffer(allocator.take(100, elsewhere.stream(), Use::idle));
  }
  std::memset(buffer.data(), 1, buffer.bytes());
  buffer = Buffer();  // runs the object's code, and ends its allocator
}

TEST(Plugin, AMachineWithoutDevicesSaysWhyInOneLine) {
  EXPECT_EQ(reason_of(fakes / "no_devices.so"), "no CUDA: the driver is not loaded");
}

TEST(Plugin, TheRuntimeListsItsDevicesAfterTheCpusAndMayBeMadeAgain) {
  for (int round = 0; round < 2; ++round) {
    const Runtime runtime({.cpu_devices = 2, .plugin = fakes / "good.so"});
    ASSERT_EQ(runtime.devices().size(), 3u);
    EXPECT_EQ(runtime.devices()[2], &Device::named("cuda:0"));
    EXPECT_EQ(runtime.no_cuda_reason(), "");
  }
  const Runtime without({.plugin = "/nowhere/libperflab_cuda.so"});
  EXPECT_EQ(without.no_cuda_reason(), "no CUDA: libperflab_cuda.so is not built");
}

TEST(Plugin, TheGivenFileIsTakenWhetherItExistsOrNot) {
  EXPECT_EQ(Plugin::find("/nowhere/x.so"), "/nowhere/x.so");
  EXPECT_EQ(Plugin::find("").filename(), "libperflab_cuda.so");
}

}  // namespace perflab

#include "bench/device_flags.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace perflab {
namespace {

std::string refusal_of(const DeviceFlags& flags) {
  try {
    runtime_options(flags);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

DeviceFlags with_link(const char* link) { return {.link = link}; }

}  // namespace

TEST(DeviceFlags, BecomeTheOptionsOfARuntime) {
  const RuntimeOptions options = runtime_options({.cpu_devices = 4, .cores_per_device = 2, .link = "5,10"});
  EXPECT_EQ(options.cpu_devices, 4);
  EXPECT_EQ(options.cores_per_device, 2);
  ASSERT_TRUE(options.link.has_value());
  EXPECT_DOUBLE_EQ(options.link->latency_s, 5e-6);
  EXPECT_DOUBLE_EQ(options.link->bandwidth_GBps, 10);
  EXPECT_FALSE(runtime_options({}).link.has_value());
}

TEST(DeviceFlags, MistakesNameTheFlagAndWhatItWants) {
  EXPECT_EQ(refusal_of({.cpu_devices = 0}), "--cpu-devices 0: want 1 to 64");
  EXPECT_EQ(refusal_of({.cpu_devices = 65}), "--cpu-devices 65: want 1 to 64");
  EXPECT_EQ(refusal_of({.cores_per_device = -1}), "--cores-per-device -1: want 1 to 1024");
  for (const char* link : {"5", ",", "5,", "5,0", "-1,10", "5,10,1", "a,b", "5;10", "nan,1", "5,inf"}) {
    EXPECT_EQ(refusal_of(with_link(link)).find(std::string("--link ") + link + ": "), 0u) << link;
    EXPECT_NE(refusal_of(with_link(link)).find("want LATENCY_us,GBps"), std::string::npos) << link;
  }
}

TEST(DeviceFlags, TravelAsWordsAndAsJsonUnchanged) {
  const DeviceFlags flags{.cpu_devices = 2, .cores_per_device = 1, .link = "0.5,25"};
  EXPECT_EQ(words_of(flags),
            (std::vector<std::string>{"--cpu-devices", "2", "--cores-per-device", "1", "--link", "0.5,25"}));
  EXPECT_TRUE(words_of({}).empty());
  const DeviceFlags back = device_flags_from(Json::parse(json_of(flags).dump(), "test"));
  EXPECT_EQ(words_of(back), words_of(flags));
}

TEST(DeviceFlags, TheManifestSaysWhatExistsAndWhatIsModelled) {
  const DeviceFlags flags{.cpu_devices = 2, .cores_per_device = 3, .link = "5,10"};
  RuntimeOptions options = runtime_options(flags);
  options.plugin = "/nowhere/libperflab_cuda.so";
  const Runtime runtime(options);
  const Json devices = describe_devices(runtime, flags);
  ASSERT_EQ(devices.at("list").array().size(), 2u);
  EXPECT_EQ(devices.at("list").array()[1].at("name").text(), "cpu:1");
  EXPECT_EQ(devices.at("list").array()[1].at("cores").number(), 3);
  EXPECT_EQ(devices.at("link").at("kind").text(), "modelled");
  EXPECT_DOUBLE_EQ(devices.at("link").at("latency_us").number(), 5);
  EXPECT_EQ(devices.at("no_cuda_reason").text(), "no CUDA: libperflab_cuda.so is not built");
  EXPECT_EQ(describe_devices(runtime, {}).at("link").text(), "none");
}

}  // namespace perflab

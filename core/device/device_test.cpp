#include "device/device.h"

#include <gtest/gtest.h>

#include <latch>
#include <stdexcept>

#include "base/check.h"
#include "device/cpu_device.h"

namespace perflab {

TEST(Device, TheHostIsAlwaysThereAndAnUnknownNameListsWhatExists) {
  EXPECT_EQ(Device::named("cpu:0").name(), "cpu:0");
  EXPECT_EQ(Device::all().front(), &Device::named("cpu:0"));
  try {
    Device::named("cuda:0");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("cpu:0"), std::string::npos);
  }
}

TEST(Drain, WaitsForAllAlsoWhenOneOfThemFailed) {
  CpuDevice one({.name = "cpu:7", .pinned_cpus = {}}), two({.name = "cpu:8", .pinned_cpus = {}});
  std::latch gate(1);
  bool done = false;
  one.stream().enqueue([&](StreamContext&) {
    gate.count_down();
    throw std::domain_error("kernel");
  });
  two.stream().enqueue([&](StreamContext&) {
    gate.wait();
    done = true;
  });
  Device* const devices[] = {&one, &two};
  EXPECT_THROW(drain(devices), std::domain_error);
  EXPECT_TRUE(done);
}

TEST(Drain, WaitsForEveryNamedDeviceAndRefusesAnEmptyList) {
  struct Counting : Device {
    Counting() : Device("counting") {}
    void synchronize() override { ++drains; }
    int drains = 0;
  } a, b;
  Device* const both[] = {&a, &b};
  EXPECT_EQ(drain(both).devices().size(), 2u);
  EXPECT_EQ(a.drains, 1);
  EXPECT_EQ(b.drains, 1);
  EXPECT_THROW(drain({}), Error);
}

}  // namespace perflab

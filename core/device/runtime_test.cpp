#include "device/runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "device/parallel.h"
#include "device/sim_device.h"
#include "device/topology.h"

namespace perflab {

std::unique_ptr<Runtime>& test_runtime();  // tests/runtime_environment.cpp

TEST(Runtime, MakesTheCpuDevicesThatWereAskedFor) {
  const Runtime runtime({.cpu_devices = 3, .cores_per_device = 2, .memory_bytes_per_device = 1'000'000});
  std::vector<std::string> names;
  for (Device* device : runtime.devices())
    if (device->kind() == Kind::cpu) {
      names.push_back(device->name());
      EXPECT_EQ(device->info().cores, 2);
      EXPECT_EQ(device->info().memory_bytes, 1'000'000u);
      EXPECT_EQ(&Device::named(device->name()), device);
    }
  EXPECT_EQ(names, (std::vector<std::string>{"cpu:0", "cpu:1", "cpu:2"}));
  EXPECT_EQ(Device::all().data(), runtime.devices().data());
}

TEST(Runtime, DividesTheEffectiveProcessorsWithAtLeastOneForEach) {
  EXPECT_EQ(Runtime().devices()[0]->info().cores, this_machine().effective_cpus);
  EXPECT_EQ(Runtime({.cpu_devices = 64}).devices()[63]->info().cores,
            std::max(1, this_machine().effective_cpus / 64));
}

TEST(Runtime, RefusesOptionsOutOfRange) {
  for (const RuntimeOptions& options :
       {RuntimeOptions{.cpu_devices = 0}, RuntimeOptions{.cpu_devices = 65},
        RuntimeOptions{.cores_per_device = -1}, RuntimeOptions{.cores_per_device = 1025},
        RuntimeOptions{.link = LinkModel{.bandwidth_GBps = 0}}}) {
    EXPECT_THROW(Runtime{options}, Error);
    EXPECT_EQ(&Runtime::current(), test_runtime().get());
  }
}

TEST(Runtime, TheInnermostIsCurrentAndThenTheOneBefore) {
  Runtime& outer = Runtime::current();
  {
    Runtime inner({.cpu_devices = 2});
    EXPECT_EQ(&Runtime::current(), &inner);
    {
      const Runtime innermost;
      EXPECT_EQ(&Runtime::current(), &innermost);
    }
    EXPECT_EQ(&Runtime::current(), &inner);
  }
  EXPECT_EQ(&Runtime::current(), &outer);
}

TEST(Runtime, WithoutOneTheErrorSaysWhereToMakeIt) {
  test_runtime().reset();
  try {
    Runtime::current();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::check);
    EXPECT_NE(std::string(error.what()).find("make a perflab::Runtime in main"), std::string::npos);
  }
  test_runtime() = std::make_unique<Runtime>();
}

TEST(Runtime, AddedDevicesJoinAndANameIsTakenOnce) {
  Runtime runtime;
  Device& sim = runtime.add(std::make_unique<SimDevice>(0));
  EXPECT_EQ(&Device::named("sim:0"), &sim);
  EXPECT_EQ(runtime.devices().back(), &sim);
  EXPECT_THROW(runtime.add(std::make_unique<SimDevice>(0)), Error);
  EXPECT_THROW(runtime.add(std::make_unique<CpuDevice>(DeviceInfo{.name = "cpu:0", .pinned_cpus = {}})),
               Error);
  EXPECT_THROW(runtime.add(nullptr), Error);
}

TEST(Runtime, LinksAreMadeOnceAndModelledBetweenCpuDevicesOnly) {
  Runtime runtime({.cpu_devices = 2, .link = LinkModel{.latency_s = 1e-6, .bandwidth_GBps = 10}});
  Device& a = *runtime.devices()[0];
  Device& b = *runtime.devices()[1];
  Device& sim = runtime.add(std::make_unique<SimDevice>(0));
  EXPECT_EQ(&runtime.link(a, b), &runtime.link(a, b));
  EXPECT_NE(&runtime.link(a, b), &runtime.link(b, a));
  EXPECT_EQ(runtime.link(a, b).label(), "modelled");
  EXPECT_EQ(runtime.link(a, a).label(), "none");
  EXPECT_EQ(runtime.link(a, sim).label(), "none");
  Runtime plain({.cpu_devices = 2});
  EXPECT_EQ(plain.link(*plain.devices()[0], *plain.devices()[1]).label(), "none");
}

TEST(Runtime, SixtyFourDevicesPassABatonAroundByEvents) {
  Runtime runtime({.cpu_devices = 64, .cores_per_device = 2});
  constexpr int rounds = 20;
  std::int64_t steps = 0;  // not atomic: the events order who touches it
  std::vector<int> order;
  Event before;
  for (int round = 0; round < rounds; ++round)
    for (Device* device : runtime.devices()) {
      if (device->kind() != Kind::cpu) continue;
      Stream& stream = device->stream();
      stream.wait(before);
      stream.enqueue([&steps, &order, device](StreamContext&) {
        ++steps;
        order.push_back(device->index());
      });
      before = stream.record();
    }
  before.wait();
  ASSERT_EQ(steps, 64 * rounds);
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], int(i % 64));
}

TEST(Runtime, SixtyFourDevicesWorkSideBySideEachWithATeamOfItsOwn) {
  Runtime runtime({.cpu_devices = 64, .cores_per_device = 2});
  std::atomic<std::int64_t> elements{0};
  for (Device* device : runtime.devices())
    if (device->kind() == Kind::cpu)
      for (int piece = 0; piece < 2; ++piece)
        device->stream().enqueue([&](StreamContext& context) {
          parallel_for(context, 1000, 10,
                       [&](std::int64_t begin, std::int64_t end) { elements += end - begin; });
        });
  drain(runtime.devices());
  EXPECT_EQ(elements, 64 * 2 * 1000);
}

TEST(Runtime, DestructionFinishesWhatIsQueuedAlsoWhatDevicesEnqueueOnEachOther) {
  std::atomic<int> done{0};
  {
    Runtime runtime({.cpu_devices = 4, .cores_per_device = 1});
    for (int device = 0; device < 4; ++device)
      for (int i = 0; i < 500; ++i)
        runtime.devices()[std::size_t(device)]->stream(i % 3).enqueue([&, device](StreamContext&) {
          Device& next = *runtime.devices()[std::size_t(device + 1) % 4];
          next.stream().enqueue([&](StreamContext&) { ++done; });
          ++done;
        });
  }
  EXPECT_EQ(done, 4 * 500 * 2);
}

TEST(Runtime, DestructionSwallowsTheErrorsThatNobodyAskedFor) {
  std::atomic<int> ran{0};
  {
    Runtime runtime({.cpu_devices = 2});
    runtime.devices()[0]->stream().enqueue([](StreamContext&) { fail(ErrorKind::data, "broken"); });
    runtime.devices()[1]->stream().enqueue([&](StreamContext&) { ++ran; });
  }
  EXPECT_EQ(ran, 1);
}

TEST(Runtime, BuffersAndEventsOutliveIt) {
  Buffer small, large;
  Event event;
  {
    Runtime runtime({.cpu_devices = 2});
    Device& device = *runtime.devices()[1];
    small = device.allocate(100);
    large = device.allocate(5'000'000, device.stream(1));
    device.stream().enqueue([data = small.data()](StreamContext&) { std::memset(data, 5, 100); });
    event = device.stream().record();
  }
  EXPECT_TRUE(event.ready());
  event.wait();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(small.data()[i], std::byte(5));
  std::memset(large.data(), 1, large.bytes());
}

}  // namespace perflab

// A plugin as it should be: one device cuda:0 that has nothing to wait for.

#include <memory>

#include "device/plugin.h"

namespace {

using namespace perflab;

class FakeCuda : public Device {
 public:
  FakeCuda() : Device(DeviceInfo{.name = "cuda:0", .kind = Kind::cuda, .pinned_cpus = {}}) {}
  void synchronize() override {}
};

int count_devices(const char**) { return 1; }
Device* open_device(int, const char**) { return std::make_unique<FakeCuda>().release(); }

constexpr PluginInterface interface { plugin_version, count_devices, open_device };

}  // namespace

extern "C" const perflab::PluginInterface* perflab_plugin() { return &interface; }

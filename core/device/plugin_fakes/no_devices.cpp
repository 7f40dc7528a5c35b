// A plugin on a machine without a device for it.

#include "device/plugin.h"

namespace {

int count_devices(const char** reason) {
  *reason = "the driver\nis not loaded";
  return 0;
}
perflab::Device* open_device(int, const char**) { return nullptr; }

constexpr perflab::PluginInterface interface {
  perflab::plugin_version, perflab::plugin_layout, count_devices, open_device
};

}  // namespace

extern "C" const perflab::PluginInterface* perflab_plugin() { return &interface; }

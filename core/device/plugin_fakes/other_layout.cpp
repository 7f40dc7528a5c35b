// A plugin that was compiled with other sizes: nothing of it may be called.

#include <cstdlib>

#include "device/plugin.h"

namespace {

int count_devices(const char**) { std::abort(); }
perflab::Device* open_device(int, const char**) { std::abort(); }

constexpr perflab::PluginInterface interface {
  perflab::plugin_version, perflab::plugin_layout ^ 1, count_devices, open_device
};

}  // namespace

extern "C" const perflab::PluginInterface* perflab_plugin() { return &interface; }

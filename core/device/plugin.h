#pragma once
// Plugin — the CUDA devices, in a shared object that is loaded on demand: without it everything else works.
//
// The object exports one C function, `perflab_plugin`. A missing file, one that cannot be loaded, another
// version or a machine without such a device all mean the same: zero devices, and one line that says why.
// Objects are compiled with the headers of the program that loads them and find the symbols of core in it.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"

namespace perflab {

inline constexpr int plugin_version =
    1;  // raised whenever device.h, stream.h or this file change their layout
inline constexpr const char* plugin_file = "libperflab_cuda.so";
inline constexpr const char* plugin_symbol = "perflab_plugin";

struct PluginInterface {
  int version;  // plugin_version, as it was compiled
  // How many devices this machine has; for none, `*reason` points to a text that lives as long as the object.
  int (*count_devices)(const char** reason);
  // Gives device `index` away; null with a reason if it cannot be used. Throws nothing.
  Device* (*open_device)(int index, const char** reason);
};
using PluginEntry = const PluginInterface* (*)();

class Plugin {
 public:
  Plugin() = default;
  // Never fails: see no_devices_reason().
  static Plugin load(const std::filesystem::path& file);
  Plugin(Plugin&&) noexcept = default;
  Plugin& operator=(Plugin&&) noexcept = default;

  // Each device once, from the first call. They must be gone before the Plugin is.
  std::vector<std::unique_ptr<Device>> open_devices();
  const std::string& no_devices_reason() const {
    return reason_;
  }  // one line, "no CUDA: ..."; empty if there are

  // The file that is to be loaded: `given`, or the first that exists beside the program or one folder up, or
  // the bare name.
  static std::filesystem::path find(const std::filesystem::path& given);

 private:
  void say_why_not(const std::string& why);
  struct Unload {
    void operator()(void* object) const;
  };
  std::unique_ptr<void, Unload> object_;
  const PluginInterface* interface_ = nullptr;
  std::string reason_;
};

}  // namespace perflab

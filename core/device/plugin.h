#pragma once
// Plugin — the CUDA devices, in a shared object that is loaded on demand: without it everything else works.
//
// The object exports one C function, `perflab_plugin`. A missing file, one that cannot be loaded, another
// version or a machine without such a device all mean the same: zero devices, and one line that says why.
// Objects are compiled with the headers of the program that loads them and find the symbols of core in it.
// That both saw the same headers is checked twice, by plugin_version and by plugin_layout.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device/allocator.h"
#include "device/buffer.h"
#include "device/device.h"
#include "device/event.h"
#include "device/stream.h"
#include "device/task.h"

namespace perflab {

// Raised by hand when the headers that both sides compile (allocator.h, buffer.h, device.h, event.h,
// stream.h, task.h and this one) change in a way that no size shows: the order or the meaning of virtual
// functions and of members.
inline constexpr int plugin_version = 2;

// The sizes and alignments of what is inlined on both sides, and of the texts and lists inside of it.
template <typename... Types>
constexpr std::uint64_t layout_of() {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const std::size_t number : {sizeof(Types)..., alignof(Types)...})
    hash = (hash ^ std::uint64_t(number)) * 1099511628211u;
  return hash;
}
inline constexpr std::uint64_t plugin_layout =
    layout_of<Block, Buffer, StreamContext, Task, EventSource, Event, AllocatorStats, Allocator, DeviceInfo,
              Device, Completion, Stream, Turn, std::string, std::vector<int>>();

inline constexpr const char* plugin_file = "libperflab_cuda.so";
inline constexpr const char* plugin_symbol = "perflab_plugin";

struct PluginInterface {
  int version;           // plugin_version, as it was compiled
  std::uint64_t layout;  // plugin_layout, as it was compiled
  // How many devices this machine has; for none, `*reason` points to a text that lives as long as the object.
  int (*count_devices)(const char** reason);
  // Gives device `index` away; null with a reason if it cannot be used. Throws nothing.
  Device* (*open_device)(int index, const char** reason);
};
using PluginEntry = const PluginInterface* (*)();

class Plugin {
 public:
  Plugin() = default;
  // Never fails: see no_devices_reason(). What was loaded stays until the process ends: buffers, events and
  // tensors may outlive the Runtime, and the last handle of each runs code of the object.
  static Plugin load(const std::filesystem::path& file);
  Plugin(Plugin&&) noexcept = default;
  Plugin& operator=(Plugin&&) noexcept = default;

  // Each device once, from the first call.
  std::vector<std::unique_ptr<Device>> open_devices();
  const std::string& no_devices_reason() const {
    return reason_;
  }  // one line, "no CUDA: ..."; empty if there are

  // The file that is to be loaded: `given`, or the first that exists beside the program or one folder up, or
  // the bare name.
  static std::filesystem::path find(const std::filesystem::path& given);

 private:
  void say_why_not(const std::string& why);
  const PluginInterface* interface_ = nullptr;
  std::string reason_;
};

}  // namespace perflab

#include "device/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace perflab {
namespace {

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

const char* text_or(const char* text, const char* otherwise) { return text && *text ? text : otherwise; }

}  // namespace

void Plugin::say_why_not(const std::string& why) { reason_ = one_line("no CUDA: " + why); }

Plugin Plugin::load(const std::filesystem::path& file) {
  Plugin plugin;
  const std::string name = file.filename().string();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    plugin.say_why_not(name + " is not built");
    return plugin;
  }
  // An absolute path: a bare name would be looked for in the system's folders. Never closed, and
  // RTLD_NODELETE so that nobody else's dlclose unmaps it either: a Buffer that outlives the Runtime ends in
  // its allocator.
  void* object =
      ::dlopen(std::filesystem::absolute(file, error).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!object) {
    plugin.say_why_not(fmt::format("{} cannot be loaded: {}", name, text_or(::dlerror(), "unknown reason")));
    return plugin;
  }
  const auto entry = reinterpret_cast<PluginEntry>(::dlsym(object, plugin_symbol));
  const PluginInterface* interface = entry ? entry() : nullptr;
  if (!interface)
    plugin.say_why_not(fmt::format("{} has no {}; it is not one of perflab's", name, plugin_symbol));
  else if (interface->version != plugin_version)
    plugin.say_why_not(fmt::format("{} is version {}, this program wants {}; build both again", name,
                                   interface->version, plugin_version));
  else if (interface->layout != plugin_layout)
    plugin.say_why_not(
        fmt::format("{} was compiled with other headers or another compiler (layout {:016x}, "
                    "this program's is {:016x}); build both again",
                    name, interface->layout, plugin_layout));
  else plugin.interface_ = interface;
  return plugin;
}

std::vector<std::unique_ptr<Device>> Plugin::open_devices() {
  std::vector<std::unique_ptr<Device>> devices;
  if (!interface_) return devices;
  const char* reason = nullptr;
  const int count = interface_->count_devices(&reason);
  for (int index = 0; index < count; ++index)
    if (Device* device = interface_->open_device(index, &reason)) devices.emplace_back(device);
  if (devices.empty()) say_why_not(text_or(reason, "there is no such device"));
  return devices;
}

std::filesystem::path Plugin::find(const std::filesystem::path& given) {
  if (!given.empty()) return given;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& place : {folder, folder.parent_path()})
    if (!place.empty() && std::filesystem::exists(place / plugin_file, error)) return place / plugin_file;
  return plugin_file;
}

}  // namespace perflab

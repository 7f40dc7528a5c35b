// Runs in a process of its own, which the driver's library may crash or hang. Each step is printed before it
// is taken, one line each, words separated by tabs.
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <vector>

#include "base/check.h"
#include "driver/doctor/gpu_probe.h"

namespace perflab {
namespace {

template <typename... Words>
void say(const char* what, const Words&... words) {
  std::string line = what;
  ((line += fmt::format("\t{}", words)), ...);
  std::puts(line.c_str());
  std::fflush(stdout);
}

template <typename Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

// Folders that the loader looks through for this program; its cache comes on top.
void say_searched() {
  void* self = ::dlopen(nullptr, RTLD_NOW);
  Dl_serinfo needed{};
  if (self == nullptr || ::dlinfo(self, RTLD_DI_SERINFOSIZE, &needed) != 0) return;
  std::vector<Dl_serinfo> room(needed.dls_size / sizeof(Dl_serinfo) + 1);
  Dl_serinfo* info = room.data();
  info->dls_size = needed.dls_size;
  info->dls_cnt = needed.dls_cnt;
  if (::dlinfo(self, RTLD_DI_SERINFO, info) != 0) return;
  const Dl_serpath* paths = &info->dls_serpath[0];
  for (unsigned i = 0; i < info->dls_cnt; ++i) say("searched", paths[i].dls_name);
}

void say_management_version() {
  void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  const auto start = function<int()>(library, "nvmlInit_v2");
  const auto version = function<int(char*, unsigned)>(library, "nvmlSystemGetDriverVersion");
  std::array<char, 96> text{};
  if (start && version && start() == 0 && version(text.data(), unsigned(text.size()) - 1) == 0)
    say("driver", text.data());
}

void say_devices(void* library) {
  const auto count_of = function<int(int*)>(library, "cuDeviceGetCount");
  const auto get = function<int(int*, int)>(library, "cuDeviceGet");
  const auto name_of = function<int(char*, int, int)>(library, "cuDeviceGetName");
  const auto memory_of = function<int(std::size_t*, int)>(library, "cuDeviceTotalMem_v2");
  const auto attribute = function<int(int*, int, int)>(library, "cuDeviceGetAttribute");
  constexpr int major_capability = 75, minor_capability = 76;
  int count = 0;
  if (!count_of || !get || !name_of || count_of(&count) != 0) return;
  for (int i = 0; i < count; ++i) {
    int device = 0, major = 0, minor = 0;
    std::array<char, 256> name{};
    std::size_t bytes = 0;
    if (get(&device, i) != 0 || name_of(name.data(), int(name.size()) - 1, device) != 0) continue;
    if (memory_of) memory_of(&bytes, device);
    if (attribute) {
      attribute(&major, major_capability, device);
      attribute(&minor, minor_capability, device);
    }
    say("device", name.data(), bytes, fmt::format("{}.{}", major, minor));
  }
}

}  // namespace

int gpu_probe_child() {
  const rlimit no_core{0, 0};  // a crash is an answer here, not a file in the user's folder
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) std::signal(signal, SIG_DFL);
  say("step", "loading libcuda.so.1");
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* words = ::dlerror();
    const std::string reason = words == nullptr ? "" : words;  // the next call of the loader takes them away
    say_searched();
    say("no_library", reason);
    return exit_codes::ok;
  }
  int version = 0;
  say("step", "cuDriverGetVersion");
  if (const auto version_of = function<int(int*)>(library, "cuDriverGetVersion");
      version_of && version_of(&version) == 0)
    say("cuda", version);
  const auto init = function<int(unsigned)>(library, "cuInit");
  if (init == nullptr) {
    say("broken_library", "it has no cuInit");
    return exit_codes::ok;
  }
  say("step", "cuInit");
  const int code = init(0);
  say("init", code);
  if (code == 0) {
    say("step", "asking for the devices");
    say_devices(library);
  }
  say("step", "asking libnvidia-ml.so.1");
  say_management_version();
  say("end");
  return exit_codes::ok;
}

}  // namespace perflab

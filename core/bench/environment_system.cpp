// The operating system, memory, disk and the software that was built.
#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <charconv>
#include <string>

#include "base/clock.h"
#include "bench/build_info.h"
#include "bench/environment_parts.h"
#include "bench/sha256.h"
#include "device/team.h"

extern char** environ;

namespace perflab {
namespace {

std::string unquoted(std::string text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

// "always [madvise] never" -> "madvise"
std::optional<std::string> chosen(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const std::size_t from = text->find('['), to = text->find(']');
  if (from == std::string::npos || to == std::string::npos || to < from) return std::nullopt;
  return text->substr(from + 1, to - from - 1);
}

std::optional<std::int64_t> kilobytes(const SystemFiles& files, std::string_view key) {
  const auto text = files.line_value("/proc/meminfo", key);
  std::int64_t value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc())
    return std::nullopt;
  return value * 1024;
}

}  // namespace

std::optional<std::string> container_name(const SystemFiles& files) {
  if (files.exists("/.dockerenv")) return "docker";
  if (files.exists("/run/.containerenv")) return "podman";
  if (const auto manager = files.text("/run/systemd/container")) return manager;
  if (files.exists("/var/run/secrets/kubernetes.io")) return "kubernetes";
  if (files.exists("/.singularity.d")) return "apptainer";
  const auto groups = files.text("/proc/1/cgroup");
  if (!groups) return std::nullopt;
  for (const char* name : {"docker", "kubepods", "libpod", "lxc", "containerd"})
    if (groups->find(name) != std::string::npos) return name;
  // With a namespace of its own for control groups a container's path is "/", as a machine's may be.
  if (mounted_type(files, "/") == "overlay") return "without a name (its root is an overlay)";
  return "none found";
}

std::optional<double> load_average(const SystemFiles& files) {
  const auto text = files.text("/proc/loadavg");
  double value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc())
    return std::nullopt;
  return value;
}

void read_system(const SystemFiles& files, std::vector<EnvItem>& items) {
  auto os = files.line_value("/etc/os-release", "PRETTY_NAME");
  if (os) os = unquoted(*os);
  items.push_back(env_item("os", os, "/etc/os-release"));
  const auto kernel = files.text("/proc/sys/kernel/osrelease");
  items.push_back(env_item("kernel", kernel, "/proc/sys/kernel/osrelease"));
  std::optional<bool> wsl;
  if (kernel) wsl = kernel->find("icrosoft") != std::string::npos;
  items.push_back(env_item("wsl", wsl, "/proc/sys/kernel/osrelease", wsl.value_or(false)));
  const auto inside = container_name(files);
  items.push_back(env_item("container", inside, "marks in / and /run, /proc/1/cgroup, the root's filesystem",
                           inside && inside != "none found"));
  items.push_back(env_item("cgroup", files.text("/proc/self/cgroup"), "/proc/self/cgroup"));
  items.push_back(
      env_item("machine_vendor", files.text("/sys/class/dmi/id/sys_vendor"), "/sys/class/dmi/id/sys_vendor"));
  items.push_back(env_item("machine_product", files.text("/sys/class/dmi/id/product_name"),
                           "/sys/class/dmi/id/product_name"));
  const auto load = load_average(files);
  items.push_back(env_item("load_average_start", load, "/proc/loadavg", load.value_or(0) > 0.5));
  const std::string source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
  const auto clock = files.text(source);
  const bool fast = clock && (clock == "tsc" || clock == "kvm-clock" || clock == "arch_sys_counter");
  items.push_back(env_item("clock_source", clock, source, !fast));
  const ClockQuality quality = measure_quality(steady_clock());
  std::optional<std::int64_t> resolution;
  if (quality.resolution_ns > 0) resolution = quality.resolution_ns;
  items.push_back(
      env_item("clock_resolution_ns", resolution, "steady_clock, measured", resolution.value_or(0) > 1000));
  items.push_back(env_item("clock_overhead_ns", std::optional(quality.overhead_ns), "steady_clock, measured",
                           quality.overhead_ns > 200));
  const std::string aslr = "/proc/sys/kernel/randomize_va_space";
  items.push_back(env_item("aslr", files.number(aslr), aslr));
  const auto gpus = files.entries("/proc/driver/nvidia/gpus", "");
  const std::optional<std::int64_t> count(files.exists("/proc") ? std::optional(std::int64_t(gpus.size()))
                                                                : std::nullopt);
  items.push_back(env_item("nvidia_gpus", count, "/proc/driver/nvidia/gpus"));
}

void read_memory(const SystemFiles& files, std::vector<EnvItem>& items) {
  items.push_back(env_item("memory_bytes", kilobytes(files, "MemTotal"), "/proc/meminfo"));
  const auto available = kilobytes(files, "MemAvailable");
  items.push_back(env_item("memory_available_bytes", available, "/proc/meminfo",
                           available.value_or(0) < (std::int64_t(1) << 30)));
  const auto swap = kilobytes(files, "SwapTotal"), swap_free = kilobytes(files, "SwapFree");
  std::optional<std::int64_t> used;
  if (swap && swap_free) used = *swap - *swap_free;
  items.push_back(env_item("swap_used_bytes", used, "/proc/meminfo", used.value_or(0) > 0));
  const std::string huge = "/sys/kernel/mm/transparent_hugepage/enabled";
  items.push_back(env_item("transparent_huge_pages", chosen(files.text(huge)), huge));
  const auto maps = files.text("/proc/self/numa_maps");
  std::optional<std::string> policy;
  if (maps) {
    const std::size_t from = maps->find(' ');
    if (from != std::string::npos)
      policy = maps->substr(from + 1, maps->find_first_of(" \n", from + 1) - from - 1);
  }
  items.push_back(env_item("memory_policy", policy, "/proc/self/numa_maps"));
}

void read_software(std::vector<EnvItem>& items) {
  const BuildInfo& build = build_info();
  const auto add = [&](const char* name, const std::string& value, const char* source, bool worry = false) {
    items.push_back(env_item(name, value.empty() ? std::nullopt : std::optional(value), source, worry));
  };
  add("compiler", build.compiler + " " + build.compiler_version, "build");
  add("compiler_flags", build.flags, "build");
  add("build_type", build.type, "build", build.type != "Release");
  items.push_back(env_item("link_time_optimisation", std::optional(build.lto), "build"));
  add("sanitizer", build.sanitizer.empty() ? "none" : build.sanitizer, "build", !build.sanitizer.empty());
  for (const auto& [name, version] : build.libraries) add(("library_" + name).c_str(), version, "build");
  add("library_OpenSSL", sha256_library(), "OpenSSL_version");
  add("library_libc", std::string("glibc ") + gnu_get_libc_version(), "gnu_get_libc_version");
  add("thread_team", Team::engine(), "build");
  std::int64_t environment_bytes = 0;
  Json variables{Json::Object{}};
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    environment_bytes += std::int64_t(text.size()) + 1;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && is_recorded_variable(text.substr(0, equals)))
      variables.set(text.substr(0, equals), text.substr(equals + 1));
  }
  items.push_back({"environment_bytes", Json(double(environment_bytes)), "environ", EnvStatus::pass});
  items.push_back({"variables", variables, "environ, listed names only", EnvStatus::pass});
}

}  // namespace perflab

// What kind of machine it is: cores of two speeds, power supply, NUMA nodes, emulation, GPUs on the bus.
#include <fmt/format.h>
#include <langinfo.h>
#include <locale.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "bench/environment_parts.h"
#include "device/topology.h"

namespace perflab {
namespace {

// Speeds that differ by less are one kind: boost prefers some of a processor's equal cores.
constexpr double same_kind_ratio = 1.15;

std::optional<std::string> fast_and_slow(const std::map<int, std::int64_t>& speeds) {
  if (speeds.empty()) return std::nullopt;
  std::int64_t most = 0;
  for (const auto& [cpu, speed] : speeds) most = std::max(most, speed);
  std::vector<int> fast, slow;
  for (const auto& [cpu, speed] : speeds)
    (double(speed) * same_kind_ratio >= double(most) ? fast : slow).push_back(cpu);
  if (slow.empty()) return "one kind";
  return fmt::format("fast: {}; slow: {}", cpu_list_text(fast), cpu_list_text(slow));
}

// Intel names its two kinds; elsewhere the kernel tells each core's capacity, or at least its frequency.
std::optional<std::string> core_kinds(const SystemFiles& files) {
  const auto fast = files.text("/sys/devices/cpu_core/cpus"), slow = files.text("/sys/devices/cpu_atom/cpus");
  if (fast && slow) return fmt::format("fast: {}; slow: {}", *fast, *slow);
  const std::string folder = "/sys/devices/system/cpu/";
  for (const char* file : {"/cpu_capacity", "/cpufreq/cpuinfo_max_freq"}) {
    std::map<int, std::int64_t> speeds;
    for (const int cpu : cpu_list(files.text(folder + "online").value_or("")))
      if (const auto speed = files.number(fmt::format("{}cpu{}{}", folder, cpu, file))) speeds[cpu] = *speed;
    if (const auto kinds = fast_and_slow(speeds)) return kinds;
  }
  return std::nullopt;
}

std::optional<std::string> power(const SystemFiles& files) {
  const std::string folder = "/sys/class/power_supply";
  if (!files.exists(folder)) return std::nullopt;
  bool battery = false, discharging = false, mains = false;
  for (const std::string& name : files.entries(folder, "")) {
    const std::string at = folder + "/" + name;
    const std::string type = files.text(at + "/type").value_or("");
    if (type != "Battery") mains = mains || files.number(at + "/online") == 1;
    if (type != "Battery" || files.text(at + "/scope") == "Device") continue;  // a mouse's own
    battery = true;
    discharging = discharging || files.text(at + "/status") == "Discharging";
  }
  if (!battery) return "no battery";
  return discharging && !mains ? "on battery" : "battery, on mains";
}

// Somebody else's processor behind our instructions. The kernel's own word for the architecture that programs
// see, against what /proc/cpuinfo shows: an emulator of single programs passes the host's through.
std::optional<std::string> emulation(const SystemFiles& files) {
  const auto cpuinfo = files.text("/proc/cpuinfo");
  if (!cpuinfo) return std::nullopt;
  const auto holds = [&](const char* word) { return cpuinfo->find(word) != std::string::npos; };
  if (holds("VirtualApple")) return "Rosetta";
  if (holds("QEMU TCG")) return "QEMU without hardware virtualisation";
  std::string machine = files.text("/proc/sys/kernel/arch").value_or("");
  utsname names{};
  if (files.root() == "/" && ::uname(&names) == 0) machine = names.machine;
  const bool arm_inside = holds("CPU implementer"), x86_inside = holds("vendor_id");
  if ((machine == "x86_64" && arm_inside) || (machine == "aarch64" && x86_inside))
    return fmt::format("{} programs on a processor of another kind (qemu-user or the like)", machine);
  return "none found";
}

std::optional<std::string> node_cpus(const SystemFiles& files) {
  std::string text;
  for (const std::string& node : files.entries("/sys/devices/system/node", "node"))
    if (const auto cpus = files.text("/sys/devices/system/node/" + node + "/cpulist"))
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", node, *cpus);
  if (text.empty()) return std::nullopt;
  return text;
}

// Display and 3D controllers have class 0x03....
std::optional<std::int64_t> nvidia_on_the_bus(const SystemFiles& files) {
  const std::string folder = "/sys/bus/pci/devices";
  if (!files.exists(folder)) return std::nullopt;
  std::int64_t count = 0;
  for (const std::string& device : files.entries(folder, ""))
    count += files.text(folder + "/" + device + "/vendor") == "0x10de" &&
             files.text(folder + "/" + device + "/class").value_or("").starts_with("0x03");
  return count;
}

std::string chosen_locale(const char* category) {
  for (const char* name : {"LC_ALL", category, "LANG"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  return "C";
}

bool is_utf8(std::string name) {
  std::erase(name, '-');
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return name.find(".utf8") != std::string::npos;
}

}  // namespace

void read_machine(const SystemFiles& files, std::vector<EnvItem>& items) {
  const auto kinds = core_kinds(files);
  items.push_back(env_item("core_kinds", kinds, "cpu_core and cpu_atom, cpu_capacity or cpuinfo_max_freq",
                           kinds && kinds != "one kind"));
  const auto supply = power(files);
  items.push_back(env_item("power_supply", supply, "/sys/class/power_supply", supply == "on battery"));
  const auto emulator = emulation(files);
  items.push_back(env_item("emulation", emulator, "/proc/cpuinfo", emulator && emulator != "none found"));
  items.push_back(env_item("numa_node_cpus", node_cpus(files), "/sys/devices/system/node/node*/cpulist"));
  items.push_back(env_item("nvidia_gpus_on_bus", nvidia_on_the_bus(files), "/sys/bus/pci/devices"));
}

void read_locale(std::vector<EnvItem>& items) {
  const std::string name = chosen_locale("LC_CTYPE");
  items.push_back(env_item("locale", std::optional(name), "LC_ALL, LC_CTYPE, LANG", !is_utf8(name)));
  std::optional<std::string> sign;
  if (const locale_t numbers = ::newlocale(LC_NUMERIC_MASK, chosen_locale("LC_NUMERIC").c_str(), nullptr)) {
    sign = ::nl_langinfo_l(RADIXCHAR, numbers);
    ::freelocale(numbers);
  }
  items.push_back(env_item("locale_decimal_sign", sign, "LC_ALL, LC_NUMERIC, LANG"));
}

}  // namespace perflab

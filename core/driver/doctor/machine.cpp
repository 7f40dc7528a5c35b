#include <fmt/format.h>

#include <array>

#include "driver/doctor/rules.h"

namespace perflab {
namespace {

Finding power(const DoctorFacts& facts) {
  const std::string supply = facts.environment.text("power_supply");
  if (supply.empty()) return unknown("not told here");
  if (supply == "no battery" && facts.virtual_machine())
    return unknown("no battery is seen, but this is a virtual machine",
                   "its host may be a laptop that runs on one");
  if (supply != "on battery") return pass(supply);
  return warn(supply, "plug it in", "laptops slow down on battery, and again as it empties");
}

Finding load(const DoctorFacts& facts) {
  const auto average = facts.environment.number("load_average_start");
  if (!average) return unknown("not told here");
  const std::string value =
      fmt::format("{:.2f} on average over a minute, {} usable", *average, counted(facts.cpus(), "CPU"));
  if (!facts.environment.warns("load_average_start")) return pass(value);
  return warn(value, "close or wait for other programs (top shows them)",
              "more than 0.5 widens intervals; disturbed rows are marked");
}

Finding steal(const DoctorFacts& facts) {
  const auto ticks = facts.environment.number("steal_ticks"), all = facts.environment.number("total_ticks"),
             now = facts.during.number("steal_pct_over_run");
  if (!ticks || !all || *all <= 0) return unknown("not told here");
  const double since_boot_pct = 100 * *ticks / *all;
  std::string value = fmt::format("{:.1f} % of CPU time went to other machines since boot", since_boot_pct);
  if (now) value += fmt::format(", {:.1f} % just now", *now);
  if (since_boot_pct <= 1 && now.value_or(0) <= 1) return pass(value);
  return beware(value, "the host is shared: repeat at another hour, or take --profile reproduce");
}

Finding vm(const DoctorFacts& facts) {
  const auto hypervisor = facts.environment.flag("hypervisor");
  if (!hypervisor) return unknown("not told here");
  if (!*hypervisor) return pass("none: the programs run on the machine itself");
  std::string name = facts.environment.text("machine_vendor");
  if (const std::string product = facts.environment.text("machine_product"); !product.empty())
    name += (name.empty() ? "" : " ") + product;
  return beware(name.empty() ? "a virtual machine" : "a virtual machine: " + name,
                "ratios hold here; times and bandwidths are the virtual machine's");
}

Finding container(const DoctorFacts& facts) {
  const std::string name = facts.environment.text("container");
  if (name.empty()) return unknown("not told here");
  if (name == "none found") return pass("none found");
  return pass(name, "fine for measuring; quota, affinity and shm above and below are the container's");
}

Finding wsl(const DoctorFacts& facts) {
  const auto inside = facts.environment.flag("wsl");
  if (!inside) return unknown("not told here");
  if (!*inside) return pass(fmt::format("no: kernel {}", facts.environment.text("kernel")));
  return beware(fmt::format("Windows Subsystem for Linux, kernel {}", facts.environment.text("kernel")),
                "a virtual machine; keep the project in the Linux home, not below /mnt");
}

Finding emulation(const DoctorFacts& facts) {
  const std::string emulator = facts.environment.text("emulation");
  if (emulator.empty()) return unknown("not told here");
  if (emulator == "none found") return pass("none found");
  return warn(emulator, "use packages and a container image of the machine's own architecture",
              "every time is the emulator's; nothing here says anything about hardware");
}

constexpr std::array checks = {Check{"power", "Machine", power},         Check{"load", "Machine", load},
                               Check{"steal", "Machine", steal},         Check{"vm", "Machine", vm},
                               Check{"container", "Machine", container}, Check{"wsl", "Machine", wsl},
                               Check{"emulation", "Machine", emulation}};

}  // namespace

std::span<const Check> machine_checks() { return checks; }

}  // namespace perflab

#include "machine_facts.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "base/check.h"
#include "base/file.h"
#include "base/units.h"

namespace perflab::hardware {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  try {
    return read_file(path);
  } catch (const Error&) {  // absent, or not for us to read
    return "";
  }
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(folder, absent)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

// SMBIOS structure 17, "Memory Device": module size at byte 0x0c (two bytes, 0 = empty slot), type at byte
// 0x12.
constexpr std::size_t size_at = 0x0c, type_at = 0x12;

int generation_of(unsigned char smbios_type) {
  switch (smbios_type) {
    case 0x18:
      return 3;
    case 0x1a:
      return 4;
    case 0x22:
      return 5;
    default:
      return 0;
  }
}

}  // namespace

std::optional<int> ddr_generation(const fs::path& root) {
  std::optional<int> common;
  for (const fs::path& entry : entries_of(root / "sys/firmware/dmi/entries")) {
    if (!entry.filename().string().starts_with("17-")) continue;
    const std::string raw = text_of(entry / "raw");
    if (raw.size() <= type_at) return std::nullopt;
    if (raw[size_at] == 0 && raw[size_at + 1] == 0) continue;
    const int generation = generation_of(static_cast<unsigned char>(raw[type_at]));
    if (generation == 0 || (common && *common != generation)) return std::nullopt;
    common = generation;
  }
  return common;
}

std::optional<double> nic_line_rate_GBps(const fs::path& root) {
  std::optional<double> fastest;
  for (const fs::path& adapter : entries_of(root / "sys/class/net")) {
    if (!fs::exists(adapter / "device"))
      continue;  // loopback, bridges and tunnels have no hardware behind them
    std::string text = text_of(adapter / "speed");
    while (!text.empty() && text.back() == '\n') text.pop_back();
    double megabits = 0;
    try {
      megabits = parse_number(text);
    } catch (const Error&) {
      continue;
    }
    if (megabits <= 0) continue;  // -1: no link, or a virtual adapter
    fastest = std::max(fastest.value_or(0), megabits * 1e6 / 8 / 1e9);
  }
  return fastest;
}

}  // namespace perflab::hardware

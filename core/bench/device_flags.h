#pragma once
// Device flags — the devices that a run works on, as typed; the same for a lab alone, for the driver and,
// through the manifest, for a resumed run.

#include <string>
#include <vector>

#include "bench/json.h"
#include "device/runtime.h"

namespace perflab {

struct DeviceFlags {
  int cpu_devices = 1;
  int cores_per_device = 0;  // 0: the effective processors, divided among the devices
  std::string link = {};     // "LATENCY_us,GBps" of a modelled link; empty: memcpy

  static constexpr const char* cpu_devices_help = "Virtual CPU devices, cpu:0, cpu:1 ... (1..64, default 1)";
  static constexpr const char* cores_help =
      "Threads of each device's team (default: this machine's processors, divided among the devices)";
  static constexpr const char* link_help =
      "Copies between cpu devices take latency + bytes/bandwidth: --link 5,10 for 5 us and 10 GB/s "
      "(modelled)";
};

// Error(usage) for values out of range.
RuntimeOptions runtime_options(const DeviceFlags& flags);
// The flags again, as a lab takes them; nothing for what was left at its default.
std::vector<std::string> words_of(const DeviceFlags& flags);
// What the manifest keeps, and back: {"cpu_devices": 2, "cores_per_device": 1, "link": "5,10"}.
Json json_of(const DeviceFlags& flags);
DeviceFlags device_flags_from(const Json& stored);
// For a reader of the manifest: the devices that exist, with cores, the link's model, and why there is no
// CUDA.
Json describe_devices(const Runtime& runtime, const DeviceFlags& flags);

}  // namespace perflab

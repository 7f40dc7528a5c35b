#include "bench/device_flags.h"

#include "base/check.h"
#include "base/units.h"

namespace perflab {
namespace {

constexpr const char* kind_names[] = {"cpu", "sim", "cuda"};

LinkModel parse_link(const std::string& text) {
  const std::size_t comma = text.find(',');
  try {
    if (comma == std::string::npos) fail(ErrorKind::usage, "no comma");
    const LinkModel model{.latency_s = parse_number(text.substr(0, comma)) * 1e-6,
                          .bandwidth_GBps = parse_number(text.substr(comma + 1))};
    LinkSchedule check(model);
    return model;
  } catch (const Error& error) {
    fail(ErrorKind::usage, "--link {}: {}; want LATENCY_us,GBps, as 5,10 for 5 us and 10 GB/s", text,
         error.what());
  }
}

}  // namespace

RuntimeOptions runtime_options(const DeviceFlags& flags) {
  if (flags.cpu_devices < 1 || flags.cpu_devices > 64)
    fail(ErrorKind::usage, "--cpu-devices {}: want 1 to 64", flags.cpu_devices);
  if (flags.cores_per_device < 0 || flags.cores_per_device > 1024)
    fail(ErrorKind::usage, "--cores-per-device {}: want 1 to 1024", flags.cores_per_device);
  RuntimeOptions options;
  options.cpu_devices = flags.cpu_devices;
  options.cores_per_device = flags.cores_per_device;
  if (!flags.link.empty()) options.link = parse_link(flags.link);
  return options;
}

std::vector<std::string> words_of(const DeviceFlags& flags) {
  std::vector<std::string> words;
  const auto add = [&](const char* name, const std::string& value) {
    words.insert(words.end(), {name, value});
  };
  if (flags.cpu_devices != 1) add("--cpu-devices", std::to_string(flags.cpu_devices));
  if (flags.cores_per_device != 0) add("--cores-per-device", std::to_string(flags.cores_per_device));
  if (!flags.link.empty()) add("--link", flags.link);
  return words;
}

Json json_of(const DeviceFlags& flags) {
  return Json::Object{
      {"cpu_devices", flags.cpu_devices}, {"cores_per_device", flags.cores_per_device}, {"link", flags.link}};
}

DeviceFlags device_flags_from(const Json& stored) {
  return {.cpu_devices = int(stored.at("cpu_devices").number()),
          .cores_per_device = int(stored.at("cores_per_device").number()),
          .link = stored.at("link").text()};
}

Json describe_devices(const Runtime& runtime, const DeviceFlags& flags) {
  Json::Array devices;
  for (const Device* device : runtime.devices())
    devices.push_back(Json::Object{{"name", device->name()},
                                   {"kind", kind_names[int(device->kind())]},
                                   {"cores", device->info().cores},
                                   {"memory_bytes", double(device->info().memory_bytes)},
                                   {"modelled", device->info().modelled}});
  Json link = "none";
  if (!flags.link.empty()) {
    const LinkModel model = *runtime_options(flags).link;
    link = Json::Object{{"kind", "modelled"},
                        {"latency_us", model.latency_s * 1e6},
                        {"bandwidth_GBps", model.bandwidth_GBps}};
  }
  return Json::Object{{"list", devices}, {"link", link}, {"no_cuda_reason", runtime.no_cuda_reason()}};
}

}  // namespace perflab

#include "device/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "base/check.h"
#include "device/cpu_device.h"
#include "device/plugin.h"
#include "device/topology.h"

namespace perflab {
namespace {

std::atomic<Runtime*> innermost{nullptr};

// Work of one device may enqueue more on another, as long as it likes: all have finished when a round of
// waiting found nothing new. Errors that nobody asked for end here.
void finish(std::span<Device* const> devices) {
  const auto issued = [devices] {
    std::uint64_t sum = 0;
    for (const Device* device : devices) sum += device->issued();
    return sum;
  };
  std::uint64_t before = 0;
  do {
    before = issued();
    for (Device* device : devices) try {
        device->synchronize();
      } catch (...) {
      }
  } while (issued() != before);
}

int cores_each(const RuntimeOptions& options) {
  if (options.cores_per_device > 0) return options.cores_per_device;
  return std::max(1, this_machine().effective_cpus / options.cpu_devices);
}

}  // namespace

// In the order in which things were made; they go in the opposite one: devices, links. The code of foreign
// devices stays.
struct Runtime::State {
  explicit State(RuntimeOptions given) : options(std::move(given)) {}
  const RuntimeOptions options;
  Plugin plugin;
  std::mutex mutex;  // of the links
  std::map<std::pair<Device*, Device*>, std::unique_ptr<Link>> links;
  std::vector<std::unique_ptr<Device>> devices;
};

Runtime::Runtime(RuntimeOptions options) : outer_(innermost.load()) {
  PL_CHECK(options.cpu_devices >= 1 && options.cpu_devices <= 64, "runtime: {} cpu devices; want 1..64",
           options.cpu_devices);
  PL_CHECK(options.cores_per_device >= 0 && options.cores_per_device <= 1024,
           "runtime: {} cores per device; want 1..1024, or 0 for a share of this machine's",
           options.cores_per_device);
  if (options.link) LinkSchedule check(*options.link);
  state_ = std::make_unique<State>(std::move(options));
  const RuntimeOptions& chosen = state_->options;
  listed_.reserve(256);  // whoever holds devices() keeps it when a test adds one
  for (int index = 0; index < chosen.cpu_devices; ++index)
    add(std::make_unique<CpuDevice>(DeviceInfo{.name = fmt::format("cpu:{}", index),
                                               .kind = Kind::cpu,
                                               .index = index,
                                               .cores = cores_each(chosen),
                                               .pinned_cpus = {},
                                               .memory_bytes = chosen.memory_bytes_per_device}));
  state_->plugin = Plugin::load(Plugin::find(chosen.plugin));
  for (std::unique_ptr<Device>& device : state_->plugin.open_devices()) add(std::move(device));
  no_cuda_ = state_->plugin.no_devices_reason();
  innermost.store(this);
}

Runtime::~Runtime() {
  finish(listed_);
  // What finishing devices run may still ask for the current Runtime, so that is this one until they are
  // gone.
  while (!state_->devices.empty()) state_->devices.pop_back();
  innermost.store(outer_);
}

Device& Runtime::add(std::unique_ptr<Device> device) {
  PL_CHECK(device != nullptr, "runtime: there is no device to add");
  for (const Device* known : listed_)
    PL_CHECK(known->name() != device->name(), "runtime: there is a device {} already; want another name",
             device->name());
  listed_.push_back(device.get());
  state_->devices.push_back(std::move(device));
  return *listed_.back();
}

Link& Runtime::link(Device& from, Device& to) {
  const std::lock_guard lock(state_->mutex);
  std::unique_ptr<Link>& link = state_->links[{&from, &to}];
  if (link) return *link;
  const bool between_cpus = from.kind() == Kind::cpu && to.kind() == Kind::cpu && &from != &to;
  link = state_->options.link && between_cpus ? std::make_unique<Link>(*state_->options.link, steady_clock())
                                              : std::make_unique<Link>();
  return *link;
}

bool Runtime::links_are_modelled() const { return state_->options.link && state_->options.cpu_devices > 1; }

Runtime& Runtime::current() {
  Runtime* runtime = innermost.load(std::memory_order_acquire);
  PL_CHECK(runtime != nullptr,
           "runtime: there is none; make a perflab::Runtime in main before devices are used");
  return *runtime;
}

}  // namespace perflab

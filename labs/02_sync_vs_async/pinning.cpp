#include "pinning.h"

#include <fmt/format.h>

#include <map>

namespace perflab::waiting {

std::vector<int> allowed_processors() {
  cpu_set_t set;
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return processors;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &set)) processors.push_back(processor);
  return processors;
}

PinGuard::PinGuard(int processor) : pinned_(sched_getaffinity(0, sizeof(before_), &before_) == 0) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  pinned_ = pinned_ && sched_setaffinity(0, sizeof(one), &one) == 0;
}

PinGuard::~PinGuard() {
  if (pinned_) sched_setaffinity(0, sizeof(before_), &before_);
}

std::shared_ptr<CpuDevice> device_on(int processor) {
  static std::map<int, std::weak_ptr<CpuDevice>> made;
  if (auto known = made[processor].lock()) return known;
  DeviceInfo info;
  info.name = fmt::format("cpu:on_{}", processor);
  info.pinned_cpus = {processor};
  auto device = std::make_shared<CpuDevice>(std::move(info));
  made[processor] = device;
  return device;
}

}  // namespace perflab::waiting

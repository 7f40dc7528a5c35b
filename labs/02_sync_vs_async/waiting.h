#pragma once
// Waiting — the one way in which this lab waits for a queue on purpose: counted, as reading a value is.

#include "device/device.h"
#include "engine/policy.h"

namespace perflab::waiting {

inline void wait_for(Device& device) {
  count_wait();
  device.stream().synchronize();
}

inline constexpr const char* engine_subject = "perflab_engine";  // what stands in for a framework

}  // namespace perflab::waiting

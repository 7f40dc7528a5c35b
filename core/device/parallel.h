#pragma once
// parallel_for — a loop over 0..count, split over the team of the device that runs it.
//
// body(begin, end) is called once per part, with parts of whole multiples of `grain` (the last takes the
// rest), so that which thread does an element never changes the element's value. Runs serially when count <=
// grain or the context has one thread. An exception of any part is rethrown after all have finished.

#include <cstdint>

#include "device/device.h"
#include "device/team.h"

namespace perflab {

template <typename Body>
void parallel_for(StreamContext& context, std::int64_t count, std::int64_t grain, const Body& body) {
  if (context.threads <= 1 || count <= grain) {
    if (count > 0) body(std::int64_t(0), count);
    return;
  }
  Team& team = context.device.team();
  team.run([&](int member) {
    const Range part = share(count, member, team.threads(), grain);
    if (part.begin < part.end) body(part.begin, part.end);
  });
}

}  // namespace perflab

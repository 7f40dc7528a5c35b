#pragma once
// sleep — waiting for a point in time without using a processor: how modelled durations pass.

#include <cstdint>
#include <functional>

namespace perflab {

using SleepUntil = std::function<void(std::int64_t ns)>;

// Returns when steady_clock() shows at least `ns`; at once if it does already. As exact as the system wakes
// threads up, which is some tens of microseconds late; whoever needs a rate keeps a schedule instead of
// adding sleeps up.
void sleep_until(std::int64_t ns);

}  // namespace perflab

#include "base/stop.h"

#include <atomic>

namespace perflab {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait for a lock");

}  // namespace

void request_stop(bool wanted) noexcept { requested.store(wanted, std::memory_order_relaxed); }
bool stop_requested() noexcept { return requested.load(std::memory_order_relaxed); }

}  // namespace perflab

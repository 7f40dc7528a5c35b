#include "device/progress.h"

#include <algorithm>

#include "base/check.h"
#include "device/spin.h"

namespace perflab {

void Progress::wait_quietly(std::uint64_t ticket) const {
  if (reached(ticket)) return;
  PL_CHECK(running_here() != this,
           "stream: its own work waits for it, which never ends; want the wait outside of the work, or an "
           "event of "
           "another stream");
  if (spin_until([&] { return reached(ticket); })) return;
  std::unique_lock lock(mutex_);
  while (true) {
    wanted_.store(std::min(wanted_.load(std::memory_order_relaxed), ticket), std::memory_order_seq_cst);
    if (completed_.load(std::memory_order_seq_cst) >= ticket) return;
    reached_.wait(lock);
  }
}

const Progress*& Progress::running_here() {
  static thread_local const Progress* running = nullptr;
  return running;
}

void Progress::wait(std::uint64_t ticket) const {
  wait_quietly(ticket);
  if (!ever_failed_.load(std::memory_order_acquire)) return;
  const std::lock_guard guard(mutex_);
  for (const Failure& failure : failures_)
    if (failure.first <= ticket && ticket <= failure.last) std::rethrow_exception(failure.error);
}

void Progress::complete(std::uint64_t ticket) {
  completed_.store(ticket, std::memory_order_seq_cst);
  if (ticket < wanted_.load(std::memory_order_seq_cst)) return;
  {
    const std::lock_guard guard(mutex_);
    wanted_.store(UINT64_MAX, std::memory_order_relaxed);  // sleepers that want more say so again
  }
  reached_.notify_all();
}

void Progress::fail(std::uint64_t ticket, std::exception_ptr error) {
  static std::atomic<std::uint64_t> failures_so_far{0};
  const std::lock_guard guard(mutex_);
  if (failures_.size() == most_remembered) failures_.erase(failures_.begin());
  failures_.push_back({ticket, ticket, failures_so_far.fetch_add(1), std::move(error)});
  ever_failed_.store(true, std::memory_order_release);
  poisoned_.store(true, std::memory_order_release);
}

bool Progress::skips(std::uint64_t ticket) {
  if (!poisoned()) return false;
  const std::lock_guard guard(mutex_);
  if (!poisoned()) return false;
  failures_.back().last = ticket;
  return true;
}

Progress::Failure Progress::take_failure() {
  const std::lock_guard guard(mutex_);
  if (!poisoned()) return {};
  poisoned_.store(false, std::memory_order_release);
  return failures_.back();
}

}  // namespace perflab

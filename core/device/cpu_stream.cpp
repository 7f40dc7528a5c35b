#include "device/cpu_stream.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "device/spin.h"

namespace perflab {
namespace {

// Best effort: a processor that the process may not use is a matter for whoever made the device, not for its
// thread.
void pin_this_thread(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus)
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_SET(std::size_t(cpu), &set);
  if (CPU_COUNT(&set) > 0) pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

}  // namespace

CpuStream::CpuStream(Device& device, int index)
    : Stream(device, index),
      progress_(std::make_shared<Progress>()),
      context_{device, *this, index == compute_stream ? device.info().cores : 1} {}

CpuStream::~CpuStream() {
  stop_.store(true, std::memory_order_seq_cst);
  wake();
  if (thread_.joinable()) thread_.join();
}

void CpuStream::start() {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    fail(ErrorKind::environment,
         "stream {} of {}: the system gives no thread ({}); want fewer devices or streams", index(),
         device().name(), error.what());
  }
}

void CpuStream::enqueue(Task&& work, std::int64_t most_pending) {
  PL_CHECK(work, "stream {} of {}: an empty task was enqueued; want something to run", index(),
           device().name());
  std::call_once(started_, [this] { start(); });
  if (most_pending > 0) make_room(most_pending);
  queue_.push(std::move(work), progress_->issued_ticket);
  wake();
}

void CpuStream::make_room(std::int64_t most) {
  const auto ahead = [&] {
    const std::uint64_t issued = progress_->issued_ticket.load(std::memory_order_relaxed);
    return std::int64_t(issued - seen_completed_.load(std::memory_order_relaxed));
  };
  if (ahead() < most) return;
  seen_completed_.store(progress_->completed(), std::memory_order_relaxed);
  if (ahead() < most) return;
  wait_for_room(std::max<std::int64_t>(1, most / 2));
  seen_completed_.store(progress_->completed(), std::memory_order_relaxed);
}

void CpuStream::wake() {
  if (!asleep_.load(std::memory_order_seq_cst) || !asleep_.exchange(false)) return;  // once per sleep
  {
    const std::lock_guard guard(mutex_);
  }  // a thread about to sleep has either seen the news or is asleep now
  wake_.notify_one();
}

bool CpuStream::may_run() const {
  return progress_->issued_ticket.load(std::memory_order_seq_cst) != progress_->completed() &&
         !turn_taken_.load(std::memory_order_seq_cst);
}

bool CpuStream::wait_for_work() {
  const auto ready = [this] { return may_run() || stop_.load(std::memory_order_seq_cst); };
  if (!spin_until(ready)) {
    std::unique_lock lock(mutex_);
    while (true) {
      asleep_.store(true,
                    std::memory_order_seq_cst);  // before it looks: a producer looks the other way round
      if (ready()) break;
      wake_.wait(lock);
    }
    asleep_.store(false, std::memory_order_relaxed);
  }
  return !stop_.load(std::memory_order_acquire) || progress_->issued() != progress_->completed();
}

void CpuStream::work() {
  const DeviceInfo& info = device().info();
  pthread_setname_np(pthread_self(), fmt::format("{}/{}", info.name, index()).substr(0, 15).c_str());
  Progress::running_here() = progress_.get();
  if (!info.pinned_cpus.empty()) pin_this_thread(info.pinned_cpus);
  while (wait_for_work()) {
    if (turn_taken_.exchange(true, std::memory_order_acquire)) continue;
    run_all();
    turn_taken_.store(false, std::memory_order_release);
  }
}

void CpuStream::run_all() {
  // The producers' count is read once per batch: its cache line is theirs while they write.
  constexpr std::uint64_t batch = 16;
  for (std::uint64_t completed = progress_->completed();;) {
    const std::uint64_t issued = progress_->issued();
    if (completed == issued) return;
    if (std::int64_t(issued - completed) > longest_queue_.load(std::memory_order_relaxed))
      longest_queue_.store(std::int64_t(issued - completed), std::memory_order_relaxed);
    for (const std::uint64_t end = std::min(issued, completed + batch); completed < end;)
      run_front(++completed);
  }
}

void CpuStream::run_front(std::uint64_t ticket) {
  Task& task = queue_.front();
  const bool poisoned = progress_->skips(ticket);
  if (!poisoned || task.keeps_order()) {
    try {
      task(context_);
    } catch (...) {
      if (!poisoned) progress_->fail(ticket, std::current_exception());
    }
  }
  task.reset();  // before the ticket is complete: who waits for it finds what the task held given back
  queue_.pop();
  progress_->complete(ticket);
}

StreamContext* CpuStream::begin_here() {
  if (progress_->issued() != progress_->completed()) return nullptr;
  // The thread gives the turn back a few instructions after it completed its last ticket.
  for (int tries = 0; turn_taken_.exchange(true, std::memory_order_acquire); ++tries) {
    if (tries == 200) return nullptr;
    spin_pause();
  }
  if (progress_->issued() == progress_->completed() && !progress_->poisoned()) {
    outer_running_ = std::exchange(Progress::running_here(), progress_.get());
    return &context_;
  }
  give_turn();
  return nullptr;
}

void CpuStream::end_here() noexcept {
  Progress::running_here() = outer_running_;
  give_turn();
}

void CpuStream::give_turn() noexcept {
  turn_taken_.store(false, std::memory_order_seq_cst);
  // What came meanwhile found the turn taken. Nothing came: the thread may sleep on.
  if (progress_->issued_ticket.load(std::memory_order_seq_cst) != progress_->completed()) wake();
}

void CpuStream::synchronize() {
  progress_->wait_quietly(progress_->issued());
  if (const Progress::Failure failure = clear_failure(); failure.error) std::rethrow_exception(failure.error);
}

Progress::Failure CpuStream::clear_failure() {
  if (!progress_->poisoned()) return {};
  Progress::Failure failure = progress_->take_failure();
  // A ticket beyond the failure: an event that is recorded from now on is not covered by it.
  if (failure.error) enqueue([](StreamContext&) {});
  return failure;
}

std::int64_t CpuStream::pending() const {
  const std::uint64_t completed = progress_->completed();  // first: what is issued meanwhile only adds
  return std::int64_t(progress_->issued() - completed);
}

void CpuStream::wait_for_room(std::int64_t most) {
  PL_CHECK(most >= 1, "stream {} of {}: room for {} pieces; want at least 1", index(), device().name(), most);
  const std::uint64_t issued = progress_->issued();
  if (issued >= std::uint64_t(most)) progress_->wait_quietly(issued - std::uint64_t(most) + 1);
}

}  // namespace perflab

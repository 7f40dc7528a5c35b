#include "ping_pong.h"

#include "base/simd.h"

namespace perflab::hardware {
namespace {

constexpr std::uint32_t leave = 0xffffffff;
constexpr int spins_before_yield = 1 << 14;  // with more threads than processors, let the partner run
constexpr int spins_before_sleep = 1 << 12;  // 50 to 200 us: hundreds of round trips
constexpr int spins_between_looks = 1 << 6;  // an answer from a partner that spins comes sooner

}  // namespace

PingPong::~PingPong() {
  pass(leave);
  turn_.notify_one();
  partner_.join();
}

void PingPong::round_trip() {
  const std::uint32_t mine = turn_.load(std::memory_order_relaxed);
  pass(mine + 1);
  if (wait_ == Wait::spin) await_answer(mine + 1);
  else await_change(mine + 1);
}

void PingPong::serve() {
  for (std::uint32_t seen = 0;;) {
    seen = wait_ == Wait::spin ? await_ping(seen) : await_change(seen);
    if (seen == leave) return;
    answered_.fetch_add(1, std::memory_order_relaxed);
    pass(++seen);
  }
}

void PingPong::pass(std::uint32_t value) {
  if (wait_ == Wait::condvar) {
    const std::lock_guard lock(mutex_);
    turn_.store(value, std::memory_order_release);
    changed_.notify_one();
    return;
  }
  turn_.store(value, std::memory_order_release);
  if (wait_ == Wait::atomic_wait) turn_.notify_one();
}

std::uint32_t PingPong::await_change(std::uint32_t from) {
  if (wait_ == Wait::atomic_wait) {
    turn_.wait(from, std::memory_order_acquire);
  } else {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return turn_.load(std::memory_order_relaxed) != from; });
  }
  return turn_.load(std::memory_order_acquire);
}

std::uint32_t PingPong::await_ping(std::uint32_t from) {
  for (int spins = 0; turn_.load(std::memory_order_acquire) == from; ++spins) {
    spin_pause();
    if (spins < spins_before_sleep) continue;
    sleeping_.store(true, std::memory_order_release);
    turn_.wait(from, std::memory_order_acquire);
    sleeping_.store(false, std::memory_order_release);
  }
  return turn_.load(std::memory_order_acquire);
}

// Whether the partner sleeps is asked only when its answer is late, and then again and again: a ping to one
// that spins is a store and nothing else, and one that falls asleep at this moment is not missed.
void PingPong::await_answer(std::uint32_t from) {
  for (int spins = 1; turn_.load(std::memory_order_acquire) == from; ++spins) {
    spin_pause();
    if (spins % spins_between_looks == 0 && sleeping_.load(std::memory_order_acquire)) turn_.notify_one();
    if (spins < spins_before_yield) continue;
    std::this_thread::yield();
    spins = spins_before_yield;
  }
}

}  // namespace perflab::hardware

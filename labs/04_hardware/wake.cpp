// How long one thread takes to wake another, by three ways of waiting. A call is a round trip: two one-way
// wake-ups.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/simd.h"
#include "bodies.h"
#include "scaled.h"

namespace perflab::hardware {
namespace {

constexpr std::uint32_t leave = 0xffffffff;
constexpr int spins_before_yield = 1 << 14;  // with more threads than processors, let the partner run

// Two threads hand a counter to and fro: even, it is the caller's turn; odd, the partner's. Only the
// partner's thread ends in the destructor.
class PingPong {
 public:
  enum class Wait { spin, atomic_wait, condvar };

  explicit PingPong(Wait wait) : wait_(wait), partner_([this] { serve(); }) {}
  ~PingPong() {
    pass(leave);
    partner_.join();
  }
  PingPong(const PingPong&) = delete;

  void round_trip() {
    const std::uint32_t mine = turn_.load(std::memory_order_relaxed);
    pass(mine + 1);
    await_change(mine + 1);
  }
  std::uint32_t handshakes() const { return turn_.load(std::memory_order_acquire); }
  std::uint32_t answered() const { return answered_.load(std::memory_order_acquire); }

 private:
  void serve() {
    for (std::uint32_t seen = 0;;) {
      seen = await_change(seen);
      if (seen == leave) return;
      answered_.fetch_add(1, std::memory_order_relaxed);
      pass(++seen);
    }
  }
  void pass(std::uint32_t value) {
    if (wait_ == Wait::condvar) {
      const std::lock_guard lock(mutex_);
      turn_.store(value, std::memory_order_release);
      changed_.notify_one();
      return;
    }
    turn_.store(value, std::memory_order_release);
    if (wait_ == Wait::atomic_wait) turn_.notify_one();
  }
  std::uint32_t await_change(std::uint32_t from) {
    switch (wait_) {
      case Wait::spin:
        for (int spins = 0; turn_.load(std::memory_order_acquire) == from; ++spins) {
          spin_pause();
          if (spins >= spins_before_yield) std::this_thread::yield();
        }
        break;
      case Wait::atomic_wait:
        turn_.wait(from, std::memory_order_acquire);
        break;
      case Wait::condvar: {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turn_.load(std::memory_order_relaxed) != from; });
        break;
      }
    }
    return turn_.load(std::memory_order_acquire);
  }

  Wait wait_;
  alignas(64) std::atomic<std::uint32_t> turn_{0};
  alignas(64) std::atomic<std::uint32_t> answered_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread partner_;  // last: it starts when everything it uses is there
};

PingPong::Wait wait_of(const Case& c) {
  if (c.is("spin")) return PingPong::Wait::spin;
  return c.is("atomic_wait") ? PingPong::Wait::atomic_wait : PingPong::Wait::condvar;
}

}  // namespace

void wake_body(Case& c) {
  if (this_machine().effective_cpus < 2)
    return c.skip("one_cpu", "two threads that wake each other need two processors");
  auto pair = std::make_shared<PingPong>(wait_of(c));
  for (int i = 0; i < 3; ++i) pair->round_trip();
  c.expect(pair->answered() == 3 && pair->handshakes() == 6,
           "three round trips are not three answers and six handshakes");
  c.threads(2, nullptr);
  c.verify([pair] { return Verified{2 * pair->answered() == pair->handshakes(), pair->handshakes()}; });
  c.measure_counts([pair](Counts& counts) {
    pair->round_trip();
    counts.add("handshakes_count", 2);
  });
}

void derive_wake(const Results& results, Derived& derived) {
  for (const char* variant : {"spin", "atomic_wait", "condvar"}) {
    const Series* series = results.only("wake", {}, variant);
    std::optional<Estimate> one_way;
    if (series != nullptr && !series->timed.empty()) one_way = scaled(series->finish_ns(), 0.5);
    add_or_missing(derived, std::string("wake_") + variant + "_ns", "ns", one_way, "no_valid_samples");
  }
}

}  // namespace perflab::hardware

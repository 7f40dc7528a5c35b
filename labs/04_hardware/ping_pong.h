#pragma once
// PingPong — two threads hand a counter to and fro, by one of three ways of waiting.
//
// Even, it is the caller's turn; odd, the partner's. The partner is a thread of its own, which ends in the
// destructor. One that spins gives up after `spins_before_sleep` turns without a ping and sleeps until the
// next one, so that it takes no processor from whatever else runs meanwhile; pings that follow each other
// never see that. One caller at a time.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace perflab::hardware {

class PingPong {
 public:
  enum class Wait { spin, atomic_wait, condvar };

  explicit PingPong(Wait wait) : wait_(wait), partner_([this] { serve(); }) {}
  ~PingPong();
  PingPong(const PingPong&) = delete;

  void round_trip();
  std::uint32_t handshakes() const { return turn_.load(std::memory_order_acquire); }
  std::uint32_t answered() const { return answered_.load(std::memory_order_acquire); }
  bool partner_gave_up_spinning() const { return sleeping_.load(std::memory_order_acquire); }

 private:
  void serve();
  void pass(std::uint32_t value);
  std::uint32_t await_change(std::uint32_t from);  // atomic_wait and condvar
  std::uint32_t await_ping(std::uint32_t from);    // spin: the partner's side
  void await_answer(std::uint32_t from);           // spin: the caller's side

  Wait wait_;
  alignas(64) std::atomic<std::uint32_t> turn_{0};
  alignas(64) std::atomic<std::uint32_t> answered_{0};
  alignas(64) std::atomic<bool> sleeping_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread partner_;  // last: it starts when everything it uses is there
};

}  // namespace perflab::hardware

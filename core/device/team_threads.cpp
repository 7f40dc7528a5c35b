// Teams on std::thread: members spin for a moment after each run, then sleep on an atomic.

#include <atomic>
#include <exception>
#include <set>
#include <thread>
#include <vector>

#include "base/check.h"
#include "base/simd.h"
#include "device/team.h"

namespace perflab {
namespace {

constexpr int spins =
    20'000;  // some 100 us: longer than the gap between back-to-back runs, shorter than a scheduler tick

}  // namespace

struct Team::State {
  explicit State(int count) : errors(std::size_t(count)), ids(std::size_t(count)) {}

  std::vector<std::thread> workers;
  const std::function<void(int)>* work = nullptr;
  std::atomic<std::uint32_t> round{0};  // raised once per run
  std::atomic<int> running{0};
  std::atomic<bool> leaving{false};
  std::vector<std::exception_ptr> errors;
  std::vector<std::thread::id> ids;

  void take_part(int member) {
    ids[std::size_t(member)] = std::this_thread::get_id();
    try {
      (*work)(member);
    } catch (...) {
      errors[std::size_t(member)] = std::current_exception();
    }
  }

  void serve(int member) {
    std::uint32_t seen = 0;
    while (true) {
      for (int spin = 0; spin < spins && round.load(std::memory_order_acquire) == seen; ++spin) spin_pause();
      round.wait(seen, std::memory_order_acquire);
      seen = round.load(std::memory_order_acquire);
      if (leaving.load(std::memory_order_acquire)) return;
      take_part(member);
      if (running.fetch_sub(1, std::memory_order_acq_rel) == 1) running.notify_one();
    }
  }
};

Team::Team(int threads) {
  PL_CHECK(threads >= 1 && threads <= 1024, "team: {} threads; want 1..1024", threads);
  state_ = std::make_unique<State>(threads);
  for (int member = 1; member < threads; ++member)
    state_->workers.emplace_back([state = state_.get(), member] { state->serve(member); });
}

Team::~Team() {
  if (!state_) return;
  state_->leaving.store(true, std::memory_order_release);
  state_->round.fetch_add(1, std::memory_order_acq_rel);
  state_->round.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

Team::Team(Team&&) noexcept = default;
Team& Team::operator=(Team&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

int Team::threads() const { return int(state_->errors.size()); }

void Team::run(const std::function<void(int)>& work) {
  State& state = *state_;
  state.work = &work;
  const int others = threads() - 1;
  if (others > 0) {
    state.running.store(others, std::memory_order_release);
    state.round.fetch_add(1, std::memory_order_acq_rel);
    state.round.notify_all();
  }
  state.take_part(0);
  for (int left = 0; (left = state.running.load(std::memory_order_acquire)) != 0;) {
    for (int spin = 0; spin < spins && state.running.load(std::memory_order_acquire) == left; ++spin)
      spin_pause();
    state.running.wait(left, std::memory_order_acquire);
  }
  rethrow_first(state.errors);
}

int Team::last_census() const {
  return int(std::set<std::thread::id>(state_->ids.begin(), state_->ids.end()).size());
}

std::string Team::engine() { return "std::thread"; }

void Team::limit_library_threads(int) {}

}  // namespace perflab

#include "two_queues.h"

#include <array>

#include "engine/policy.h"

namespace perflab::waiting {
namespace {

constexpr std::int64_t steps_between_looks = 1000, short_steps = 1000;

}  // namespace

void TwoQueues::run(bool wait_for_all) {
  const PolicyGuard guard(Policy::async);
  stop_.store(false);
  execute(other_.stream(), [this](StreamContext&) {
    std::int64_t done = 0;
    for (; done < steps_ || (done < most_steps_ && !stop_.load()); done += steps_between_looks)
      long_other_.count_up(steps_between_looks);
    wanted_long_other_ += std::uint32_t(done);
  });
  execute(other_.stream(), [this](StreamContext&) { of_other_.count_up(short_steps); });
  execute(current_.stream(), [this](StreamContext&) { long_current_.count_up(steps_); });
  execute(current_.stream(), [this](StreamContext&) { of_current_.count_up(short_steps); });
  wanted_long_current_ += std::uint32_t(steps_);
  wanted_ += std::uint32_t(short_steps);

  count_wait();
  current_.synchronize();
  if (wait_for_all) {
    count_wait();
    other_.synchronize();
  }
  pending_current_ = current_.stream().pending();
  pending_other_ = other_.stream().pending();
  stop_.store(true);
}

}  // namespace perflab::waiting

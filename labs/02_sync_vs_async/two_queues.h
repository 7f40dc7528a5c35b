#pragma once
// TwoQueues — two devices with work each, and what one of two ways of waiting leaves undone on the other.
//
// Both get the same piece of work, and a short one behind it. The other queue's long piece goes on after that
// until it is told to stop, which happens only after the wait has returned and the queues were counted, or
// until it has done `most_steps`. So neither the speed of the machine nor its other work enters the count: a
// wait that covers both queues sits the work out and finds nothing left, one that does not finds it there.

#include <atomic>
#include <cstdint>

#include "counter.h"
#include "device/device.h"

namespace perflab::waiting {

class TwoQueues {
 public:
  TwoQueues(Device& current, Device& other, std::int64_t steps, std::int64_t most_steps)
      : current_(current), other_(other), steps_(steps), most_steps_(most_steps) {}

  void run(bool wait_for_all);
  std::int64_t pending_other() const {
    return pending_other_;
  }  // pieces of the other queue when the wait returned
  std::int64_t pending_current() const { return pending_current_; }
  bool counted_up() const {
    return long_current_.holds(wanted_long_current_) && long_other_.holds(wanted_long_other_) &&
           of_current_.holds(wanted_) && of_other_.holds(wanted_);
  }  // after a drain of both

 private:
  Device &current_, &other_;
  std::int64_t steps_, most_steps_;
  Counter long_current_, long_other_, of_current_, of_other_;
  std::atomic<bool> stop_{false};
  std::uint32_t wanted_ = 0, wanted_long_current_ = 0;
  std::uint32_t wanted_long_other_ = 0;  // as its task says; read after a drain
  std::int64_t pending_other_ = 0, pending_current_ = 0;
};

}  // namespace perflab::waiting

#pragma once
// TwoQueues — two devices with work each, and what one of two ways of waiting leaves undone on the other.
//
// Both get a piece of work that lasts long unless it is told to stop. It is told only after the wait has
// returned and the queues were counted, so neither the speed of the machine nor its other work enters the
// count: a wait that covers both queues sits the work out and finds nothing left, one that does not finds it
// all there.

#include <atomic>
#include <cstdint>

#include "counter.h"
#include "device/device.h"

namespace perflab::waiting {

class TwoQueues {
 public:
  TwoQueues(Device& current, Device& other, std::int64_t most_steps)
      : current_(current), other_(other), most_steps_(most_steps) {}

  void run(bool wait_for_all);
  std::int64_t pending_other() const {
    return pending_other_;
  }  // pieces of the other queue when the wait returned
  std::int64_t pending_current() const { return pending_current_; }
  bool counted_up() const {
    return of_current_.holds(wanted_) && of_other_.holds(wanted_);
  }  // after a drain of both

 private:
  Device &current_, &other_;
  std::int64_t most_steps_;
  Counter long_work_, of_current_, of_other_;
  std::atomic<bool> stop_{false};
  std::uint32_t wanted_ = 0;
  std::int64_t pending_other_ = 0, pending_current_ = 0;
};

}  // namespace perflab::waiting

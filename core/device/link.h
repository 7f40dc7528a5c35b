#pragma once
// Link — the way from one device's memory to another's: a plain memcpy, or one that takes as long as a model
// says.
//
// The model is latency plus bytes over bandwidth, one transfer at a time (a token bucket without burst):
// transfers that overlap share the bandwidth by queueing, while their latencies pass side by side. Waiting
// uses no processor. A modelled link is labelled so in every result that used it. Thread-safe.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "device/sleep.h"

namespace perflab {

struct LinkModel {
  double latency_s = 0;       // >= 0
  double bandwidth_GBps = 1;  // > 0
};

// When transfers begin and end under a model: pure arithmetic on nanoseconds, without a clock.
class LinkSchedule {
 public:
  explicit LinkSchedule(LinkModel model);  // Error(check) for values out of range
  // A transfer that is ready at now_ns: reserves the link and returns when the last byte has arrived.
  std::int64_t reserve(std::int64_t now_ns, std::size_t bytes);
  const LinkModel& model() const { return model_; }

 private:
  LinkModel model_;
  std::int64_t free_at_ns_ = 0;
};

class Link {
 public:
  Link() = default;  // memcpy
  // `sleep` waits until a time of `clock`; tests put another in its place.
  Link(LinkModel model, Clock& clock, SleepUntil sleep = sleep_until)
      : schedule_(LinkSchedule(model)), clock_(&clock), sleep_(std::move(sleep)) {}

  bool modelled() const { return schedule_.has_value(); }
  std::string_view label() const { return modelled() ? "modelled" : "none"; }  // the `link` column
  void copy(std::byte* to, const std::byte* from, std::size_t bytes);  // returns when the bytes have arrived

 private:
  std::mutex mutex_;
  std::optional<LinkSchedule> schedule_;
  Clock* clock_ = nullptr;
  SleepUntil sleep_;
};

}  // namespace perflab

#pragma once
// What tests of the sampler share: a point of made-up variants under a fake clock and a fake probe.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/sampler.h"

namespace perflab {

inline constexpr std::int64_t ms = 1'000'000;

// Readings that a test sets; advances nothing.
class FakeProbe : public Probe {
 public:
  ProbeReading read() override { return next ? next() : ProbeReading{}; }
  std::optional<Busy> busy() override {
    if (!busy_ns) return std::nullopt;
    return Busy{busy_ns(), 4};
  }
  std::function<ProbeReading()> next;
  std::int64_t children_cpu_ns() override { return children_ns ? children_ns() : 0; }
  std::function<std::int64_t()> busy_ns, children_ns;
};

// A device whose work is finished only when it is drained: the clock moves in synchronize().
class QueueDevice : public Device {
 public:
  explicit QueueDevice(FakeClock& clock) : Device("queue:0"), clock_(clock) {}
  void synchronize() override {
    ++drains;
    clock_.advance_ns(queued_ns_);
    queued_ns_ = 0;
  }
  std::int64_t pending() const override { return queued_ns_ > 0 ? 1 : 0; }
  void enqueue_ns(std::int64_t ns) { queued_ns_ += ns; }

  int drains = 0;

 private:
  FakeClock& clock_;
  std::int64_t queued_ns_ = 0;
};

class SamplerTest : public ::testing::Test {
 protected:
  SamplerTest() {
    profile_.name = "test";
    profile_.warmup_until_steady = false;
    profile_.warmup_calls = 1;
    profile_.min_blocks = profile_.max_blocks = 10;
    profile_.target_half_width = 0;
  }

  Prepared variant(const std::string& name, std::function<void(Counts&)> once) {
    Prepared prepared;
    prepared.experiment = "e";
    prepared.variant = name;
    prepared.point = {{"n", std::int64_t{1}}};
    prepared.once = std::move(once);
    prepared.waited_for = {&Device::named("cpu:0")};
    return prepared;
  }
  Prepared taking(const std::string& name, std::int64_t ns) {
    return variant(name, [this, ns](Counts&) { clock_.advance_ns(ns); });
  }

  PointOutcome sample(std::vector<Prepared*> variants, bool with_aa = true, std::uint64_t seed = 1) {
    PointJob job{.variants = variants,
                 .baseline = variants.front()->variant,
                 .with_aa = with_aa,
                 .invocation = 0,
                 .fault = 0,
                 .seed = seed,
                 .earlier = earlier_};
    return sample_point(
        job, {.clock = clock_,
              .probe = probe_,
              .profile = profile_,
              .clock_quality = quality_,
              .run_start_ns = clock_.now_ns(),
              .lab_start_ns = clock_.now_ns() - lab_age_ns_,
              .interrupted = [this] { return interrupted_ && interrupted_(); },
              .keep = [this](std::span<const Sample> s) { kept_.insert(kept_.end(), s.begin(), s.end()); },
              .launch_load = launch_load_});
  }

  std::vector<Sample> timed(const std::string& name = "") const {
    std::vector<Sample> result;
    for (const Sample& s : kept_)
      if (s.phase == Phase::timed && (name.empty() || s.variant == name)) result.push_back(s);
    return result;
  }

  FakeClock clock_;
  std::int64_t lab_age_ns_ = 0;
  FakeProbe probe_;
  Profile profile_;
  ClockQuality quality_{.resolution_ns = 1, .overhead_ns = 0};
  std::vector<Sample> kept_, earlier_;
  std::function<bool()> interrupted_;
  const Load* launch_load_ = nullptr;
};

}  // namespace perflab

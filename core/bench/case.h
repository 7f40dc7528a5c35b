#pragma once
// Case — one variant at one point of an experiment, while it is being prepared by the lab's body.
//
// A body prepares inputs, checks the result against a reference (expect_*), states its work, and hands over
// what is to be timed with measure(); it never times. All variants of a point are prepared before the first
// block and live until the last one, so the callable owns what it uses: capture by value. Order enforced:
// expect_* before measure, one measure or skip per body. Not thread-safe; one body runs at a time.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/cost.h"
#include "base/random.h"
#include "bench/axis.h"
#include "device/device.h"

namespace perflab {

class Experiment;

// Metrics filled by the timed callable itself, per sample (counts of syncs, messages, bytes ...).
class Counts {
 public:
  explicit Counts(std::vector<std::string> declared) : declared_(std::move(declared)) {}
  // Error(check) if the experiment does not declare the metric or the value is not finite.
  void set(std::string_view metric, double value);  // the sample's value, as it is
  void add(std::string_view metric,
           double value);  // summed over the sample's calls, then divided by their number
  // The call was another process's work, which read its own clock around it: these are the sample's submit
  // and finish, and not the round trip to that process. Once per call; summed like add().
  void timed_there(double submit_s, double finish_s);
  std::map<std::string, double> per_call(std::int64_t calls) const;
  // Sums over the calls, in ns; nothing if no call was timed elsewhere.
  std::optional<double> submit_there_ns() const { return submit_there_ns_; }
  std::optional<double> finish_there_ns() const { return finish_there_ns_; }

 private:
  std::vector<std::string> declared_;
  std::optional<double> submit_there_ns_, finish_there_ns_;
  std::map<std::string, double, std::less<>> set_, added_;
};

// Thrown by expect_*: the case is failed with the reason wrong_result, and the run exits 1.
class WrongResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What is read back and compared after a run: part of the verified clock, and the checksum column.
struct Verified {
  bool correct;
  std::uint64_t checksum;
};

// Which ceiling of the machine bounds a case. `level` is a memory level ("L1", "L2", "L3", "DRAM"),
// "compute", or "" for none; `pattern` is read, copy, triad, in_place ..., with "_nt" for non-temporal
// stores; "fma" for compute.
struct Bound {
  std::string level;
  std::string pattern;
  int threads = 1;
  std::int64_t working_set_bytes =
      0;  // what the case really touches, all threads; checked against the declared level
};

// What a body leaves behind: everything the sampler needs, and what cases.csv says about the case.
struct Prepared {
  std::string experiment, variant;
  Point point;
  std::function<void(Counts&)> once;
  std::vector<Device*> waited_for;
  std::function<Verified()> verify;  // empty: the case has no output to read back
  Cost cost;                         // per call of once
  Bound bound;
  std::vector<std::string> declared_metrics;
  std::map<std::string, double, std::less<>> metrics;  // constant over the samples
  std::string cache_state = "hot";                     // hot | cold
  std::string evidence = "measured";                   // measured | modelled | simulated | analytic
  std::string subject = "this_machine";
  std::string link = "none";  // none | real | modelled
  bool logical_devices = false;
  int threads_expected = 1;
  std::function<int()> census;          // distinct threads that took part in the last run; empty: not counted
  std::function<void()> before_sample;  // cold cases: flushes, untimed
  std::int64_t max_inner = 0;           // 0: calibrate; 1: one call per sample
  std::string status = "ok";            // ok | skipped | failed
  std::string status_reason;            // snake_case
  std::string status_text;              // sentence for the reader

  std::string id() const { return case_id(experiment, point); }
};

class Case {
 public:
  Case(const Experiment& experiment, const Point& point, std::string variant, Device& device,
       std::uint64_t seed, int fault);

  std::int64_t i(std::string_view axis) const;
  double f(std::string_view axis) const;
  const std::string& s(std::string_view axis) const;
  bool is(std::string_view variant) const;  // Error(check) for a variant the experiment does not have
  const std::string& variant() const { return prepared_.variant; }
  Device& device() const { return device_; }
  const Random& random() const {
    return random_;
  }                              // seeded by lab seed and case; the same for all variants of a point
  bool fault(int number) const;  // true if --fault NUMBER was asked for

  void work(Cost per_call);                          // gives bandwidth_GBps, throughput_GFLOPS and peak_ratio
  void bound(Bound bound);                           // the ceiling that the case is held to
  void metric(std::string_view name, double value);  // a declared metric, the same for every sample

  // The correctness gate. A mismatch ends the case as failed (wrong_result): nothing is timed, the run
  // exits 1.
  void expect(bool holds, std::string_view what);
  void expect_equal(std::span<const float> got, std::span<const float> want);  // bitwise; size too
  // |got - want| <= atol + rtol * |want| elementwise, NaN never passes; also reports ||got - want|| /
  // ||want||.
  void expect_close(std::span<const float> got, std::span<const float> want, double rtol, double atol);

  void verify(std::function<Verified()> read_back);  // run once per block outside the judged sample
  void cold(std::function<void()> flush);            // run before each sample, untimed; one call per sample
  void one_call_per_sample();                        // the callable is long, or must not be batched
  void threads(int expected, std::function<int()> census);
  // Default: measured, this_machine; modelled where a device that is waited for is a model, whatever is said.
  void evidence(std::string_view evidence, std::string_view subject);
  // Default: modelled where the run's devices are joined by modelled links, else none.
  void link(std::string_view kind);

  void measure(std::function<void()> once, std::vector<Device*> waited_for = {});  // default: device()
  void measure_counts(std::function<void(Counts&)> once, std::vector<Device*> waited_for = {});
  void skip(std::string_view reason_code, std::string_view sentence);

  Prepared take();  // once; Error(check) if the body neither measured nor skipped

 private:
  const Experiment& experiment_;
  Device& device_;
  Random random_;
  int fault_;
  bool checked_ = false, finished_ = false;
  Prepared prepared_;
};

// Runs the experiment's body for one variant. Never throws for a body's mistake: the result then says failed
// and why.
Prepared prepare(const Experiment& experiment, const Point& point, const std::string& variant, Device& device,
                 std::uint64_t seed, int fault);

}  // namespace perflab

#include "bench/case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "bench/experiment.h"
#include "device/runtime.h"

namespace perflab {
namespace {

void check_declared(const std::vector<std::string>& declared, std::string_view metric, double value) {
  if (std::find(declared.begin(), declared.end(), metric) == declared.end()) {
    std::string known;
    for (const std::string& name : declared) known += (known.empty() ? "" : ", ") + name;
    fail(ErrorKind::check, "metric '{}' is not declared by the experiment; it declares {}", metric,
         known.empty() ? "none" : known);
  }
  PL_CHECK(std::isfinite(value), "metric '{}' is not finite; leave it out when it does not apply", metric);
}

}  // namespace

void Counts::set(std::string_view metric, double value) {
  check_declared(declared_, metric, value);
  set_.insert_or_assign(std::string(metric), value);
}

void Counts::add(std::string_view metric, double value) {
  check_declared(declared_, metric, value);
  const auto found = added_.find(metric);
  if (found == added_.end()) {
    added_.emplace(metric, value);
  } else {
    found->second += value;
  }
}

void Counts::timed_there(double submit_s, double finish_s) {
  PL_CHECK(submit_s >= 0 && submit_s <= finish_s && finish_s > 0 && std::isfinite(finish_s),
           "timed_there: submitted after {} s, finished after {} s; want 0 <= submit <= finish, finish > 0",
           submit_s, finish_s);
  submit_there_ns_ = submit_there_ns_.value_or(0) + 1e9 * submit_s;
  finish_there_ns_ = finish_there_ns_.value_or(0) + 1e9 * finish_s;
}

std::map<std::string, double> Counts::per_call(std::int64_t calls) const {
  std::map<std::string, double> values(set_.begin(), set_.end());
  for (const auto& [metric, sum] : added_) values[metric] = sum / double(calls);
  return values;
}

Case::Case(const Experiment& experiment, const Point& point, std::string variant, Device& device,
           std::uint64_t seed, int fault)
    : experiment_(experiment),
      device_(device),
      random_(derive_seed(seed, case_id(experiment.name(), point))),
      fault_(fault) {
  prepared_.experiment = experiment.name();
  prepared_.variant = std::move(variant);
  prepared_.point = point;
  prepared_.declared_metrics = experiment.metric_names();
  if (Runtime::current().links_are_modelled()) prepared_.link = "modelled";
}

std::int64_t Case::i(std::string_view axis) const {
  const auto* value = std::get_if<std::int64_t>(&value_of(prepared_.point, axis));
  PL_CHECK(value != nullptr, "case: axis '{}' holds no integers; ask for it with f() or s()", axis);
  return *value;
}

double Case::f(std::string_view axis) const {
  const AxisValue& value = value_of(prepared_.point, axis);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return double(*integer);
  PL_CHECK(std::holds_alternative<double>(value), "case: axis '{}' holds texts; ask for it with s()", axis);
  return std::get<double>(value);
}

const std::string& Case::s(std::string_view axis) const {
  const auto* value = std::get_if<std::string>(&value_of(prepared_.point, axis));
  PL_CHECK(value != nullptr, "case: axis '{}' holds numbers; ask for it with i() or f()", axis);
  return *value;
}

bool Case::is(std::string_view variant) const {
  const std::vector<std::string>& known = experiment_.variant_names();
  PL_CHECK(std::find(known.begin(), known.end(), variant) != known.end(),
           "case: experiment {} has no variant '{}'", experiment_.name(), variant);
  return prepared_.variant == variant;
}

bool Case::fault(int number) const {
  PL_CHECK(number >= 1 && std::size_t(number) <= experiment_.fault_texts().size(),
           "case: experiment {} declares {} faults; number {} is none of them", experiment_.name(),
           experiment_.fault_texts().size(), number);
  return fault_ == number;
}

void Case::work(Cost per_call) {
  PL_CHECK(per_call.flops >= 0 && per_call.bytes_read >= 0 && per_call.bytes_written >= 0,
           "case: work is negative; want counts >= 0 per call");
  prepared_.cost = per_call;
}

void Case::bound(Bound bound) { prepared_.bound = std::move(bound); }

void Case::metric(std::string_view name, double value) {
  check_declared(experiment_.metric_names(), name, value);
  prepared_.metrics.insert_or_assign(std::string(name), value);
}

void Case::expect(bool holds, std::string_view what) {
  if (!holds) throw WrongResult(fmt::format("{}, variant {}: {}", prepared_.id(), prepared_.variant, what));
  checked_ = true;
}

void Case::expect_equal(std::span<const float> got, std::span<const float> want) {
  expect(got.size() == want.size(), fmt::format("{} values; want {}", got.size(), want.size()));
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::memcmp(&got[i], &want[i], sizeof(float)) != 0)
      expect(false, fmt::format("value {} is {}; want {}, bit for bit", i, got[i], want[i]));
}

void Case::expect_close(std::span<const float> got, std::span<const float> want, double rtol, double atol) {
  expect(got.size() == want.size(), fmt::format("{} values; want {}", got.size(), want.size()));
  double error2 = 0, norm2 = 0;
  std::size_t worst = got.size();
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = double(got[i]) - double(want[i]);
    error2 += difference * difference;
    norm2 += double(want[i]) * double(want[i]);
    if (!(std::fabs(difference) <= atol + rtol * std::fabs(double(want[i]))) && worst == got.size())
      worst = i;
  }
  if (worst == got.size()) return expect(true, "");
  expect(false, fmt::format(
                    "value {} is {}; want {} within rtol {} and atol {}; relative error of the whole {:.3g}",
                    worst, got[worst], want[worst], rtol, atol, std::sqrt(error2 / std::max(norm2, 1e-300))));
}

void Case::verify(std::function<Verified()> read_back) { prepared_.verify = std::move(read_back); }

void Case::cold(std::function<void()> flush) {
  prepared_.before_sample = std::move(flush);
  prepared_.cache_state = "cold";
  prepared_.max_inner = 1;
}

void Case::one_call_per_sample() { prepared_.max_inner = 1; }

void Case::threads(int expected, std::function<int()> census) {
  PL_CHECK(expected >= 1, "case: {} threads expected; want at least 1", expected);
  prepared_.threads_expected = expected;
  prepared_.census = std::move(census);
}

void Case::evidence(std::string_view evidence, std::string_view subject) {
  constexpr std::string_view known[] = {"measured", "modelled", "simulated", "analytic"};
  PL_CHECK(std::find(std::begin(known), std::end(known), evidence) != std::end(known),
           "case: evidence '{}'; want measured, modelled, simulated or analytic", evidence);
  prepared_.evidence = evidence;
  prepared_.subject = subject;
}

void Case::link(std::string_view kind) {
  PL_CHECK(kind == "none" || kind == "real" || kind == "modelled",
           "case: link '{}'; want none, real or modelled", kind);
  prepared_.link = kind;
}

void Case::measure(std::function<void()> once, std::vector<Device*> waited_for) {
  measure_counts([once = std::move(once)](Counts&) { once(); }, std::move(waited_for));
}

void Case::measure_counts(std::function<void(Counts&)> once, std::vector<Device*> waited_for) {
  PL_CHECK(checked_, "{}, variant {}: measure before any expect_*; correct first, then fast", prepared_.id(),
           prepared_.variant);
  PL_CHECK(!finished_, "{}: measure or skip twice; a case is timed once", prepared_.id());
  finished_ = true;
  prepared_.once = std::move(once);
  prepared_.waited_for = waited_for.empty() ? std::vector<Device*>{&device_} : std::move(waited_for);
}

void Case::skip(std::string_view reason_code, std::string_view sentence) {
  PL_CHECK(!finished_, "{}: measure or skip twice; a case is timed once", prepared_.id());
  finished_ = true;
  prepared_.status = "skipped";
  prepared_.status_reason = reason_code;
  prepared_.status_text = sentence;
}

Prepared Case::take() {
  PL_CHECK(finished_, "{}, variant {}: the body neither measured nor skipped", prepared_.id(),
           prepared_.variant);
  // Whatever the body says: time that a model put in was not measured.
  const bool modelled =
      std::any_of(prepared_.waited_for.begin(), prepared_.waited_for.end(),
                  [](const Device* device) { return device != nullptr && device->info().modelled; });
  if (modelled && prepared_.evidence == "measured") {
    prepared_.evidence = "modelled";
    if (prepared_.subject == "this_machine") prepared_.subject = "model";
  }
  return std::move(prepared_);
}

Prepared prepare(const Experiment& experiment, const Point& point, const std::string& variant, Device& device,
                 std::uint64_t seed, int fault) {
  Prepared failed;
  failed.experiment = experiment.name();
  failed.variant = variant;
  failed.point = point;
  failed.status = "failed";
  try {
    Case prepared(experiment, point, variant, device, seed, fault);
    experiment.body()(prepared);
    return prepared.take();
  } catch (const WrongResult& wrong) {
    failed.status_reason = "wrong_result";
    failed.status_text = wrong.what();
  } catch (const std::bad_alloc&) {
    failed.status_reason = "out_of_memory";
    failed.status_text = failed.id() + ": not enough memory to prepare the case";
  } catch (const std::exception& error) {
    failed.status_reason = "body_error";
    failed.status_text = failed.id() + ": " + error.what();
  }
  return failed;
}

}  // namespace perflab

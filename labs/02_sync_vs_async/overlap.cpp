// Preparing batches on the host while a device multiplies them: one after the other, or side by side.

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "bodies.h"
#include "derive.h"
#include "device/topology.h"
#include "ops/functions.h"
#include "pinning.h"
#include "waiting.h"

namespace perflab::waiting {
namespace {

constexpr std::int64_t rows = 32, inner = 128, columns = 768;  // some 60 us for either's unit of work

struct Overlap {
  std::shared_ptr<CpuDevice> device;
  int host_processor;
  std::int64_t steps, host_units, device_units;
  bool prepares, multiplies, reads;
  Policy policy;  // sync: the caller multiplies, on its own processor
  Random random;
  Tensor weights{}, input{}, product{};
  std::vector<float> batch = std::vector<float>(rows * inner);
  EngineCounts counts{};

  // A unit is a random number per value.
  void prepare(std::int64_t step) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      float sum = 0;
      for (std::int64_t unit = 0; unit < host_units; ++unit)
        sum += random.uniform(std::uint64_t((step * host_units + unit) * rows * inner) + i);
      batch[i] = sum / float(host_units) - 0.5f;
    }
    input = Tensor::from(batch, {rows, inner}, *device);
  }
  void run() {
    take_counts();
    const PinGuard pin(host_processor);
    const PolicyGuard guard(policy);
    for (std::int64_t step = 0; step < steps; ++step) {
      if (prepares) prepare(step);
      for (std::int64_t unit = 0; multiplies && unit < device_units; ++unit) product = matmul(input, weights);
      if (reads) product.reshape({rows * columns}).rows(0, 1).to_host();
    }
    counts = take_counts();
  }
  std::vector<float> result() const { return (multiplies ? product : input).to_host(); }
};

// The last product, recomputed in double precision.
double relative_error(const Overlap& overlap) {
  const std::vector<float> a = overlap.input.to_host(), b = overlap.weights.to_host(),
                           got = overlap.product.to_host();
  double error2 = 0, norm2 = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      double want = 0;
      for (std::size_t k = 0; k < inner; ++k)
        want += double(a[row * inner + k]) * double(b[k * columns + column]);
      const double difference = double(got[row * columns + column]) - want;
      error2 += difference * difference;
      norm2 += want * want;
    }
  return std::sqrt(error2 / norm2);
}

std::shared_ptr<Overlap> overlap_of(const Case& c) {
  const std::vector<int> processors = allowed_processors();
  const double ratio = c.f("host_per_device");
  auto overlap = std::make_shared<Overlap>(
      Overlap{.device = device_on(c.i("processors") == 1 ? processors.front() : processors.back()),
              .host_processor = processors.front(),
              .steps = c.i("steps"),
              .host_units = std::max<std::int64_t>(1, std::llround(ratio)),
              .device_units = std::max<std::int64_t>(1, std::llround(1 / ratio)),
              .prepares = !c.is("device_only"),
              .multiplies = !c.is("host_only"),
              .reads = c.is("async_read"),
              .policy = c.is("sync") ? Policy::sync : Policy::async,
              .random = c.random()});
  overlap->weights = normal({inner, columns}, c.random().bits(0), *overlap->device);
  return overlap;
}

}  // namespace

void overlap_body(Case& c) {
  if (this_machine().effective_cpus < 2 && c.i("processors") == 2)
    return c.skip("needs_cores:2", "host and device need a processor each");
  if (allowed_processors().empty())
    return c.skip("no_affinity", "the system does not say which processors this program may use");
  auto overlap = overlap_of(c);
  overlap->prepare(overlap->steps - 1);  // what device_only multiplies
  overlap->run();
  const std::vector<float> want = overlap->result();
  c.expect(!overlap->multiplies || relative_error(*overlap) < 1e-6,
           "the last product is not that of its batch");
  c.expect(overlap->multiplies || want == overlap->batch, "the device does not hold the last batch");
  const std::int64_t promised = c.is("async_read") ? overlap->steps : 0;
  c.expect(overlap->counts.waits == promised,
           fmt::format("the loop waited {} times; the variant promises {}", overlap->counts.waits, promised));
  if (overlap->multiplies) {
    c.work({.flops = double(overlap->steps * overlap->device_units * 2 * rows * inner * columns)});
    c.bound({.level = "compute", .pattern = "fma", .threads = 1, .working_set_bytes = 0});
  }
  c.evidence("measured", engine_subject);
  c.one_call_per_sample();
  c.verify([overlap, want] {
    const std::vector<float> got = overlap->result();
    return Verified{got == want, std::uint64_t(std::bit_cast<std::uint32_t>(got.front()))};
  });
  c.measure_counts(
      [overlap](Counts& counts) {
        overlap->run();
        counts.set("waits_count", double(overlap->counts.waits));
      },
      {overlap->device.get()});
}

namespace {

struct OverLeast {
  std::optional<Estimate> ratio;  // of the time side by side over the physical least
  std::string reason;             // why there is none
};

// Side by side takes at least as long as the longer part alone, and on one processor as long as both.
OverLeast over_least(const Series* async, const Series* host, const Series* device, bool shared) {
  for (const Series* series : {async, host, device})
    if (const std::string reason = reason_for_none(series); !reason.empty()) return {{}, reason};
  std::map<std::pair<int, int>, double> of_host, of_device;
  for (const Sample* sample : host->timed) of_host[{sample->invocation, sample->block}] = *sample->finish_ns;
  for (const Sample* sample : device->timed)
    of_device[{sample->invocation, sample->block}] = *sample->finish_ns;
  const bool host_longer = host->finish_ns().median > device->finish_ns().median;
  std::vector<double> together, least;
  for (const Sample* sample : async->timed) {
    const std::pair block{sample->invocation, sample->block};
    if (!of_host.contains(block) || !of_device.contains(block)) continue;
    const double a = of_host[block], b = of_device[block];
    together.push_back(*sample->finish_ns);
    least.push_back(shared ? a + b : host_longer ? a : b);
  }
  if (together.empty()) return {{}, "no_valid_samples"};
  return {ratio_estimate(together, least), ""};
}

// Clearly faster than that did not do the work or did not wait for it. Either part alone has its own start
// and wait, which a sum counts twice.
std::string beyond_the_bound(const OverLeast& bound, bool shared) {
  const double tolerated = shared ? 1 / 1.1 : 1 / 1.05;
  const bool faster = bound.ratio && bound.ratio->interval && bound.ratio->interval->hi < tolerated;
  if (!faster) return "";
  return shared ? "faster_than_both_parts" : "faster_than_its_longest_part";
}

std::string in_a_name(std::string ratio) {  // 0.25 -> 0_25
  std::replace(ratio.begin(), ratio.end(), '.', '_');
  return ratio;
}

void add_bounds_and_ratio(const Results& results, Derived& derived, const std::string& ratio, bool shared) {
  const Match match{{"host_per_device", ratio}, {"processors", shared ? "1" : "2"}};
  const Series *async = results.only("host_overlap", match, "async"),
               *host = results.only("host_overlap", match, "host_only"),
               *device = results.only("host_overlap", match, "device_only");
  const OverLeast bound = over_least(async, host, device, shared);
  const std::string at = "at_" + in_a_name(ratio);
  const std::string name = shared ? "shared_async_over_sum_" + at : "async_over_longest_part_" + at;
  DerivedRow row{.metric = name + "_ratio", .unit = "ratio"};
  row.used = {async, host, device};
  std::erase(row.used, nullptr);
  row.missing = !bound.ratio;
  row.note = bound.reason;
  row.implausible = beyond_the_bound(bound, shared);
  if (bound.ratio) {
    row.value = bound.ratio->median;
    row.interval = bound.ratio->interval;
    row.n = bound.ratio->n;
  }
  derived.add(std::move(row));
  // What the label stands for on this machine: units are not calibrated.
  if (!shared) add_ratio(derived, "host_over_device_" + at + "_ratio", host, "finish", device, "finish");
}

}  // namespace

void derive_overlap(const Results& results, Derived& derived) {
  const auto at = [&](const char* processors, const char* variant) {
    return results.only("host_overlap", {{"host_per_device", "1"}, {"processors", processors}}, variant);
  };
  // At 1:1 either side may be the longer one; the medians say which.
  const Series *async = at("2", "async"), *host = at("2", "host_only"), *device = at("2", "device_only");
  const bool known = reason_for_none(host).empty() && reason_for_none(device).empty();
  const Series* longest = known && host->finish_ns().median > device->finish_ns().median ? host : device;
  add_ratio(derived, "async_over_sync_ratio", async, "finish", at("2", "sync"), "finish",
            beyond_the_bound(over_least(async, host, device, false), false));
  add_ratio(derived, "async_over_longest_part_ratio", async, "finish", longest, "finish");
  add_ratio(derived, "reading_each_over_async_ratio", at("2", "async_read"), "finish", async, "finish");
  add_ratio(derived, "shared_processor_async_over_sync_ratio", at("1", "async"), "finish", at("1", "sync"),
            "finish");
  std::set<std::pair<std::string, bool>> known_points;
  for (const Series* series : results.find("host_overlap", {}, "async")) {
    const std::string& ratio = series->axis("host_per_device");
    const bool shared = series->axis("processors") == "1";
    if (known_points.insert({ratio, shared}).second) add_bounds_and_ratio(results, derived, ratio, shared);
  }
}

}  // namespace perflab::waiting

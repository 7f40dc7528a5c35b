// Kernels of rising intensity against the roof that memory and arithmetic put over them, measured in the same
// blocks.

#include <algorithm>
#include <cmath>

#include "arrays.h"
#include "bodies.h"
#include "kernels.h"
#include "scaled.h"

namespace perflab::hardware {
namespace {

// Per thread, and at most, unless one pass is more: whichever allows fewer passes.
constexpr std::int64_t flops_per_call = 8'000'000;
constexpr std::int64_t bytes_per_call = 8 << 20;

struct Kernel {
  std::shared_ptr<Arrays> arrays;
  int multiply_adds;  // 0: only read
  std::int64_t passes = 1;
  double sum = 0;

  void call() {
    sum = arrays->sum([this](std::int64_t begin, std::int64_t end) {
      const float* x = arrays->array(0) + begin;
      if (multiply_adds == 0) return stream_pass(Pattern::read, x, nullptr, nullptr, end - begin, passes);
      return polynomial_sum(x, end - begin, passes, multiply_adds);
    });
  }
};

double wanted_sum(Arrays& arrays, std::uint32_t seed, int multiply_adds) {
  return arrays.sum([&](std::int64_t begin, std::int64_t end) {
    double total = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      const double x = double(input_value(seed, i));
      double t = x;
      for (int step = 1; step < multiply_adds; ++step) t = t * x + 0.5;
      total += multiply_adds == 0 ? x : t * x;
    }
    return total;
  });
}

}  // namespace

void roofline_body(Case& c) {
  const int threads = int(c.i("threads"));
  if (c.is("arithmetic")) return fma_body(c);
  const std::string& level = c.s("level");
  const LevelSize size = level_size(this_machine(), level, threads);
  if (size.bytes == 0) return c.skip(size.reason, size.sentence);
  const auto seed = c.random().bits(0);
  auto kernel = std::make_shared<Kernel>();
  kernel->arrays = shared_arrays({size.bytes, 1, threads});
  kernel->multiply_adds = c.is("kernel") ? int(c.i("multiply_adds")) : 0;
  kernel->arrays->fill(0, seed);
  const double wanted = wanted_sum(*kernel->arrays, seed, kernel->multiply_adds);
  kernel->call();
  c.expect(std::fabs(kernel->sum - wanted) <= 1e-4 * std::fabs(wanted),
           "the sum differs from the one in double precision");

  const auto elements = double(kernel->arrays->elements());
  const double flops = elements * (kernel->multiply_adds == 0 ? 1 : 2.0 * kernel->multiply_adds);
  kernel->passes =
      std::max<std::int64_t>(1, std::int64_t(std::min(double(bytes_per_call) * threads / (4 * elements),
                                                      double(flops_per_call) * threads / flops)));
  const auto n = double(kernel->passes);
  c.work({.flops = n * flops, .bytes_read = n * 4 * elements, .bytes_written = 0});
  c.bound({.level = level,
           .pattern = c.is("kernel") ? "polynomial" : "read",
           .threads = threads,
           .working_set_bytes = kernel->arrays->bytes()});
  c.threads(threads, [kernel] { return kernel->arrays->team().last_census(); });
  c.verify([kernel, wanted, n] {
    return Verified{std::fabs(kernel->sum / n - wanted) <= 1e-4 * std::fabs(wanted),
                    std::uint64_t(kernel->sum)};
  });
  c.measure([kernel] { kernel->call(); });
}

namespace {

// Largest rate of any valid sample of a level: GB/s, or GFLOP/s for "compute". And whose it is.
struct Fastest {
  double rate = 0;
  const Series* series = nullptr;
};
Fastest fastest(const Results& results, const std::string& level, int threads) {
  Fastest best;
  for (const Series& series : results.all()) {
    const std::string& pattern = series.info.pattern;
    if (series.info.level != level || series.info.threads > threads || pattern == "polynomial" ||
        pattern == "gemm")
      continue;  // these are under the roof, not the roof
    const double work = level == "compute" ? series.info.cost.flops : series.info.cost.bytes();
    for (const double ns : series.clock("finish"))
      if (work / ns > best.rate) best = {work / ns, &series};
  }
  return best;
}

}  // namespace

void derive_roofline(const Results& results, Derived& derived) {
  DerivedRow row;
  row.metric = "max_rate_over_roofline_ratio";
  row.unit = "ratio";
  row.used = results.find("roofline");  // all of it, and the series elsewhere that put the roof where it is
  for (const Series* series : results.find("roofline", {}, "kernel")) {
    const Fastest peak_GFLOPS = fastest(results, "compute", series->info.threads);
    const Fastest bandwidth_GBps = fastest(results, series->info.level, series->info.threads);
    if (peak_GFLOPS.rate <= 0 || bandwidth_GBps.rate <= 0) continue;
    for (const Series* roof : {peak_GFLOPS.series, bandwidth_GBps.series})
      if (std::find(row.used.begin(), row.used.end(), roof) == row.used.end()) row.used.push_back(roof);
    const double roof_GFLOPS =
        std::min(peak_GFLOPS.rate, series->info.cost.intensity() * bandwidth_GBps.rate);
    if (roof_GFLOPS <= 0) continue;  // the work model is gone with a torn cases.csv
    // A kernel's rate is its work over its median time. The fastest single sample may have met a pause of the
    // neighbours on the memory bus that none of the samples under the roof met.
    if (!series->timed.empty())
      row.every_sample.push_back(series->info.cost.flops / series->finish_ns().median / roof_GFLOPS);
  }
  if (row.every_sample.empty()) {
    row.missing = true;
    row.note = "no_valid_samples";
    return derived.add(std::move(row));
  }
  std::sort(row.every_sample.rbegin(), row.every_sample.rend());  // the claim stands or falls with the first
  row.value = row.every_sample.front();
  row.n = int(row.every_sample.size());
  derived.add(std::move(row));
}

}  // namespace perflab::hardware

// Matrix products by size, by the library that perflab's matmul calls: how near real work comes to the
// arithmetic limit. And matmul itself against that library, which shows what tensors, table and engine cost.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bodies.h"
#include "buffer.h"
#include "device/team.h"
#include "engine/policy.h"
#include "ops/cpu/gemm.h"
#include "ops/cpu/random_fill.h"
#include "ops/functions.h"
#include "scaled.h"

namespace perflab::hardware {
namespace {

constexpr int checked_entries = 64;

float* floats(const Buffer& buffer) { return reinterpret_cast<float*>(buffer.data()); }

// Entries of c = a b in double precision, with what rounding may do to each.
struct Entry {
  std::int64_t index;
  double want, tolerated;
};
std::vector<Entry> some_entries(const float* a, const float* b, std::int64_t n, const Random& random) {
  std::vector<Entry> entries;
  for (std::uint64_t pick = 0; pick < checked_entries; ++pick) {
    const auto index = std::int64_t(random.below(pick, std::uint64_t(n * n)));
    double sum = 0, magnitude = 0;
    for (std::int64_t l = 0; l < n; ++l) {
      const double product = double(a[index / n * n + l]) * double(b[l * n + index % n]);
      sum += product;
      magnitude += std::fabs(product);
    }
    entries.push_back({index, sum, 1e-5 * magnitude});
  }
  return entries;
}
bool right(const float* c, const std::vector<Entry>& entries) {
  for (const Entry& entry : entries)
    if (!(std::fabs(double(c[entry.index]) - entry.want) <= entry.tolerated)) return false;
  return true;
}

struct Product {
  Product(std::int64_t size, int team) : n(size), threads(team), a(4 * n * n), b(4 * n * n), c(4 * n * n) {}
  std::int64_t n;
  int threads;
  Buffer a, b, c;
  std::vector<Entry> entries;

  void call() { library_sgemm({.m = n, .n = n, .k = n}, floats(a), floats(b), floats(c), threads); }
};

Cost cost_of(std::int64_t size) {
  const auto n = double(size);
  return {.flops = 2 * n * n * n, .bytes_read = 8 * n * n, .bytes_written = 4 * n * n};
}

}  // namespace

void gemm_body(Case& c) {
  const std::int64_t n = c.i("n");
  const int threads = int(c.i("threads"));
  if (Team::engine() != "openmp")
    return c.skip("built_without_openmp", "this build cannot tell oneDNN how many threads to use");
  const auto product = std::make_shared<Product>(n, threads);
  const std::uint64_t seed = c.random().bits(0);
  normal_fill(seed, 0, n * n, floats(product->a));
  normal_fill(seed + 1, 0, n * n, floats(product->b));
  std::fill_n(floats(product->c), n * n, std::nanf(""));
  product->entries = some_entries(floats(product->a), floats(product->b), n, c.random());
  product->call();
  c.expect(right(floats(product->c), product->entries), "entries differ from those in double precision");
  c.work(cost_of(n));
  c.bound({.level = "compute", .pattern = "gemm", .threads = threads, .working_set_bytes = 12 * n * n});
  c.verify([product] {
    return Verified{right(floats(product->c), product->entries),
                    std::uint64_t(std::llround(1e3 * double(floats(product->c)[0])))};
  });
  c.measure([product] { product->call(); });
}

void derive_gemm(const Results& results, Derived& derived) {
  std::optional<Estimate> best;
  std::vector<const Series*> used;
  for (const Series* series : results.find("gemm", {{"n", "4096"}})) {
    used.push_back(series);
    const auto rate = series->throughput_GFLOPS();
    if (rate && (!best || rate->median > best->median)) best = rate;
  }
  add_or_missing(derived, "cpu_gemm4096_GFLOPS", "GFLOPS", best,
                 used.empty() ? "not_in_this_profile" : "no_valid_samples", used);
  derived.missing("gpu_over_cpu_gemm4096_ratio", "ratio", "needs_gpus:1");
}

void self_gemm_body(Case& c) {
  const std::int64_t n = c.i("n");
  const std::uint64_t seed = c.random().bits(0);
  const Tensor a = normal({n, n}, seed, c.device()), b = normal({n, n}, seed + 1, c.device());
  const std::vector<float> left = a.to_host(), right_side = b.to_host();
  const std::vector<Entry> entries = some_entries(left.data(), right_side.data(), n, c.random());
  const auto out = std::make_shared<Tensor>(Tensor::empty({n, n}, Dtype::f32, c.device()));
  std::function<void()> call;
  if (c.is("waist")) {
    call = [a, b, out] {
      const PolicyGuard sync(Policy::sync);
      *out = matmul(a, b);
    };
  } else {
    const auto pointer = [](const Tensor& x) {
      return reinterpret_cast<float*>(x.raw_data_unsynchronised());
    };
    call = [a, b, out, pointer, n, threads = c.device().info().cores] {
      library_sgemm({.m = n, .n = n, .k = n}, pointer(a), pointer(b), pointer(*out), threads);
    };
  }
  call();
  c.expect(right(out->to_host().data(), entries), "entries differ from those in double precision");
  c.work(cost_of(n));
  c.verify([out, entries] { return Verified{right(out->to_host().data(), entries), 0}; });
  c.measure(call);
}

void derive_self_gemm(const Results& results, Derived& derived) {
  for (const char* n : {"256", "512", "1024"}) {
    const Series* waist = results.only("self_gemm", {{"n", n}}, "waist");
    const Series* direct = results.only("self_gemm", {{"n", n}}, "direct");
    std::optional<Estimate> ratio;
    if (waist != nullptr && direct != nullptr) ratio = results.ratio(*direct, "finish", *waist, "finish");
    add_or_missing(derived, std::string("gemm") + n + "_waist_rate_over_direct_ratio", "ratio", ratio,
                   "no_valid_samples", {waist, direct});
  }
}

}  // namespace perflab::hardware

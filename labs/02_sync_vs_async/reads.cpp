// A thousand reads of a buffer that a device keeps rewriting: through the tensor, through a pointer without a
// wait, through a pointer after one. Every version of the buffer is numbered, so a wrong value is noticed.
//
// Device and host touch the same memory at the same time in the middle case, on purpose. All such accesses
// are relaxed atomics, so they are stale or torn, but never undefined.

#include <atomic>

#include "bodies.h"
#include "counter.h"
#include "derive.h"
#include "tensor/tensor.h"
#include "waiting.h"

namespace perflab::waiting {
namespace {

constexpr std::int64_t reads_per_call = 1000, values = 64;
constexpr std::int64_t load_steps = 100;      // before each rewrite: time in which a reader can be early
constexpr std::uint32_t versions = 1u << 20;  // exact as floats

void write_version(float* data, float version) {
  for (std::int64_t i = 0; i < values; ++i)
    std::atomic_ref<float>(data[i]).store(version, std::memory_order_relaxed);
}
bool holds_version(float* data, float version) {
  for (std::int64_t i = 0; i < values; ++i)
    if (std::atomic_ref<float>(data[i]).load(std::memory_order_relaxed) != version) return false;
  return true;
}

enum class Way { tensor, pointer, pointer_after_wait };

struct Reads {
  Device& device;
  Way way;
  Tensor buffer;
  Counter load{};
  std::uint32_t version = 0;
  std::int64_t mismatches = 0;
  EngineCounts counts{};

  float* data() const { return reinterpret_cast<float*>(buffer.raw_data_unsynchronised()); }
  bool matches(float wanted) const {
    if (way == Way::tensor) return buffer.to_host() == std::vector<float>(values, wanted);
    if (way == Way::pointer_after_wait) wait_for(device);
    return holds_version(data(), wanted);
  }
  void run() {
    take_counts();
    mismatches = 0;
    const PolicyGuard guard(Policy::async);
    for (std::int64_t read = 0; read < reads_per_call; ++read) {
      version = (version + 1) % versions;
      const auto wanted = float(version);
      execute(device.stream(), [this, wanted](StreamContext&) {
        load.count_up(load_steps);
        write_version(data(), wanted);
      });
      mismatches += !matches(wanted);
    }
    counts = take_counts();
  }
};

Way way_of(const Case& c) {
  if (c.is("tensor")) return Way::tensor;
  return c.is("pointer") ? Way::pointer : Way::pointer_after_wait;
}

}  // namespace

void reads_body(Case& c) {
  auto reads = std::make_shared<Reads>(
      Reads{.device = c.device(),
            .way = way_of(c),
            .buffer = Tensor::from(std::vector<float>(values), {values}, c.device())});
  reads->run();
  c.device().synchronize();
  c.expect(holds_version(reads->data(), float(reads->version)), "the buffer does not hold its last version");
  const std::int64_t promised = c.is("pointer") ? 0 : reads_per_call;
  c.expect(reads->counts.waits == promised,
           fmt::format("{} waits in {} reads; want {}", reads->counts.waits, reads_per_call, promised));
  c.evidence("measured", engine_subject);
  c.one_call_per_sample();
  c.verify([reads] { return Verified{holds_version(reads->data(), float(reads->version)), reads->version}; });
  c.measure_counts([reads](Counts& counts) {
    reads->run();
    counts.set("mismatches_count", double(reads->mismatches));
    counts.set("waits_count", double(reads->counts.waits));
  });
}

void derive_reads(const Results& results, Derived& derived) {
  const auto add = [&](const char* metric, const char* variant) {
    add_every_sample(derived, metric, results.only("reads", {}, variant), "mismatches_count");
  };
  add("mismatches_framework_read_count", "tensor");
  add("stale_reads_raw_pointer_count", "pointer");
  add("mismatches_after_wait_count", "pointer_after_wait");
}

}  // namespace perflab::waiting

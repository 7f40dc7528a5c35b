// The engine measures itself: what enqueueing, applying, waiting and first touch cost. Hidden experiments.

#include <sys/mman.h>

#include <cstdlib>
#include <memory>

#include "bench/experiment.h"
#include "bench/results.h"
#include "derive.h"
#include "device/allocator.h"
#include "engine/policy.h"
#include "ops/functions.h"

namespace {

using namespace perflab;
using namespace perflab::waiting;

constexpr int calls_per_sample = 1000;
constexpr std::size_t touched_bytes = std::size_t(256) << 20, page_bytes = 4096;

std::function<void()> thousand(const std::string& what, Device& device, const Tensor& x) {
  Stream& stream = device.stream();
  if (what == "enqueue")
    return [&stream] {
      for (int i = 0; i < calls_per_sample; ++i) stream.enqueue([](StreamContext&) {});
    };
  if (what == "event")
    return [&stream] {
      for (int i = 0; i < calls_per_sample; ++i) stream.record().wait();
    };
  const Policy policy = what == "apply_async" ? Policy::async : Policy::sync;
  return [x, policy] {
    const PolicyGuard guard(policy);
    for (int i = 0; i < calls_per_sample; ++i) scale_shift(x, 1, 1);
  };
}

void waist_body(Case& c) {
  const Tensor x = Tensor::from(std::vector<float>{41}, {1}, c.device());
  c.expect_equal(scale_shift(x, 1, 1).to_host(), std::vector<float>{42});
  c.evidence("measured", "perflab_engine");
  c.measure(thousand(c.s("call"), c.device(), x));
}

void derive_waist(const Results& results, Derived& derived) {
  for (const char* call : {"enqueue", "apply_async", "apply_sync", "event"})
    add_median(derived, std::string(call) + "_ns", "ns",
               results.only("self_waist", {{"call", call}}, "thousand_calls"), "submit",
               1.0 / calls_per_sample);  // the host's time, without the work itself
}

// One store per page of memory that nobody has touched.
void touch(std::byte* data) {
  for (std::size_t at = 0; at < touched_bytes; at += page_bytes) data[at] = std::byte(1);
}

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

void first_touch_body(Case& c) {
  c.expect(true, "");
  c.evidence("measured", "perflab_engine");
  c.one_call_per_sample();
  if (c.is("malloc_4KiB_pages"))
    return c.measure([] {
      const std::unique_ptr<void, Free> memory(std::aligned_alloc(page_bytes, touched_bytes));
      madvise(memory.get(), touched_bytes, MADV_NOHUGEPAGE);  // also where the system makes them unasked
      touch(static_cast<std::byte*>(memory.get()));
    });
  c.measure([&device = c.device()] {
    touch(device.allocate(touched_bytes).data());
    device.allocator().trim();  // so that the next call meets fresh memory too
  });
}

void derive_first_touch(const Results& results, Derived& derived) {
  add_ratio(derived, "first_touch_malloc_over_caching_ratio",
            results.only("self_first_touch", {}, "malloc_4KiB_pages"), "finish",
            results.only("self_first_touch", {}, "caching_allocator"), "finish");
}

PL_LAB("self_waist")
    .question("What do enqueueing, applying and waiting cost, beyond the work itself?")
    .axis("call", {.smoke = {"enqueue", "apply_sync"},
                   .quick = {"enqueue", "apply_async", "apply_sync", "event"},
                   .article = {},
                   .reproduce = {}})
    .sweep("thousand_calls")
    .hidden()
    .derive(derive_waist)
    .run(waist_body);

PL_LAB("self_first_touch")
    .question("How much faster is fresh memory from the caching allocator than from malloc?")
    .variants({"malloc_4KiB_pages", "caching_allocator"}, "malloc_4KiB_pages")
    .hidden()
    .derive(derive_first_touch)
    .run(first_touch_body);

}  // namespace

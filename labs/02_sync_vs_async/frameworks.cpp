// The article's loop in the real libraries, each in a process of its own and timed there: NumPy and PyTorch
// on the CPU.

#include "bench/peers.h"
#include "bodies.h"
#include "derive.h"

namespace perflab::waiting {
namespace {

constexpr const char *rounds = "10", *article_n = "1000";

}  // namespace

void numpy_loop_body(Case& c) {
  if (c.i("arms") == 2 && !(c.is("f64") || c.is("f32_philox")))
    return c.skip("not_in_this_profile", "the article's profile tells type and generator apart");
  const FoundPeer numpy = find_peer("numpy", peer_threads(int(c.i("blas_threads"))));
  if (!numpy) return c.skip(numpy.absent.reason_code, numpy.absent.sentence);
  const PeerSettings settings{{"n", std::to_string(c.i("n"))},
                              {"rounds", rounds},
                              {"dtype", c.is("f32") || c.is("f32_philox") ? "f32" : "f64"},
                              {"generator", c.is("f64_philox") || c.is("f32_philox") ? "philox" : "legacy"}};
  numpy->run("numpy_loop", settings);  // throws if the child finds its own product wrong
  c.expect(true, "the child checks a row of its product in float64");
  c.evidence("measured", numpy->identity().subject());
  c.one_call_per_sample();
  c.measure_counts([peer = *numpy, settings](Counts& counts) {
    const PeerAnswer answer = peer.run("numpy_loop", settings);
    counts.timed_there(answer.seconds, answer.seconds);
    counts.set("child_s", answer.seconds);
    counts.set("rng_s", answer.number("rng_s"));
    counts.set("matmul_s", answer.number("matmul_s"));
  });
}

void derive_numpy_loop(const Results& results, Derived& derived) {
  const auto at = [&](const char* variant) -> const Series* {
    return results.only("numpy_loop", {{"n", article_n}, {"blas_threads", "0"}}, variant);
  };
  add_median(derived, "numpy_f64_loop_s", "s", at("f64"), "child_s");
  add_median(derived, "numpy_f32_philox_loop_s", "s", at("f32_philox"), "child_s");
  const std::vector<const Series*> all = results.find("numpy_loop", {{"blas_threads", "0"}}, "f64");
  const Series* largest = all.empty() ? nullptr : all.back();
  add_ratio(derived, "numpy_rng_share", largest, "rng_s", largest, "child_s");
}

void torch_loop_body(Case& c) {
  const FoundPeer torch = find_peer("torch", peer_threads(0));
  if (!torch) return c.skip(torch.absent.reason_code, torch.absent.sentence);
  const PeerSettings settings{{"n", std::to_string(c.i("n"))}, {"rounds", rounds}};
  torch->run("torch_loop", settings);
  c.expect(true, "the child checks a row of its product in float64");
  c.evidence("measured", torch->identity().subject());
  c.one_call_per_sample();
  c.measure_counts([peer = *torch, settings](Counts& counts) {
    const PeerAnswer answer = peer.run("torch_loop", settings);
    counts.timed_there(answer.number("submit_s"), answer.seconds);
    counts.set("child_s", answer.seconds);
    counts.set("child_submit_s", answer.number("submit_s"));
    counts.set("child_finish_s", answer.number("finish_s"));
  });
}

void derive_torch_loop(const Results& results, Derived& derived) {
  const Series* torch = results.only("torch_loop", {}, "torch");
  add_ratio(derived, "torch_cpu_submit_over_finish_ratio", torch, "child_submit_s", torch, "child_finish_s");
  const Series* article = results.only("torch_loop", {{"n", article_n}}, "torch");
  add_median(derived, "torch_loop_s", "s", article, "child_s");
}

}  // namespace perflab::waiting

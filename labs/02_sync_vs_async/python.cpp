// What Python itself costs: two threads or processes against one, and an operation issued from Python against
// C++.

#include <algorithm>
#include <cmath>

#include "bench/peers.h"
#include "bodies.h"
#include "derive.h"
#include "device/topology.h"

namespace perflab::waiting {
namespace {

struct Work {
  const char *mode, *count;  // count: of the whole work, whatever the number of threads
};

// Some ten to thirty milliseconds in one thread.
Work work_of(const Case& c) {
  if (c.is("numpy_1") || c.is("numpy_2_threads")) return {"numpy", "6"};
  if (c.is("io_1") || c.is("io_2_threads")) return {"io", "6"};
  return {c.is("python_2_processes") ? "processes" : "python", "300000"};
}

std::int64_t operations(std::string_view op, std::int64_t elements) {
  const double each = op == "add" ? double(elements) : std::pow(double(elements), 1.5);
  // Some ten milliseconds of small ones; a product of large matrices is long enough by itself.
  return std::clamp<std::int64_t>(std::llround(op == "add" ? 6.5e7 / each : 4e6 / each), op == "add" ? 50 : 4,
                                  10'000);
}

// One interpreter for every mode, so that nothing but the mode differs: the one that has NumPy, if there is
// one.
FoundPeer interpreter(const Work& work) {
  FoundPeer python = find_peer("numpy", peer_threads(1));
  const bool needed = std::string_view(work.mode) == "numpy";
  return python || needed ? python : find_peer("python", peer_threads(1));
}

// The interpreter computes, or lets go of its lock for NumPy.
std::string subject_of(const Work& work, const PeerIdentity& identity) {
  const std::string prefix = "Python ";
  if (std::string_view(work.mode) == "numpy" || !identity.runtime.starts_with(prefix))
    return identity.subject();
  return "framework:Python-" + identity.runtime.substr(prefix.size());
}

// Two of anything do at most twice as much at once; more means that they did not do the same work.
std::string beyond_two(const Series* one, const Series* two) {
  if (!reason_for_none(one).empty() || !reason_for_none(two).empty()) return "";
  const auto ratio = Results::pair_blocks(*one, "child_s", *two, "child_s");
  const bool more = ratio && ratio->estimate.interval && ratio->estimate.interval->lo > 2 * 1.05;
  return more ? "more_than_two_can_do" : "";
}

}  // namespace

void python_parallel_body(Case& c) {
  if (this_machine().effective_cpus < 2)
    return c.skip("needs_cores:2", "two threads that compute at once need two processors");
  const Work work = work_of(c);
  const FoundPeer python = interpreter(work);
  if (!python) return c.skip(python.absent.reason_code, python.absent.sentence);
  const bool two = !(c.is("python_1") || c.is("numpy_1") || c.is("io_1"));
  const PeerSettings settings{{"threads", two ? "2" : "1"}, {"mode", work.mode}, {"count", work.count}};
  python->run("python_threads", settings);  // throws if the child finds its own result wrong
  c.expect(true, "the child compares its result with the one that the work must have");
  c.evidence("measured", subject_of(work, python->identity()));
  c.one_call_per_sample();
  c.measure_counts([peer = *python, settings](Counts& counts) {
    const PeerAnswer answer = peer.run("python_threads", settings);
    counts.timed_there(answer.seconds, answer.seconds);
    counts.set("child_s", answer.seconds);
    counts.set("has_lock_count", answer.number("has_lock"));
  });
}

void derive_python_parallel(const Results& results, Derived& derived) {
  const auto add = [&](const char* metric, const char* one, const char* two) {
    const Series *alone = results.only("python_parallel", {}, one),
                 *both = results.only("python_parallel", {}, two);
    add_ratio(derived, metric, alone, "child_s", both, "child_s", beyond_two(alone, both));
  };
  add("python_threads2_speedup_ratio", "python_1", "python_2_threads");
  add("python_processes2_speedup_ratio", "python_1", "python_2_processes");
  add("numpy_threads2_speedup_ratio", "numpy_1", "numpy_2_threads");
  add("io_threads2_speedup_ratio", "io_1", "io_2_threads");
}

void frontend_body(Case& c) {
  const FoundPeer torch = find_peer(c.is("python") ? "torch" : "torch_cpp", peer_threads(1));
  if (!torch) return c.skip(torch.absent.reason_code, torch.absent.sentence);
  const std::int64_t elements = c.i("elements");
  const PeerSettings settings{{"n", std::to_string(elements)},
                              {"op", c.s("op")},
                              {"count", std::to_string(operations(c.s("op"), elements))}};
  torch->run("torch_ops", settings);
  c.expect(true, "the child compares the operation's result with integers");
  c.evidence("measured", torch->identity().subject());
  c.one_call_per_sample();
  c.measure_counts([peer = *torch, settings](Counts& counts) {
    const PeerAnswer answer = peer.run("torch_ops", settings);
    counts.timed_there(answer.seconds, answer.seconds);
    counts.set("per_operation_ns", 1e9 * answer.number("per_op_s"));
  });
}

void derive_frontend(const Results& results, Derived& derived) {
  const auto add = [&](const char* metric, const char* elements) {
    const Match match{{"elements", elements}, {"op", "add"}};
    add_ratio(derived, metric, results.only("frontend", match, "python"), "per_operation_ns",
              results.only("frontend", match, "cpp"), "per_operation_ns");
  };
  add("python_over_cpp_smallop_ratio", "1");
  add("python_over_cpp_bigop_ratio", "65536");
}

}  // namespace perflab::waiting

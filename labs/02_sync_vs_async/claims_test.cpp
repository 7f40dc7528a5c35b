// The lab's claims, decided both ways on constructed samples.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench/claims_testing.h"
#include "bench/experiment.h"

namespace perflab::waiting {
namespace {

std::vector<Claim> all_claims() { return registry_of("02_sync_vs_async"); }
std::string verdict(const ConstructedRun& run, const std::string& id, const std::string& hardware = "") {
  return verdict_on("02_sync_vs_async", run, id, hardware);
}
std::vector<double> times(double value, std::uint64_t seed) { return noisy(value, 0.01, 20, seed); }

// ---- runs that show one claim's quantity ----

constexpr const char* engine = "perflab_engine";
const Match article_size{{"n", "1000"}};

ConstructedRun loop(double sync_finish_s, double async_finish_s, double async_submit_s) {
  ConstructedRun run("loop");
  run.evidence("measured", engine)
      .point(article_size,
             {{"async", times(1e9 * async_finish_s, 1)}, {"sync", times(1e9 * sync_finish_s, 2)}})
      .clock("submit", "async", times(1e9 * async_submit_s, 3))
      .clock("submit", "aa", times(1e9 * async_submit_s, 3));
  return run;
}

ConstructedRun overlap(double async_over_sync) {
  ConstructedRun run("host_overlap");
  run.evidence("measured", engine);
  for (const char* processors : {"2", "1"})
    run.point({{"host_per_device", "1"}, {"processors", processors}, {"steps", "100"}},
              {{"sync", times(1e7, 1)},
               {"async", times(1e7 * (processors[0] == '2' ? async_over_sync : 1), 2)},
               {"async_read", times(1e7, 3)},
               {"host_only", times(5e6, 4)},
               {"device_only", times(5e6, 5)}});  // on one processor: as long as both
  return run;
}

// Ratio of a wait each over one wait, for the shortest and for the longest tasks.
ConstructedRun increments(double short_ratio, double long_ratio) {
  ConstructedRun run("increments");
  run.evidence("measured", engine);
  for (const auto& [size, ratio] :
       {std::pair{"1", short_ratio}, {"3000", short_ratio}, {"1000000", long_ratio}}) {
    run.point(
        {{"increments_per_task", size}, {"most_tasks", "1000"}},
        {{"wait_each", times(1e7 * ratio, 1)}, {"wait_once", times(1e7, 2)}, {"no_queue", times(1e7, 3)}});
    for (const char* variant : {"wait_each", "wait_once"}) run.metric("tasks_count", variant, constant(10));
  }
  return run;
}

ConstructedRun counted(const std::string& experiment, const std::vector<std::string>& variants,
                       const std::string& metric, const std::string& variant, double count) {
  ConstructedRun run(experiment);
  run.evidence("measured", engine);
  ConstructedRun::Times each;
  for (const std::string& name : variants) each.emplace_back(name, times(1e6, each.size()));
  const Match axes = experiment == "drain" ? Match{{"work_ms", "20"}} : Match{};
  run.point(axes, each).metric(metric, variant, constant(count));
  return run;
}

ConstructedRun python(double threads, double processes, double numpy) {
  ConstructedRun run("python_parallel");
  run.evidence("measured", "framework:CPython-3.11.2");
  const std::vector<std::pair<std::string, double>> seconds{
      {"python_1", 1},          {"python_2_threads", 1 / threads}, {"python_2_processes", 1 / processes},
      {"numpy_1", 1},           {"numpy_2_threads", 1 / numpy},    {"io_1", 1},
      {"io_2_threads", 1 / 2.0}};
  ConstructedRun::Times each;
  for (const auto& [variant, one] : seconds) each.emplace_back(variant, times(1e9 * one, each.size()));
  run.point({}, each);
  for (const auto& [variant, one] : seconds)
    run.metric("child_s", variant, times(one, std::uint64_t(one * 100)));
  return run;
}

ConstructedRun numpy(double seconds) {
  ConstructedRun run("numpy_loop");
  run.evidence("measured", "framework:NumPy-1.24.2")
      .point({{"n", "1000"}, {"blas_threads", "0"}}, {{"f64", times(1e9, 1)},
                                                      {"f64_philox", times(1e9, 2)},
                                                      {"f32", times(1e9, 3)},
                                                      {"f32_philox", times(1e9, 4)}})
      .metric("child_s", "f64", times(seconds, 5))
      .metric("rng_s", "f64", times(seconds / 3, 6));
  return run;
}

ConstructedRun torch(double submit_over_finish) {
  ConstructedRun run("torch_loop");
  run.evidence("measured", "framework:PyTorch-1.13.1")
      .point({{"n", "1000"}}, {{"torch", times(2e8, 1)}})
      .metric("child_finish_s", "torch", times(0.2, 2))
      .metric("child_submit_s", "torch", times(0.2 * submit_over_finish, 3))
      .metric("child_s", "torch", times(0.2, 4));
  return run;
}

ConstructedRun frontend(double python_over_cpp) {
  ConstructedRun run("frontend");
  run.evidence("measured", "framework:PyTorch-1.13.1")
      .point({{"elements", "1"}, {"op", "add"}}, {{"cpp", times(1e6, 1)}, {"python", times(1e6, 2)}})
      .metric("per_operation_ns", "cpp", times(1000, 3))
      .metric("per_operation_ns", "python", times(1000 * python_over_cpp, 4));
  return run;
}

}  // namespace

TEST(WaitingClaims, AreElevenAndNameWhatTheLabMeasures) {
  std::set<std::string> ids;
  for (const Claim& one : all_claims()) {
    ids.insert(one.claim_id);
    EXPECT_FALSE(one.truth.empty() || one.holds_when.empty() || one.do_instead.empty()) << one.claim_id;
    EXPECT_TRUE(std::any_of(experiments().begin(), experiments().end(), [&](const Experiment& known) {
      return known.name() == one.experiment;
    })) << one.claim_id;
    EXPECT_TRUE(one.subject != "stand-in" || one.needs_hw.empty() || one.needs_hw == "sw:mxnet")
        << one.claim_id;
  }
  EXPECT_EQ(ids.size(), 11u);
}

TEST(WaitingClaims, EachPartCanComeOutBothWays) {
  EXPECT_EQ(all_claims().size(), 15u);
  EXPECT_EQ(one_sided_parts(all_claims()), std::vector<std::string>{});
}

TEST(WaitingClaims, FiftyTimesIsJudgedOnFinishedWorkWhateverTheSubmissionClockSays) {
  const std::string id = "async-50x-faster";
  EXPECT_EQ(verdict(loop(1.171, 1.171, 0.016), id),
            "CONTRADICTED (no_effect)");  // 73x for a clock that does not wait
  EXPECT_EQ(verdict(loop(1.7, 1.0, 0.016), id), "CONTRADICTED (far_smaller)");
  EXPECT_EQ(verdict(loop(0.64, 1.0, 0.016), id), "CONTRADICTED (opposite)");
  EXPECT_EQ(verdict(loop(0.753, 0.016, 0.015), id), "REPRODUCED");
  EXPECT_EQ(verdict(loop(0.753, 0.04, 0.015), id), "DIRECTION HOLDS (below_band)");
}

TEST(WaitingClaims, ReturningAtOnceIsJudgedByTheShareOfTheWorksTime) {
  const std::string id = "enqueue-returns-immediately";
  EXPECT_EQ(verdict(loop(1, 1, 0.001), id), "REPRODUCED");
  EXPECT_EQ(verdict(loop(1, 1, 0.1), id), "DIRECTION HOLDS (below_band)");
  EXPECT_EQ(verdict(loop(1, 1, 0.5), id), "CONTRADICTED (far_smaller)");
  EXPECT_EQ(verdict(loop(1, 1, 1), id), "CONTRADICTED (no_effect)");
}

TEST(WaitingClaims, TheSecondsOfAnotherEngineAreNotOursButThatTheyWereNotFinishedIs) {
  const std::string id = "mxnet-10x-random-matmul-0016s";
  EXPECT_EQ(verdict(loop(1, 1, 0.016), id), "CONTRADICTED (below_band)");
  EXPECT_EQ(verdict(loop(1, 1, 0.98), id), "NOT TESTABLE HERE (other_hardware_class)");
  // That MXNet is installed makes our engine's seconds no more its.
  EXPECT_EQ(verdict(loop(1, 0.017, 0.016), id, "sw:mxnet"), "NOT TESTABLE HERE (other_hardware_class)");
}

TEST(WaitingClaims, NumpysSecondsAreThoseOfTheMachinesThatTheBookWasBuiltOn) {
  const std::string id = "numpy-10x-random-matmul-0753s", there = "cpu:of_the_book_builds";
  EXPECT_EQ(verdict(numpy(0.75), id), "NOT TESTABLE HERE (other_hardware_class)");
  EXPECT_EQ(verdict(numpy(0.75), id, there), "REPRODUCED");
  EXPECT_EQ(verdict(numpy(0.2), id, there), "CONTRADICTED (below_band)");
  EXPECT_EQ(verdict(numpy(5), id, there), "CONTRADICTED (above_band)");
}

TEST(WaitingClaims, AFigureOfAnotherMachineIsShownBesideOursOfTheSameSize) {
  const auto seen_here = [](const ConstructedRun& run, const std::string& id) {
    std::vector<Claim> claims = all_claims();
    std::erase_if(claims, [&](const Claim& one) { return one.claim_id != id; });
    const Judgement judgement = judge(run.input(claims), experiments());
    EXPECT_EQ(verdict_words(judgement, id), "NOT TESTABLE HERE (other_hardware_class)");
    const Observation& seen = verdict_of(judgement, id).seen;
    return seen.estimate ? seen.estimate->median : 0;
  };
  EXPECT_NEAR(seen_here(numpy(0.25), "numpy-10x-random-matmul-0753s"), 0.25, 0.01);
  EXPECT_NEAR(seen_here(loop(1, 0.5, 0.49), "mxnet-10x-random-matmul-0016s"), 0.5, 0.01);
}

TEST(WaitingClaims, OverlapIsJudgedOnTwoProcessorsAndAStandInOnlyShowsTheDirection) {
  const std::string id = "backend-frees-host-for-other-work";
  EXPECT_EQ(verdict(overlap(0.55), id), "DIRECTION HOLDS (stand_in)");
  EXPECT_EQ(verdict(overlap(1), id), "CONTRADICTED (no_effect)");
  EXPECT_EQ(verdict(overlap(1.3), id), "CONTRADICTED (opposite)");
  EXPECT_EQ(verdict(overlap(0.3), id),
            "REJECTED (faster_than_its_longest_part)");  // the parts take half each
  EXPECT_TRUE(judge(overlap(0.3).input(), experiments()).implausible);
  EXPECT_FALSE(judge(overlap(0.55).input(), experiments()).implausible);
  ConstructedRun one_core("host_overlap");
  for (const char* variant : {"sync", "async"})
    one_core.skipped({{"host_per_device", "1"}, {"processors", "2"}}, variant, "needs_cores:2");
  EXPECT_EQ(verdict(one_core, id), "NOT TESTABLE HERE (needs_cores:2)");
}

TEST(WaitingClaims, NothingIsFasterThanPhysicsAllowsAtAnyRatioOrOnOneProcessor) {
  const auto implausible = [](const char* ratio, const char* processors, double async_ns) {
    ConstructedRun run("host_overlap");
    run.evidence("measured", engine)
        .point({{"host_per_device", ratio}, {"processors", processors}, {"steps", "100"}},
               {{"sync", times(1e7, 1)},
                {"async", times(async_ns, 2)},
                {"async_read", times(1e7, 3)},
                {"host_only", times(8e6, 4)},
                {"device_only", times(2e6, 5)}});
    return judge(run.input(), experiments()).implausible;
  };
  EXPECT_FALSE(implausible("4", "2", 8.1e6));
  EXPECT_TRUE(implausible("4", "2", 7e6));  // faster than the host alone
  EXPECT_FALSE(implausible("1", "1", 10e6));
  EXPECT_TRUE(implausible("1", "1", 8.1e6));  // one processor cannot do both in that time
}

TEST(WaitingClaims, TwoWorkersAreNeverMoreThanTwiceAsFast) {
  EXPECT_FALSE(judge(python(1.0, 1.98, 1.9).input(), experiments()).implausible);
  EXPECT_TRUE(judge(python(1.0, 2.4, 1.9).input(), experiments()).implausible);
  EXPECT_TRUE(judge(python(1.0, 1.9, 2.4).input(), experiments()).implausible);
}

TEST(WaitingClaims, TheSameSemanticsMeansThatTorchOnTheCpuReturnsEarly) {
  const std::string id = "async-semantics-same-in-all-frameworks";
  EXPECT_EQ(verdict(torch(0.999), id), "CONTRADICTED (no_effect)");
  EXPECT_EQ(verdict(torch(0.01), id), "REPRODUCED");
  ConstructedRun absent("torch_loop");
  absent.skipped({{"n", "1000"}}, "torch", "peer_missing:torch");
  EXPECT_EQ(verdict(absent, id), "NOT TESTABLE HERE (needs_torch)");
}

TEST(WaitingClaims, NotWaitingMustHelpLongTasksToo) {
  const std::string id = "async-gain-comes-from-not-waiting";
  EXPECT_EQ(verdict(increments(5, 1.0), id), "CONTRADICTED (no_effect)");
  EXPECT_EQ(verdict(increments(5, 1.3), id), "REPRODUCED");
  EXPECT_EQ(verdict(increments(0.5, 1.3), id), "CONTRADICTED (opposite)");
}

TEST(WaitingClaims, OnlyAWrongValueThroughTheFrameworksOwnReadConfirmsThatReadingNeedsAWait) {
  const std::string id = "must-block-before-reading-or-saving";
  const auto reads = [](double mismatches) {
    return counted("reads", {"tensor", "pointer", "pointer_after_wait"}, "mismatches_count", "tensor",
                   mismatches);
  };
  EXPECT_EQ(verdict(reads(0), id), "CONTRADICTED (below_band)");
  EXPECT_EQ(verdict(reads(3), id), "REPRODUCED");
}

TEST(WaitingClaims, WorkLeftOnAnotherQueueContradictsThatAWaitDrainsEverything) {
  const std::string id = "waitall-drains-everything";
  const auto drain = [](double pending) {
    return counted("drain", {"wait_all", "wait_current"}, "pending_other_count", "wait_current", pending);
  };
  EXPECT_EQ(verdict(drain(2), id), "CONTRADICTED (above_band)");
  EXPECT_EQ(verdict(drain(0), id), "REPRODUCED");
}

TEST(WaitingClaims, PythonIsBadAtParallelWorkOnlyIfThreadsNumpyAndProcessesAllGainNothing) {
  const std::string id = "python-single-threaded-weak-parallel";
  EXPECT_EQ(verdict(python(1.0, 1.0, 1.0), id), "REPRODUCED");
  EXPECT_EQ(verdict(python(1.0, 1.9, 1.0), id), "CONTRADICTED (above_band)");
  EXPECT_EQ(verdict(python(1.0, 1.0, 1.9), id), "CONTRADICTED (above_band)");
  EXPECT_EQ(verdict(python(1.9, 1.0, 1.0), id), "CONTRADICTED (above_band)");
  ConstructedRun one_core("python_parallel");
  for (const char* variant :
       {"python_1", "python_2_threads", "python_2_processes", "numpy_1", "numpy_2_threads"})
    one_core.skipped({}, variant, "needs_cores:2");
  EXPECT_EQ(verdict(one_core, id), "NOT TESTABLE HERE (needs_cores:2)");
}

TEST(WaitingClaims, APythonFrontEndIsHeldAgainstTheSameOperationFromCpp) {
  const std::string id = "async-frontend-avoids-python-cost";
  EXPECT_EQ(verdict(frontend(1.7), id), "CONTRADICTED (above_band)");
  EXPECT_EQ(verdict(frontend(1.0), id), "REPRODUCED");
}

TEST(WaitingClaims, APlantedFaultDecidesNothing) {
  ConstructedRun run("loop");
  run.evidence("measured", engine)
      .fault(1)
      .point(article_size, {{"async", times(1e6, 1)}, {"sync", times(5e7, 2)}});
  EXPECT_EQ(verdict(run, "async-50x-faster"), "INCONCLUSIVE (fault_injected)");
}

}  // namespace perflab::waiting

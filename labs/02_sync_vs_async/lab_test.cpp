// The planted faults with the gates that they meet, and the bodies: counts, bits, who waits for what.

#include <gtest/gtest.h>

#include <algorithm>
#include <future>

#include "base/test_folder.h"
#include "bench/experiment.h"
#include "bench/launch.h"
#include "bench/plan.h"
#include "bench/record_csv.h"
#include "bench/testing.h"
#include "bodies.h"
#include "device/cpu_device.h"
#include "two_queues.h"

namespace perflab::waiting {
namespace {

Device& cpu() { return Device::named("cpu:0"); }
const Experiment& experiment(const std::string& name) {
  return *std::find_if(experiments().begin(), experiments().end(),
                       [&](const auto& one) { return one.name() == name; });
}
Prepared prepared(const std::string& name, const Point& point, const std::string& variant, int fault = 0) {
  return prepare(experiment(name), point, variant, cpu(), 1, fault);
}
Prepared loop(const std::string& variant, int fault = 0) {
  return prepared("loop", {{"n", std::int64_t(64)}}, variant, fault);
}
// One call, drained as the sampler drains it, and its counts.
std::map<std::string, double> call(Prepared& one) {
  Counts counts(one.declared_metrics);
  one.once(counts);
  drain(one.waited_for);
  return counts.per_call(1);
}

// Keeps a device's compute stream from going on while it lives.
class Hold {
 public:
  explicit Hold(Device& device) : device_(device) {
    device.stream().enqueue([open = open_.get_future().share()](StreamContext&) { open.wait(); });
  }
  ~Hold() {
    open_.set_value();
    device_.synchronize();
  }

 private:
  std::promise<void> open_;
  Device& device_;
};

// What `--profile smoke --experiment loop --fault N` exits with.
int exit_code_of_a_launch(int fault) {
  const TestFolder folder;
  LaunchRequest request;
  request.run_id = "20260101T000000Z-000000";
  request.lab_id = "02_sync_vs_async";
  request.lab_folder = folder.path();
  request.profile = load_profile("smoke");
  request.plan.lab_id = request.lab_id;
  request.plan.experiments = {"loop"};
  request.fault = fault;
  const std::unique_ptr<Probe> probe = system_probe();
  const int code = launch(experiments(), request,
                          {.clock = steady_clock(), .probe = *probe, .interrupted = [] { return false; }});
  cpu().synchronize();
  return code;
}

}  // namespace

// ---- planted faults ----

TEST(Fault1, AClockStoppedAfterTheEnqueueMeetsTheGateOfEmptyQueues) {
  for (const char* variant : {"async", "sync"}) {
    Prepared honest = loop(variant), planted = loop(variant, 1);
    ASSERT_EQ(honest.status, "ok") << honest.status_text;
    ASSERT_EQ(planted.status, "ok") << planted.status_text;
    call(honest);
    EXPECT_TRUE(honest.verify().correct);
    EXPECT_EQ(honest.waited_for, std::vector<Device*>{&cpu()});
    EXPECT_NE(planted.waited_for, honest.waited_for);
  }
  for (const char* variant : {"async", "sync"}) {
    Prepared planted = loop(variant, 1);
    for (int again = 0; again < 2; ++again) {
      call(planted);  // returns: its clock waits for nobody who works, and the last piece is held until ...
      EXPECT_GE(cpu().stream().pending(), 1);
      EXPECT_FALSE(planted.verify().correct);  // ... the queue was looked at
    }
  }
  cpu().synchronize();
}

TEST(Fault1, AndTheCeilingOfArithmeticWhereOneIsKnown) {
  const Prepared planted = loop("async", 1);
  const auto implausible = [&](double finish_ns) {
    ConstructedRun run("loop");
    run.work(planted.cost)
        .bound(planted.bound)
        .fault(1)
        .point({{"n", "64"}}, {{"async", steady(finish_ns)}, {"sync", steady(1e6)}});
    JudgeInput input = run.input();
    input.ceilings.raise({"compute", "fma", planted.bound.threads, 100, "earlier"});
    return judge(input, experiments()).implausible;
  };
  EXPECT_DOUBLE_EQ(planted.cost.flops, 10 * 2.0 * 64 * 64 * 64);
  EXPECT_TRUE(implausible(2e3));    // 2 us for 5.2 MFLOP
  EXPECT_FALSE(implausible(60e3));  // 87 GFLOP/s under a ceiling of 100
}

TEST(Fault2, AReadBackEveryStepMeetsTheGateOfCounts) {
  for (const auto& [variant, waits, promised] : {std::tuple{"async", 10, 0}, {"sync", 20, 10}}) {
    EXPECT_EQ(loop(variant).status, "ok");
    const Prepared planted = loop(variant, 2);
    EXPECT_EQ(planted.status, "failed");
    EXPECT_EQ(planted.status_reason, "wrong_result");
    const std::string text =
        fmt::format("the loop waited {} times; the variant promises {}", waits, promised);
    EXPECT_NE(planted.status_text.find(text), std::string::npos) << planted.status_text;
  }
}

TEST(Faults, EndALaunchWithExitCodeOne) {
  EXPECT_EQ(exit_code_of_a_launch(0), exit_codes::ok);
  EXPECT_EQ(exit_code_of_a_launch(1), exit_codes::wrong);
  EXPECT_EQ(exit_code_of_a_launch(2), exit_codes::wrong);
}

// ---- bodies ----

TEST(LoopBody, WaitsOnlyAsItsVariantSaysAndGivesTheSameBits) {
  Prepared sync = loop("sync"), async = loop("async");
  const auto of_sync = call(sync), of_async = call(async);
  EXPECT_EQ(of_sync.at("waits_count"), 10);
  EXPECT_EQ(of_async.at("waits_count"), 0);
  EXPECT_EQ(of_sync.at("enqueues_count"), 20);
  EXPECT_EQ(of_async.at("enqueues_count"), 20);
  EXPECT_EQ(of_sync.at("pending_count"), 0);
  EXPECT_EQ(sync.verify().checksum, async.verify().checksum);
}

TEST(LoopBody, SubmitsEverythingWhileTheDeviceIsHeld) {
  Prepared async = loop("async");
  const Hold hold(cpu());
  Counts counts(async.declared_metrics);
  async.once(counts);  // returns although nothing can run
  EXPECT_EQ(counts.per_call(1).at("pending_count"), 1 + 20);
}

TEST(QueueBody, GrowsWithoutABoundAndStopsAtOne) {
  const Point depth{{"depth", std::int64_t(600)}};
  Prepared unbounded = prepared("queue", depth, "unbounded"), bounded = prepared("queue", depth, "bounded");
  ASSERT_EQ(bounded.status, "ok") << bounded.status_text;
  EXPECT_LE(call(bounded).at("pending_count"), 256);
  EXPECT_TRUE(bounded.verify().correct);
  const Hold hold(cpu());
  Counts counts(unbounded.declared_metrics);
  unbounded.once(counts);
  EXPECT_EQ(counts.per_call(1).at("pending_count"), 1 + 600);
}

TEST(IncrementsBody, CountsAWaitPerTaskOrNone) {
  const Point point{{"increments_per_task", std::int64_t(300)}, {"most_tasks", std::int64_t(50)}};
  for (const auto& [variant, waits, enqueues] :
       {std::tuple{"wait_each", 50.0, 50.0}, {"wait_once", 0.0, 50.0}, {"no_queue", 0.0, 0.0}}) {
    Prepared one = prepared("increments", point, variant);
    ASSERT_EQ(one.status, "ok") << one.status_text;
    const auto counts = call(one);
    EXPECT_EQ(counts.at("enqueues_count"), enqueues) << variant;
    if (enqueues > 0) {
      EXPECT_EQ(counts.at("waits_count"), waits) << variant;
    }
    EXPECT_TRUE(one.verify().correct) << variant;
  }
}

TEST(ReadsBody, OnlyThePointerWithoutAWaitSeesWhatIsNotThereYet) {
  for (const auto& [variant, waits] :
       {std::pair{"tensor", 1000.0}, {"pointer", 0.0}, {"pointer_after_wait", 1000.0}}) {
    Prepared one = prepared("reads", {}, variant);
    ASSERT_EQ(one.status, "ok") << one.status_text;
    const auto counts = call(one);
    EXPECT_EQ(counts.at("waits_count"), waits) << variant;
    if (waits > 0) {
      EXPECT_EQ(counts.at("mismatches_count"), 0) << variant;
    }
    EXPECT_TRUE(one.verify().correct) << variant;
  }
  Prepared pointer = prepared("reads", {}, "pointer");
  const Hold hold(cpu());  // no rewrite happens before the reads
  Counts counts(pointer.declared_metrics);
  pointer.once(counts);
  EXPECT_EQ(counts.per_call(1).at("mismatches_count"), 1000);
}

TEST(DrainBody, AWaitForTheCurrentDeviceLeavesTheOthersWorkUndone) {
  CpuDevice other({.name = "cpu:test", .pinned_cpus = {}});
  TwoQueues endless(cpu(), other, 1000, std::int64_t(1) << 50);  // until it is told to stop, after the count
  endless.run(false);
  EXPECT_EQ(endless.pending_other(), 2);
  EXPECT_EQ(endless.pending_current(), 0);
  other.synchronize();
  EXPECT_TRUE(endless.counted_up());
  TwoQueues brief(cpu(), other, 1000, 4000);
  brief.run(true);
  EXPECT_EQ(brief.pending_other(), 0);
  EXPECT_EQ(brief.pending_current(), 0);
  EXPECT_TRUE(brief.counted_up());
}

TEST(MemoryBody, HoldsAsManyBatchesAsAreQueued) {
  const Point point{{"batches", std::int64_t(20)}, {"batch_rows", std::int64_t(32)}};
  constexpr double batch_bytes = 32 * 512 * 4;
  Prepared bounded = prepared("memory", point, "bounded"), unbounded = prepared("memory", point, "unbounded"),
           each = prepared("memory", point, "wait_each");
  ASSERT_EQ(unbounded.status, "ok") << unbounded.status_text;
  EXPECT_LE(call(bounded).at("longest_queue_count"), 4);
  EXPECT_LT(call(each).at("held_bytes"), 4 * batch_bytes);
  const Hold hold(cpu());
  Counts counts(unbounded.declared_metrics);
  unbounded.once(counts);
  EXPECT_EQ(counts.per_call(1).at("longest_queue_count"), 1 + 20);
  EXPECT_GE(counts.per_call(1).at("held_bytes"), 20 * batch_bytes);
}

TEST(OverlapBody, CountsAReadOfOneValueAsAWait) {
  const Point point{{"host_per_device", 1.0}, {"processors", std::int64_t(2)}, {"steps", std::int64_t(3)}};
  for (const auto& [variant, waits] : {std::pair{"sync", 0.0},
                                       {"async", 0.0},
                                       {"async_read", 3.0},
                                       {"host_only", 0.0},
                                       {"device_only", 0.0}}) {
    Prepared one = prepared("host_overlap", point, variant);
    if (one.status == "skipped") GTEST_SKIP() << one.status_text;
    ASSERT_EQ(one.status, "ok") << one.status_text;
    EXPECT_EQ(call(one).at("waits_count"), waits) << variant;
    EXPECT_TRUE(one.verify().correct) << variant;
  }
}

TEST(EveryBody, PassesItsGateOrSaysWhyItCannotOnThisMachine) {
  const Profile smoke = load_profile("smoke");
  PlanRequest request;
  request.lab_id = "02_sync_vs_async";
  for (const PlannedPoint& planned : make_plan(experiments(), smoke, request))
    for (const std::string& variant : planned.experiment->variant_names()) {
      Prepared one = prepare(*planned.experiment, planned.point, variant, cpu(), 1, 0);
      const std::string name = one.id() + " " + variant + ": " + one.status_reason + " " + one.status_text;
      ASSERT_TRUE(one.status == "ok" || (one.status == "skipped" && !one.status_reason.empty())) << name;
      if (one.status != "ok") continue;
      EXPECT_NE(one.subject, "this_machine")
          << name;  // an engine or a framework stands behind every number here
      call(one);
      if (one.verify) {
        EXPECT_TRUE(one.verify().correct) << name;
      }
    }
}

}  // namespace perflab::waiting

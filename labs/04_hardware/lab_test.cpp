// The planted faults with the gates that they meet, and the bodies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/experiment.h"
#include "bench/plan.h"
#include "bench/testing.h"
#include "bodies.h"
#include "device/topology.h"
#include "kernels.h"

namespace perflab::hardware {

// ---- planted faults ----

namespace {

const Experiment& experiment(const std::string& name) {
  return *std::find_if(experiments().begin(), experiments().end(),
                       [&](const auto& one) { return one.name() == name; });
}

constexpr std::int64_t Ki = 1024;

Prepared stream_point(const std::string& level, int threads, int fault) {
  const Point point = {
      {"level", level}, {"pattern", std::string("copy")}, {"threads", std::int64_t(threads)}};
  return prepare(experiment("stream"), point, "plain", Device::named("cpu:0"), 1, fault);
}

}  // namespace

TEST(Fault1, AHotWorkingSetCalledDramMeetsTheGateOfDeclaredLevels) {
  if (level_size(this_machine(), "DRAM", 1).bytes == 0)
    GTEST_SKIP() << "this machine's cache sizes are unknown";
  const Prepared honest = stream_point("DRAM", 1, 0), planted = stream_point("DRAM", 1, 1);
  ASSERT_EQ(honest.status, "ok") << honest.status_text;
  ASSERT_EQ(planted.status, "ok") << planted.status_text;
  EXPECT_EQ(planted.bound.level, "DRAM");
  EXPECT_GE(honest.bound.working_set_bytes, 4 * this_machine().last_level_total_bytes());
  EXPECT_LT(planted.bound.working_set_bytes, this_machine().cache_bytes(1));
  EXPECT_NEAR(planted.cost.bytes() / honest.cost.bytes(), 1, 0.01);  // it counts the same bytes

  for (const Prepared* prepared : {&honest, &planted}) {
    ConstructedRun run("stream");
    run.work(prepared->cost).bound(prepared->bound);
    if (prepared == &planted) run.fault(1);
    run.point({{"level", "DRAM"}, {"pattern", "copy"}, {"threads", "1"}}, {{"plain", steady(1e7)}});
    JudgeInput input = run.input();
    input.caches = this_machine().caches;
    EXPECT_EQ(judge(input, experiments()).implausible, prepared == &planted);
  }
}

TEST(Fault1, AndTheCeilingOfDramWhereOneIsKnown) {
  ConstructedRun run("stream");
  run.work({.flops = 0, .bytes_read = 1e9, .bytes_written = 0})
      .bound({.level = "DRAM", .pattern = "read", .threads = 1, .working_set_bytes = 0})
      .fault(1)
      .point({{"level", "DRAM"}, {"pattern", "read"}, {"threads", "1"}},
             {{"plain", steady(1e7)}});  // 100 GB/s
  JudgeInput input = run.input();
  input.ceilings.raise({"DRAM", "read", 1, 99, "earlier"});
  EXPECT_FALSE(judge(input, experiments()).implausible);  // 1 % above what was seen before: within tolerance
  Ceilings lower;
  lower.raise({"DRAM", "read", 1, 30, "earlier"});
  input.ceilings = lower;
  EXPECT_TRUE(judge(input, experiments()).implausible);
}

TEST(Fault2, SerialFirstTouchMeetsTheCorrectnessGate) {
  const Prepared honest = stream_point("L1", 2, 0), planted = stream_point("L1", 2, 2);
  if (honest.status == "skipped") GTEST_SKIP() << honest.status_text;
  EXPECT_EQ(honest.status, "ok") << honest.status_text;
  EXPECT_EQ(planted.status, "failed");
  EXPECT_EQ(planted.status_reason, "wrong_result");
  EXPECT_NE(planted.status_text.find("first touched by another thread"), std::string::npos)
      << planted.status_text;
}

TEST(Faults, AreTheStreamsAndNumberedThroughTheLab) {
  EXPECT_EQ(choose_fault(experiments(), 1).experiment, &experiment("stream"));
  EXPECT_EQ(choose_fault(experiments(), 2).number, 2);
  EXPECT_EQ(experiment("stream").fault_texts().size(), 2u);
}

// ---- bodies ----

TEST(StreamBody, StatesUsefulBytesAndTheCeilingThatBoundsIt) {
  const Prepared prepared = stream_point("L1", 1, 0);
  if (prepared.status == "skipped") GTEST_SKIP() << prepared.status_text;
  EXPECT_EQ(prepared.bound.level, "L1");
  EXPECT_EQ(prepared.bound.pattern, "copy");
  EXPECT_EQ(prepared.cost.bytes_read, prepared.cost.bytes_written);
  const double passes = prepared.cost.bytes() / double(prepared.bound.working_set_bytes);
  EXPECT_EQ(passes, std::floor(passes));
  EXPECT_TRUE(prepared.verify().correct);
}

TEST(StreamBody, ReadBackNoticesAnOutputThatIsNotWhatWasAsked) {
  const Point point = {
      {"level", std::string("L1")}, {"pattern", std::string("read")}, {"threads", std::int64_t(1)}};
  Prepared prepared = prepare(experiment("stream"), point, "plain", Device::named("cpu:0"), 1, 0);
  if (prepared.status == "skipped") GTEST_SKIP() << prepared.status_text;
  EXPECT_FALSE(prepared.verify().correct);  // the gate's single pass is not the timed call
  Counts counts({});
  prepared.once(counts);
  EXPECT_TRUE(prepared.verify().correct);
}

TEST(WakeBody, CountsTwoHandshakesPerCallWithoutTouchingThemInTheTimedPart) {
  const Prepared prepared = prepare(experiment("wake"), {}, "spin", Device::named("cpu:0"), 1, 0);
  if (prepared.status == "skipped") GTEST_SKIP() << prepared.status_text;
  EXPECT_EQ(prepared.metrics.at("handshakes_count"), 2);
  Counts counts(prepared.declared_metrics);
  prepared.once(counts);
  EXPECT_TRUE(counts.per_call(1).empty());
}

TEST(EveryBody, PassesItsGateOrSaysWhyItCannotOnThisMachine) {
  const Profile smoke = load_profile("smoke");
  PlanRequest request;
  request.lab_id = "04_hardware";
  for (const Experiment& one : experiments()) request.experiments.push_back(one.name());
  for (const PlannedPoint& planned : make_plan(experiments(), smoke, request))
    for (const std::string& variant : planned.experiment->variant_names()) {
      Prepared prepared = prepare(*planned.experiment, planned.point, variant, Device::named("cpu:0"), 1, 0);
      const std::string name =
          prepared.id() + " " + variant + ": " + prepared.status_reason + " " + prepared.status_text;
      ASSERT_TRUE(prepared.status == "ok" ||
                  (prepared.status == "skipped" && !prepared.status_reason.empty()))
          << name;
      if (prepared.status != "ok") continue;
      Counts counts(prepared.declared_metrics);
      prepared.once(counts);
      if (prepared.verify) {
        EXPECT_TRUE(prepared.verify().correct) << name;
      }
      if (prepared.census) {
        EXPECT_EQ(prepared.census(), prepared.threads_expected) << name;
      }
    }
}

}  // namespace perflab::hardware

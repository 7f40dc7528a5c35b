// The lab's claims, decided both ways on constructed samples, and the planted faults with the gates that they
// meet.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bench/claims.h"
#include "bench/experiment.h"
#include "bench/plan.h"
#include "bench/testing.h"
#include "bodies.h"
#include "device/topology.h"
#include "kernels.h"

namespace perflab::hardware {
namespace {

std::vector<Claim> all_claims() {
  return read_claims(std::filesystem::path(PERFLAB_SOURCE_DIR) / "labs" / "04_hardware" / "claims.csv");
}
std::vector<Claim> claim(const std::string& id) {
  std::vector<Claim> claims = all_claims();
  std::erase_if(claims, [&](const Claim& one) { return one.claim_id != id; });
  return claims;
}
std::string verdict(const ConstructedRun& run, const std::string& id,
                    std::vector<std::string> hardware = {}) {
  JudgeInput input = run.input(claim(id));
  input.hardware = std::move(hardware);
  return verdict_words(judge(input, experiments()), id);
}
const Experiment& experiment(const std::string& name) {
  return *std::find_if(experiments().begin(), experiments().end(),
                       [&](const auto& one) { return one.name() == name; });
}
std::vector<double> values(double value, int n = 20) { return std::vector<double>(std::size_t(n), value); }

// ---- runs that show one claim's quantity ----

ConstructedRun chase_dram(double random_over_sequential) {
  ConstructedRun run("chase");
  run.point({{"level", "DRAM"}}, {{"sequential", noisy(1e4, 0.01, 20, 1)},
                                  {"random", noisy(1e4 * random_over_sequential, 0.01, 20, 2)}});
  return run;
}

ConstructedRun counted(const std::string& metric, double value) {
  ConstructedRun run("counts");
  run.point({{"threads", "1"}}, {{"fma", noisy(1e6, 0.01, 20, 1)}});
  if (!metric.empty()) run.metric(metric, "fma", values(value));
  return run;
}

// Latencies in ns per access; a call makes ten accesses.
ConstructedRun tier_run(double l1, double l2, double l3, double dram, double disk, double direct = 1) {
  ConstructedRun run("chase");
  for (const auto& [level, ns] : {std::pair{"L1", l1}, {"L2", l2}, {"L3", l3}, {"DRAM", dram}})
    run.point({{"level", level}},
              {{"sequential", noisy(100, 0.01, 20, 1)}, {"random", noisy(10 * ns, 0.01, 20, 2)}})
        .metric("accesses_count", "random", values(10));
  run.experiment("disk").point({{"file_bytes", "67108864"}}, {{"sequential_4KiB", noisy(disk, 0.01, 20, 3)},
                                                              {"random_4KiB", noisy(disk, 0.01, 20, 4)},
                                                              {"sequential_1MiB", noisy(disk, 0.01, 20, 5)}});
  run.metric("direct_count", "random_4KiB", values(direct));
  return run;
}

ConstructedRun triad_run(double GBps, double ddr_generation) {
  ConstructedRun run("stream");
  run.work({.flops = 0, .bytes_read = 8e6, .bytes_written = 4e6});
  run.point({{"level", "DRAM"}, {"pattern", "triad"}, {"threads", "1"}},
            {{"plain", noisy(24e6 / GBps, 0.01, 20, 1)}, {"nt", noisy(24e6 / GBps, 0.01, 20, 2)}});
  run.bound({.level = "", .pattern = "", .threads = 2, .working_set_bytes = 0});
  run.point({{"level", "DRAM"}, {"pattern", "triad"}, {"threads", "2"}},
            {{"plain", noisy(13e6 / GBps, 0.01, 20, 1)}, {"nt", noisy(12e6 / GBps, 0.01, 20, 2)}});
  run.experiment("counts").point({{"threads", "1"}}, {{"fma", noisy(1e6, 0.01, 20, 1)}});
  if (ddr_generation > 0) run.metric("ddr_generation_count", "fma", values(ddr_generation));
  return run;
}

// A kernel under a memory roof of 10 GB/s and a peak of 100 GFLOP/s; the roof over it is the lower of 10 *
// FLOPs per byte and 100.
ConstructedRun roofline_run(double flops_per_byte, const std::vector<double>& GFLOPS) {
  ConstructedRun run("roofline");
  const double bytes = 1e7;
  std::vector<double> times_ns;
  for (const double rate : GFLOPS) times_ns.push_back(bytes * flops_per_byte / rate);
  run.work({.flops = bytes * flops_per_byte, .bytes_read = bytes, .bytes_written = 0})
      .bound({.level = "DRAM", .pattern = "polynomial", .threads = 1, .working_set_bytes = 0})
      .point({{"level", "DRAM"}, {"multiply_adds", "2"}, {"threads", "1"}}, {{"kernel", times_ns}});
  run.experiment("stream")
      .work({.flops = 0, .bytes_read = bytes, .bytes_written = 0})
      .bound({.level = "DRAM", .pattern = "read", .threads = 1, .working_set_bytes = 0})
      .point({{"level", "DRAM"}, {"pattern", "read"}, {"threads", "1"}}, {{"plain", steady(bytes / 10)}});
  run.experiment("fma_peak")
      .work({.flops = 1e8, .bytes_read = 0, .bytes_written = 0})
      .bound({.level = "compute", .pattern = "fma", .threads = 1, .working_set_bytes = 0})
      .point({{"threads", "1"}}, {{"fma", steady(1e8 / 100)}});
  return run;
}

}  // namespace

TEST(HardwareClaims, AreTwelveAndNameWhatTheLabOrALaterOneMeasures) {
  std::vector<std::string> ids;
  for (const Claim& one : all_claims()) {
    if (std::find(ids.begin(), ids.end(), one.claim_id) == ids.end()) ids.push_back(one.claim_id);
    EXPECT_FALSE(one.truth.empty() || one.holds_when.empty() || one.do_instead.empty()) << one.claim_id;
    const bool here = std::any_of(experiments().begin(), experiments().end(),
                                  [&](const Experiment& known) { return known.name() == one.experiment; });
    EXPECT_EQ(here, one.subject == "real") << one.claim_id;
  }
  EXPECT_EQ(ids.size(), 12u);
}

TEST(HardwareClaims, ScatteredReadsAreJudgedByTheirFactor) {
  const std::string id = "high-bandwidth-is-not-low-latency";
  EXPECT_EQ(verdict(chase_dram(30), id), "REPRODUCED");
  EXPECT_EQ(verdict(chase_dram(1), id), "CONTRADICTED (no_effect)");
  EXPECT_EQ(verdict(chase_dram(0.5), id), "CONTRADICTED (opposite)");
  EXPECT_EQ(verdict(chase_dram(1.6), id), "DIRECTION HOLDS (below_band)");
}

TEST(HardwareClaims, CoresAreCountedAndUnknownIsNotAVerdict) {
  const std::string id = "cpu-has-4-16-cores";
  for (const double cores : {4, 8, 16})
    EXPECT_EQ(verdict(counted("physical_count", cores), id), "REPRODUCED");
  EXPECT_EQ(verdict(counted("physical_count", 2), id), "CONTRADICTED (below_band)");
  EXPECT_EQ(verdict(counted("physical_count", 64), id), "CONTRADICTED (above_band)");
  EXPECT_EQ(verdict(counted("", 0), id), "NOT TESTABLE HERE (unknown_core_count)");
}

TEST(HardwareClaims, EthernetIsJudgedByTheLineRateThatTheSystemReports) {
  const std::string id = "ethernet-1-10-gbs";
  EXPECT_EQ(verdict(counted("nic_line_rate_GBps", 3.125), id), "REPRODUCED");
  EXPECT_EQ(verdict(counted("nic_line_rate_GBps", 0.125), id), "CONTRADICTED (below_band)");
  EXPECT_EQ(verdict(counted("nic_line_rate_GBps", 50), id), "CONTRADICTED (above_band)");
  EXPECT_EQ(verdict(counted("", 0), id), "NOT TESTABLE HERE (unknown_line_rate)");
}

TEST(HardwareClaims, TiersAreJudgedByTheClosestPair) {
  const std::string id = "hardware-division-of-labour";
  EXPECT_EQ(verdict(tier_run(1, 4, 15, 100, 50'000), id), "REPRODUCED");
  EXPECT_EQ(verdict(tier_run(1, 4, 100, 15, 50'000), id), "CONTRADICTED (below_band)");  // DRAM before L3
  EXPECT_EQ(verdict(tier_run(1, 4, 15, 100, 50), id), "CONTRADICTED (below_band)");      // disk before DRAM
  EXPECT_EQ(verdict(tier_run(1, 4, 4, 100, 50'000), id), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(verdict(tier_run(1, 4, 15, 100, 50'000, 0), id), "NOT TESTABLE HERE (no_direct_reads)");
}

TEST(HardwareClaims, Ddr4IsJudgedOnlyWhereTheMemoryIsKnownToBeThat) {
  const std::string id = "ddr4-20-25-gbs";
  EXPECT_EQ(verdict(triad_run(22, 4), id, {"mem:ddr4"}), "REPRODUCED");
  EXPECT_EQ(verdict(triad_run(45, 4), id, {"mem:ddr4"}), "CONTRADICTED (above_band)");
  EXPECT_EQ(verdict(triad_run(12, 4), id, {"mem:ddr4"}), "CONTRADICTED (below_band)");
  EXPECT_EQ(verdict(triad_run(22, 5), id), "NOT TESTABLE HERE (needs_mem:ddr4)");
  EXPECT_EQ(verdict(triad_run(22, 0), id), "NOT TESTABLE HERE (unknown_memory_type)");
}

TEST(HardwareClaims, OneSampleAboveTheRoofContradictsTheBound) {
  const std::string id = "everything-bounded-by-hardware-limits";
  EXPECT_EQ(verdict(roofline_run(1, steady(9.9)), id), "REPRODUCED");   // bandwidth limits
  EXPECT_EQ(verdict(roofline_run(100, steady(99)), id), "REPRODUCED");  // arithmetic limits
  EXPECT_EQ(verdict(roofline_run(100, steady(120)), id), "CONTRADICTED (above_band)");
  std::vector<double> one_above = steady(99);
  one_above[7] = 120;
  EXPECT_EQ(verdict(roofline_run(100, one_above), id), "CONTRADICTED (above_band)");
}

TEST(HardwareClaims, ARateAboveTheMeasuredBandwidthIsAMistakeInCountingAndNotAVerdict) {
  EXPECT_EQ(verdict(roofline_run(1, steady(12)), "everything-bounded-by-hardware-limits"),
            "REJECTED (implausible)");
}

TEST(HardwareClaims, ThoseOfGpusWaitForOne) {
  const ConstructedRun run = chase_dram(30);
  EXPECT_EQ(verdict(run, "cpu-weak-at-bulk-compute"), "NOT TESTABLE HERE (needs_gpus:1)");
  EXPECT_EQ(verdict(run, "gpu-thousands-of-cores"), "NOT TESTABLE HERE (needs_gpus:1)");
  EXPECT_EQ(verdict(run, "gpu-fits-gradient-update"), "NOT TESTABLE HERE (needs_gpus:1)");
  EXPECT_EQ(verdict(run, "cpu-good-at-branching"), "NOT TESTABLE HERE (needs_gpus:1)");
  EXPECT_EQ(verdict(run, "pcie4-x16-32-gbs"), "NOT TESTABLE HERE (needs_gpus:1)");
  EXPECT_EQ(verdict(run, "nvlink-100-900-gbs"), "NOT TESTABLE HERE (needs_gpus:2)");
}

// ---- planted faults ----

namespace {

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

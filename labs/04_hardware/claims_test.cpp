// The lab's claims, decided both ways on constructed samples.

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/claims_testing.h"
#include "bench/experiment.h"

namespace perflab::hardware {
namespace {

std::vector<Claim> claim(const std::string& id) { return registry_of("04_hardware", id); }
std::vector<Claim> all_claims() { return registry_of("04_hardware"); }
std::string verdict(const ConstructedRun& run, const std::string& id) {
  return verdict_on("04_hardware", run, id);
}

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
  if (!metric.empty()) run.metric(metric, "fma", constant(value));
  return run;
}

// Latencies in ns per access; a call makes ten accesses.
ConstructedRun tier_run(double l1, double l2, double l3, double dram, double disk, double direct = 1) {
  ConstructedRun run("chase");
  for (const auto& [level, ns] : {std::pair{"L1", l1}, {"L2", l2}, {"L3", l3}, {"DRAM", dram}})
    run.point({{"level", level}},
              {{"sequential", noisy(100, 0.01, 20, 1)}, {"random", noisy(10 * ns, 0.01, 20, 2)}})
        .metric("accesses_count", "random", constant(10));
  run.experiment("disk").point({{"file_bytes", "67108864"}}, {{"sequential_4KiB", noisy(disk, 0.01, 20, 3)},
                                                              {"random_4KiB", noisy(disk, 0.01, 20, 4)},
                                                              {"sequential_1MiB", noisy(disk, 0.01, 20, 5)}});
  run.metric("direct_count", "random_4KiB", constant(direct));
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
  if (ddr_generation > 0) run.metric("ddr_generation_count", "fma", constant(ddr_generation));
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
  run.experiment("counts")
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
    // Matrix products run here too; what they are compared with does not.
    EXPECT_EQ(here, one.subject == "real" || one.experiment == "gemm") << one.claim_id;
  }
  EXPECT_EQ(ids.size(), 12u);
}

TEST(HardwareClaims, EachPartCanComeOutBothWays) {
  EXPECT_EQ(all_claims().size(), 15u);
  EXPECT_EQ(one_sided_parts(all_claims()), std::vector<std::string>{});
}

TEST(HardwareClaims, ThousandsOfLanesAreOpenAbove) {
  const std::vector<Claim> lanes = claim("gpu-thousands-of-cores");
  ASSERT_EQ(lanes.size(), 1u);
  EXPECT_EQ(lanes[0].band_lo, 1000);
  EXPECT_FALSE(lanes[0].band_hi);
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

TEST(HardwareClaims, TiersRestOnEverySeriesThatTheyCompare) {
  const std::string id = "hardware-division-of-labour";
  const auto with = [&](const std::string& experiment, const std::string& variant, auto&& spoil) {
    ConstructedRun run = tier_run(1, 4, 15, 100, 50'000);
    int spoiled = 0;
    for (CaseRow& row : run.cases) {
      const bool near = row.axes.contains("level") && row.axes["level"] != "DRAM";
      if (row.experiment != experiment || row.variant != variant || near) continue;
      spoil(run, row);
      ++spoiled;
    }
    EXPECT_EQ(spoiled, 1);
    return verdict(run, id);
  };
  const auto wrong = [](ConstructedRun&, CaseRow& row) {
    row.status = "failed";
    row.status_reason = "wrong_result";
  };
  const auto wrong_from_the_start = [&](ConstructedRun& run, CaseRow& row) {
    wrong(run, row);
    std::erase_if(run.samples, [&](const Sample& one) {
      return one.case_id == row.case_id && one.variant == row.variant;
    });
  };
  const auto busy = [](ConstructedRun&, CaseRow& row) { row.others_cpu_share = 0.9; };
  const auto unsteady = [](ConstructedRun&, CaseRow& row) { row.warmup_state = "not_steady"; };
  for (const auto& [experiment, variant] : {std::pair{"chase", "random"}, {"disk", "random_4KiB"}}) {
    EXPECT_EQ(with(experiment, variant, wrong), "FAILED (wrong_result)") << experiment;
    EXPECT_EQ(with(experiment, variant, wrong_from_the_start), "FAILED (wrong_result)") << experiment;
    EXPECT_EQ(with(experiment, variant, busy), "INCONCLUSIVE (machine_busy)") << experiment;
    EXPECT_EQ(with(experiment, variant, unsteady), "INCONCLUSIVE (warmup_not_steady)") << experiment;
  }
  EXPECT_EQ(with("disk", "sequential_1MiB", wrong), "REPRODUCED");  // no tier of the table
}

TEST(HardwareClaims, Ddr4IsJudgedOnlyWhereTheMemoryIsKnownToBeThat) {
  const std::string id = "ddr4-20-25-gbs";
  EXPECT_EQ(verdict(triad_run(22, 4), id), "REPRODUCED");
  EXPECT_EQ(verdict(triad_run(45, 4), id), "CONTRADICTED (above_band)");
  EXPECT_EQ(verdict(triad_run(12, 4), id), "CONTRADICTED (below_band)");
  EXPECT_EQ(verdict(triad_run(22, 5), id), "NOT TESTABLE HERE (needs_mem:ddr4)");
  EXPECT_EQ(verdict(triad_run(22, 0), id), "NOT TESTABLE HERE (unknown_memory_type)");
}

TEST(HardwareClaims, ARateAboveTheRoofContradictsTheBoundOneLuckySampleDoesNot) {
  const std::string id = "everything-bounded-by-hardware-limits";
  EXPECT_EQ(verdict(roofline_run(1, steady(9.9)), id), "REPRODUCED");   // bandwidth limits
  EXPECT_EQ(verdict(roofline_run(100, steady(99)), id), "REPRODUCED");  // arithmetic limits
  EXPECT_EQ(verdict(roofline_run(100, steady(120)), id), "CONTRADICTED (above_band)");
  std::vector<double> one_above = steady(99);
  one_above[7] = 120;
  EXPECT_EQ(verdict(roofline_run(100, one_above), id), "REPRODUCED");
}

TEST(HardwareClaims, ARoofFromAWrongResultIsNone) {
  for (const std::string roof : {"stream", "counts"}) {
    ConstructedRun run = roofline_run(roof == "stream" ? 1 : 100, steady(9));
    for (CaseRow& row : run.cases)
      if (row.experiment == roof && row.variant != aa_variant) {
        row.status = "failed";
        row.status_reason = "wrong_result";
      }
    EXPECT_EQ(verdict(run, "everything-bounded-by-hardware-limits"), "FAILED (wrong_result)") << roof;
  }
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

}  // namespace perflab::hardware

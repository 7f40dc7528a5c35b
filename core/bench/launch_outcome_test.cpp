// Measurements that must not become results, and what a first call costs: from the body to summary.csv.

#include "bench/launch_test.h"

#include <vector>

#include "base/check.h"
#include "base/file.h"
#include "device/runtime.h"

namespace perflab {
namespace {

void expect_no_number(const CsvTable& table, std::size_t row) {
  for (const char* column : {"median", "ci_lo", "ci_hi", "ci_level", "mad", "q1", "q3", "min", "max", "ratio",
                             "ratio_ci_lo", "ratio_ci_hi", "mde_ratio", "aa_ratio", "pct_of_ceiling",
                             "break_even_calls", "drift_pct", "lag1_autocorr", "bimodal"})
    EXPECT_EQ(table.at(row, column), "") << column;
}

}  // namespace

// A loop whose result nobody reads is removed by the compiler: this is what is left of one. On the real
// clock, because 1e12 FLOPs that take no time break any ceiling, however slow the machine is.
TEST_F(LaunchTest, ADeadKernelIsImplausibleAndItsRunExitsOne) {
  experiments_.emplace_back("e").variants({"dead", "twin"}, "dead").run([](Case& c) {
    c.expect(true, "");
    c.work({.flops = 1e12});
    c.bound({.level = "compute", .pattern = "fma", .threads = 1});
    c.measure([] {});
  });
  EXPECT_EQ(run_on(steady_clock()), exit_codes::ok);
  write_file_atomically(request_.lab_folder.parent_path() / "ceilings.csv",
                        "level,pattern,threads,rate,unit,run_id\ncompute,fma,1,1000,GFLOPS,r\n");
  EXPECT_EQ(judged(), exit_codes::wrong);
  EXPECT_EQ(finish_cell("dead", "status"), "failed");
  EXPECT_EQ(finish_cell("dead", "status_reason"), "implausible");
}

TEST_F(LaunchTest, AFirstCallThatCompilesStaysOutOfTheMedianAndPaysOffAfterSoManyCalls) {
  experiments_.emplace_back("e").variants({"eager", "compiled"}, "eager").run([this](Case& c) {
    c.expect(true, "");
    c.one_call_per_sample();
    if (c.is("eager")) return c.measure([this] { clock_.advance_ns(3 * ms); });
    c.measure([this, compiled = false]() mutable {
      clock_.advance_ns(std::exchange(compiled, true) ? ms : 200 * ms);
    });
  });
  EXPECT_EQ(run(), exit_codes::ok);
  EXPECT_EQ(judged(), exit_codes::ok);
  EXPECT_EQ(finish_cell("compiled", "first_call_ns"), "200000000");
  EXPECT_EQ(finish_cell("compiled", "median"), "1e+06");
  EXPECT_EQ(finish_cell("compiled", "max"), "1e+06");
  // 200 + 98 x 1 ms after 99 calls, as much as 99 x 3 ms and more; one call later it is ahead.
  EXPECT_EQ(finish_cell("compiled", "break_even_calls"), "100");
  for (const char* other : {"eager", "aa"}) EXPECT_EQ(finish_cell(other, "break_even_calls"), "");
}

TEST_F(LaunchTest, AVariantThatIsNeverFasterNeverPaysOff) {
  experiments_.emplace_back("e").variants({"eager", "compiled"}, "eager").run([this](Case& c) {
    c.expect(true, "");
    const std::int64_t took_ns = c.is("eager") ? ms : 2 * ms;
    c.measure([this, took_ns] { clock_.advance_ns(took_ns); });
  });
  EXPECT_EQ(run(), exit_codes::ok);
  EXPECT_EQ(judged(), exit_codes::ok);
  EXPECT_EQ(finish_cell("compiled", "break_even_calls"), "");
}

TEST_F(LaunchTest, ADeviceThatIsAlwaysThrottledLeavesAReasonAndNoNumber) {
  experiment();
  probe_.next = [] { return ProbeReading{.clock_share = 0.5}; };
  request_.profile = load_profile("quick");  // as many re-takes and blocks as it likes
  EXPECT_EQ(run(), exit_codes::no_samples);
  EXPECT_EQ(judged(), exit_codes::no_samples);
  const CsvTable table = summary();
  EXPECT_EQ(table.rows.size(), 2u * 3) << "two points, two variants and the copy";
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    EXPECT_EQ(table.at(row, "status"), "failed");
    EXPECT_EQ(table.at(row, "status_reason"), "always_throttled_gpu");
    EXPECT_EQ(table.at(row, "n_valid"), "0");
    expect_no_number(table, row);
  }
}

TEST_F(LaunchTest, FewerThreadsThanPromisedFailTheCase) {
  const auto with_threads_seen = [&](int seen) {
    SetUp();
    experiments_.clear();
    experiments_.emplace_back("e").variants({"a", "b"}, "a").run([this, seen](Case& c) {
      c.expect(true, "");
      c.threads(2, [seen] { return seen; });
      c.measure([this] { clock_.advance_ns(ms); });
    });
    return run();
  };
  EXPECT_EQ(with_threads_seen(1), exit_codes::no_samples);
  EXPECT_EQ(judged(), exit_codes::no_samples);
  EXPECT_EQ(finish_cell("a", "status"), "failed");
  EXPECT_EQ(finish_cell("a", "status_reason"), "always_thread_mismatch");
  EXPECT_EQ(with_threads_seen(2), exit_codes::ok);
  for (const Sample& sample : read_samples(request_.lab_folder).samples) EXPECT_EQ(sample.threads_seen, 2);
}

TEST_F(LaunchTest, WorkThatNobodyWaitedForFailsTheCase) {
  Runtime runtime;
  auto& queue = static_cast<QueueDevice&>(runtime.add(std::make_unique<QueueDevice>(clock_)));
  experiments_.emplace_back("e").variants({"waits", "forgets"}, "waits").run([&](Case& c) {
    c.expect(true, "");
    const auto launch = [&] {
      clock_.advance_ns(1000);
      queue.enqueue_ns(ms);
    };
    if (c.is("waits")) return c.measure(launch, {&queue});
    c.measure(launch);
  });
  EXPECT_EQ(run(), exit_codes::wrong);
  EXPECT_NE(
      printed_.find("forgets FAILED: a device still had work when the clock stopped (gate launch_only)"),
      std::string::npos)
      << printed_;
  EXPECT_EQ(judged(), exit_codes::wrong);
  EXPECT_EQ(finish_cell("forgets", "status"), "failed");
  EXPECT_EQ(finish_cell("forgets", "status_reason"), "launch_only");
  EXPECT_EQ(finish_cell("forgets", "median"), "");
  EXPECT_EQ(finish_cell("waits", "status_reason"), "");
}

// A file that lost a case on the way looks as whole as before; the plan knows better.
TEST_F(LaunchTest, AMissingCaseIsNamedAndTheRunIsNotTakenForWhole) {
  experiment();
  EXPECT_EQ(run(), exit_codes::ok);
  EXPECT_EQ(judged(), exit_codes::ok);
  std::string kept;
  for (const std::string file : {"cases.csv", "samples.csv"}) {
    const CsvTable table = read_csv(request_.lab_folder / file);
    kept = csv_line(table.header);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (table.at(row, "case_id") != "e/n=2") kept += csv_line(table.rows[row]);
    write_file_atomically(request_.lab_folder / file, kept);
  }
  testing::internal::CaptureStderr();
  EXPECT_EQ(judge_folder(request_.lab_folder, experiments_), exit_codes::data);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said, "99_test: cases.csv has 1 of 2 planned cases; missing: e/n=2 (launch 0)\n");
  EXPECT_TRUE(read_judge_input(request_.lab_folder).partial) << "no claim is decided";
}

// A stop makes waits for peers end with an error: neither the body nor the callable has failed then.
TEST_F(LaunchTest, AStopInTheMiddleOfAWaitIsAnInterruptionAndNoFailure) {
  for (const bool while_preparing : {true, false}) {
    SetUp();
    experiments_.clear();
    stopped_ = false;
    experiment().run([this, while_preparing](Case& c) {
      const auto wait_for_a_peer = [this] {
        stopped_ = true;
        throw Error(ErrorKind::environment, "it was not waited for any longer");
      };
      c.expect(true, "");
      if (while_preparing && c.i("n") == 2) wait_for_a_peer();
      c.measure([this, wait = !while_preparing && c.i("n") == 2, wait_for_a_peer] {
        clock_.advance_ns(ms);
        if (wait) wait_for_a_peer();
      });
    });
    EXPECT_EQ(run(), exit_codes::interrupted) << printed_;
    for (const CaseRow& row : read_cases(request_.lab_folder).cases) {
      EXPECT_EQ(row.case_id, "e/n=1");
      EXPECT_EQ(row.status, "ok");
    }
    stopped_ = false;
    request_.resume = true;
    experiments_.clear();
    experiment();
    EXPECT_EQ(run(), exit_codes::ok) << printed_;
    EXPECT_EQ(judged(), exit_codes::ok) << "no case is missing";
    request_.resume = false;
  }
}

TEST_F(LaunchTest, AnInterruptedRunLacksCasesAndIsNoBrokenFile) {
  experiment();
  stop_after_ = 40;
  EXPECT_EQ(run(), exit_codes::interrupted);
  EXPECT_EQ(judge_folder(request_.lab_folder, experiments_), exit_codes::ok);
  EXPECT_TRUE(read_judge_input(request_.lab_folder).partial);
}

}  // namespace perflab

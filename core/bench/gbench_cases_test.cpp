#include "bench/gbench_cases.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

#include "base/check.h"
#include "bench/sampler_test.h"

namespace perflab {
namespace {

class BenchmarkCases : public testing::Test {
 protected:
  Prepared prepared(std::function<void(Counts&)> once) {
    Prepared result;
    result.experiment = "e";
    result.variant = "v";
    result.once = std::move(once);
    result.waited_for = {&device_};
    result.declared_metrics = {"waits_count", "zero_count"};
    return result;
  }
  Iterations run(Prepared& prepared, std::int64_t iterations) {
    return run_iterations(prepared, iterations, 0,
                          {.clock = clock_,
                           .probe = probe_,
                           .profile = profile_,
                           .clock_quality = {.resolution_ns = 1, .overhead_ns = 0},
                           .run_start_ns = 0,
                           .lab_start_ns = 0,
                           .interrupted = [this] { return stop_after_-- == 0; },
                           .keep = nullptr});
  }

  FakeClock clock_;
  FakeProbe probe_;
  Profile profile_;
  QueueDevice device_{clock_};
  int stop_after_ = -1;
};

TEST_F(BenchmarkCases, TheTimeIsTheFinishClockSummedOverTheIterationsAndSubmitIsBesideIt) {
  Prepared queued = prepared([this](Counts&) {
    clock_.advance_ns(1000);
    device_.enqueue_ns(2 * ms - 1000);
  });
  for (const std::int64_t iterations : {1, 10, 50}) {
    const Iterations done = run(queued, iterations);
    EXPECT_EQ(done.exit_code, 0) << done.error;
    EXPECT_DOUBLE_EQ(done.finish_ns / double(iterations), 2e6);
    EXPECT_DOUBLE_EQ(done.counters.at("submit_ns"), 1000);
  }
}

// google/benchmark#1834: time divided by the number of threads, or not, depending on the library's version.
TEST_F(BenchmarkCases, FourThreadsOfOursTakeTheTimeOfTheirCallAndFourCores) {
  std::array<int, 4> worked{};
  Prepared four = prepared([&](Counts&) {
    std::array<std::thread, 4> threads;
    for (std::size_t i = 0; i < threads.size(); ++i) threads[i] = std::thread([&worked, i] { ++worked[i]; });
    for (std::thread& thread : threads) thread.join();
    clock_.advance_ns(100 * ms, 400 * ms);
  });
  const Iterations done = run(four, 3);
  EXPECT_EQ(worked, (std::array{3, 3, 3, 3}));
  EXPECT_DOUBLE_EQ(done.finish_ns, 3e8);
  EXPECT_DOUBLE_EQ(done.counters.at("cores_used"), 4);
}

TEST_F(BenchmarkCases, ACaseThatAsksForOneCallPerSampleIsDrainedAndPreparedAfterEachCall) {
  int flushes = 0;
  Prepared one = prepared([this](Counts&) { device_.enqueue_ns(ms); });
  run(one, 5);
  EXPECT_EQ(device_.drains, 1) << "a batch shares its drain";
  device_.drains = 0;
  one.max_inner = 1;
  one.before_sample = [&] {
    ++flushes;
    clock_.advance_ns(70 * ms);
  };
  EXPECT_DOUBLE_EQ(run(one, 5).finish_ns, 5e6) << "the flush is not timed";
  EXPECT_EQ(device_.drains, 5);
  EXPECT_EQ(flushes, 5);
}

TEST_F(BenchmarkCases, CountersArePerIterationWithRatesFromTheWorkModelAndAllFinite) {
  Prepared counted = prepared([this](Counts& counts) {
    clock_.advance_ns(2 * ms, 0);
    counts.add("waits_count", 3);
    counts.add("zero_count", 0);
  });
  counted.cost = {.flops = 4e6, .bytes_read = 1e6, .bytes_written = 1e6};
  const std::map<std::string, double> counters = run(counted, 7).counters;
  EXPECT_DOUBLE_EQ(counters.at("waits_count"), 3);
  EXPECT_DOUBLE_EQ(counters.at("zero_count"), 0);
  EXPECT_DOUBLE_EQ(counters.at("cores_used"), 0);
  EXPECT_NEAR(counters.at("bytes_per_second"), 1e9, 1e-3);
  EXPECT_NEAR(counters.at("flops_per_second"), 2e9, 1e-3);
  counted.cost = {};
  EXPECT_FALSE(run(counted, 1).counters.contains("bytes_per_second")) << "no work model";

  counted.metrics["huge"] = 1e308;  // times the calls, it is no number any more
  for (const auto& [name, value] : run(counted, 50).counters) EXPECT_TRUE(std::isfinite(value)) << name;
}

TEST_F(BenchmarkCases, AnOutputThatIsWrongAfterwardsIsAnErrorAndSoIsACallThatThrows) {
  Prepared wrong = prepared([this](Counts&) { clock_.advance_ns(ms); });
  wrong.verify = [] { return Verified{.correct = false, .checksum = 1}; };
  EXPECT_EQ(run(wrong, 2).exit_code, exit_codes::wrong);
  wrong.verify = [] { return Verified{.correct = true, .checksum = 1}; };
  EXPECT_EQ(run(wrong, 2).exit_code, exit_codes::ok);

  Prepared throws = prepared([](Counts&) { throw std::runtime_error("the file is gone"); });
  const Iterations done = run(throws, 1);
  EXPECT_EQ(done.exit_code, exit_codes::wrong);
  EXPECT_EQ(done.error, "body_error: the file is gone");
}

TEST_F(BenchmarkCases, AClockThatStandsStillGivesNoTimeAndAnInterruptEndsTheLoop) {
  Prepared frozen = prepared([](Counts&) {});
  EXPECT_EQ(run(frozen, 3).exit_code, exit_codes::no_samples);

  int calls = 0;
  Prepared counted = prepared([&](Counts&) { clock_.advance_ns(++calls * ms); });
  counted.max_inner = 1;
  stop_after_ = 2;
  EXPECT_EQ(run(counted, 100).exit_code, exit_codes::interrupted);
  EXPECT_EQ(calls, 2);
}

TEST_F(BenchmarkCases, TheLabelSaysWhatIsModelledAndWhatMakesATimeDoubtful) {
  Prepared plain = prepared([this](Counts&) { clock_.advance_ns(ms); });
  EXPECT_EQ(run(plain, 1).label, "");
  plain.evidence = "modelled";
  plain.link = "modelled";
  EXPECT_EQ(run(plain, 1).label, "modelled, link modelled");
  plain.evidence = "measured";
  plain.link = "none";
  plain.threads_expected = 2;
  plain.census = [] { return 1; };
  plain.max_inner = 1;
  EXPECT_EQ(run(plain, 3).label, "thread_mismatch") << "once, not once per sample";
}

// --- Which points are prepared, and how long they live
// --------------------------------------------------------

class CasesOnDemandTest : public testing::Test {
 protected:
  CasesOnDemandTest() {
    request_.lab_id = "99_test";
    request_.profile.axis_values = "quick";
    experiments_.emplace_back("loop")
        .axis("n", {.quick = {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}})
        .metrics({"b_count"})
        .variants({"sync", "async"}, "sync")
        .faults({"planted"})
        .run([this](Case& c) {
          bodies_.push_back(fmt::format("{}{}{}", c.i("n"), c.variant(), c.fault(1) ? "!" : ""));
          c.expect(true, "");
          c.measure([held = std::shared_ptr<int>(&alive_, [](int* alive) { --*alive; })] {});
          ++alive_;
        });
    experiments_.emplace_back("sweep").metrics({"a_count", "b_count"}).sweep("only").run([](Case& c) {
      c.skip("no_gpu", "there is no GPU");
    });
  }
  const CasesOnDemand::Name& named(const CasesOnDemand& cases, const std::string& text) {
    for (const CasesOnDemand::Name& name : cases.names())
      if (name.text == text) return name;
    throw std::out_of_range(text);
  }

  std::deque<Experiment> experiments_;
  LaunchRequest request_;
  std::vector<std::string> bodies_;
  int alive_ = 0;
};

TEST_F(CasesOnDemandTest, NamesAreExperimentAxesAndVariantInTheOrderOfThePlan) {
  request_.plan.set = {{"n", {"2", "7"}}};
  const CasesOnDemand cases(experiments_, request_);
  std::vector<std::string> names;
  for (const CasesOnDemand::Name& name : cases.names()) names.push_back(name.text);
  EXPECT_EQ(names, (std::vector<std::string>{"loop/n=2/sync", "loop/n=2/async", "loop/n=7/sync",
                                             "loop/n=7/async", "sweep/only"}));
  EXPECT_EQ(cases.metric_names(), (std::vector<std::string>{"a_count", "b_count"}));
  EXPECT_TRUE(bodies_.empty()) << "nothing is prepared to know its name";
}

TEST_F(CasesOnDemandTest, APointIsPreparedWhenItIsAskedForWithAllItsVariantsAndOneLivesAtATime) {
  CasesOnDemand cases(experiments_, request_);
  EXPECT_EQ(cases.get(named(cases, "loop/n=2/async")).variant, "async");
  EXPECT_EQ(bodies_, (std::vector<std::string>{"2sync", "2async"}));
  EXPECT_EQ(cases.get(named(cases, "loop/n=2/sync")).variant, "sync");
  EXPECT_EQ(bodies_.size(), 2u) << "each body once";
  EXPECT_EQ(alive_, 2);
  cases.get(named(cases, "loop/n=3/sync"));
  EXPECT_EQ(bodies_.size(), 4u);
  EXPECT_EQ(alive_, 2) << "the point before it is gone";
  EXPECT_EQ(cases.get(named(cases, "sweep/only")).status_reason, "no_gpu");
  EXPECT_EQ(alive_, 0);
}

TEST_F(CasesOnDemandTest, APointThatComesBackIsPreparedOnceMoreAndThenAllStay) {
  CasesOnDemand cases(experiments_, request_);
  for (int round = 0; round < 4; ++round)
    for (const char* name : {"loop/n=1/sync", "loop/n=2/async", "loop/n=1/async"})
      cases.get(named(cases, name));
  EXPECT_EQ(bodies_, (std::vector<std::string>{"1sync", "1async", "2sync", "2async", "1sync", "1async"}))
      << "2 was alive when 1 came back";
  EXPECT_EQ(cases.points_alive(), 2u);
}

TEST_F(CasesOnDemandTest, APlantedFaultReachesTheBodies) {
  request_.fault = 1;
  CasesOnDemand cases(experiments_, request_);
  cases.get(named(cases, "loop/n=1/sync"));
  EXPECT_EQ(bodies_, (std::vector<std::string>{"1sync!", "1async!"}));
  request_.fault = 2;
  EXPECT_THROW(CasesOnDemand(experiments_, request_), Error);
}

}  // namespace
}  // namespace perflab

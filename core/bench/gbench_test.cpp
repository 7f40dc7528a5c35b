// Through the library. Its flags keep their values between calls, so every call here gives all that matter.

#include "bench/gbench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"
#include "bench/build_info.h"
#include "bench/json.h"
#include "bench/sampler_test.h"

namespace perflab {
namespace {

constexpr const char* suffix = "/process_time/manual_time";  // the library's own addition to a name

class GoogleBenchmark : public testing::Test {
 protected:
  GoogleBenchmark() {
    request_.lab_id = "99_test";
    request_.seed = 7;
    request_.profile.name = request_.profile.axis_values = "quick";
  }

  Experiment& loop() {
    return experiments_.emplace_back("loop")
        .axis("n", {.quick = {std::int64_t{1}, std::int64_t{2}}})
        .metrics({"waits_count", "zero_count"})
        .variants({"sync", "async"}, "sync")
        .run([this](Case& c) {
          ++bodies_;
          c.expect(true, "");
          c.work({.flops = 4e6, .bytes_read = 2e6});
          c.metric("zero_count", 0);
          const bool waits = c.is("sync");
          const std::int64_t n = c.i("n");
          c.measure_counts([this, waits, n](Counts& counts) {
            ++calls_;
            clock_.advance_ns(n * ms, 3 * n * ms);
            counts.add("waits_count", waits ? 5 : 0);
          });
        });
  }
  Experiment& failing() {
    return experiments_.emplace_back("gate").variants({"right", "wrong"}, "right").run([this](Case& c) {
      c.expect(c.is("right"), "sum is 3; want 4");
      c.measure([this] { clock_.advance_ns(ms); });
    });
  }
  Experiment& skipping() {
    return experiments_.emplace_back("gpu").sweep("kernel").run(
        [](Case& c) { c.skip("no_gpu", "there is no GPU"); });
  }

  int run(std::vector<std::string> flags) {
    std::map<std::string, std::string> all = {
        {"filter", "."},        {"format", "json"},      {"repetitions", "1"},
        {"min_time", "0.001"},  {"list_tests", "false"}, {"out", ""},
        {"out_format", "json"}, {"color", "false"},      {"enable_random_interleaving", "false"}};
    std::vector<std::string> words;
    for (const std::string& flag : flags) all.erase(flag.substr(0, flag.find('=')));
    for (const auto& [name, value] : all) words.push_back("--benchmark_" + name + "=" + value);
    for (const std::string& flag : flags) words.push_back("--benchmark_" + flag);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int code = -1;
    error_.clear();
    try {
      code = run_google_benchmark(
          experiments_, request_,
          {.clock = clock_, .probe = probe_, .interrupted = [this] { return interrupted_; }}, program_,
          words);
    } catch (const Error& error) {
      code = perflab::exit_code(error.kind());
      error_ = error.what();
    }
    out_ = testing::internal::GetCapturedStdout();
    testing::internal::GetCapturedStderr();
    return code;
  }
  Json::Array rows() const { return Json::parse(out_, "stdout").at("benchmarks").array(); }
  Json row(const std::string& name) const {
    for (const Json& row : rows())
      if (row.at("name").text() == name + suffix) return row;
    throw std::out_of_range(name + " is not in " + out_);
  }
  static std::string message(const Json& row) {
    return row.text_or("error_message", row.text_or("skip_message", ""));
  }

  std::deque<Experiment> experiments_;
  LaunchRequest request_;
  FakeClock clock_;
  FakeProbe probe_;
  int bodies_ = 0, calls_ = 0;
  bool interrupted_ = false;
  const std::string program_ = "the name of a program that fits into no small string";
  std::string out_, error_;
};

TEST_F(GoogleBenchmark, EveryCaseOfThePlanIsOneBenchmarkWithOurTimeAndCounters) {
  loop();
  ASSERT_EQ(run({}), exit_codes::ok) << error_;
  std::set<std::string> names;
  for (const Json& row : rows()) names.insert(row.at("name").text());
  EXPECT_EQ(names, (std::set<std::string>{
                       std::string("loop/n=1/sync") + suffix, std::string("loop/n=1/async") + suffix,
                       std::string("loop/n=2/sync") + suffix, std::string("loop/n=2/async") + suffix}));
  EXPECT_EQ(bodies_, 4) << "each body runs once";
  const Json row = this->row("loop/n=2/sync");
  EXPECT_NEAR(row.at("real_time").number(), 2e6, 1e-3);
  EXPECT_EQ(row.at("time_unit").text(), "ns");
  EXPECT_EQ(row.at("threads").number(), 1);
  EXPECT_EQ(row.at("waits_count").number(), 5);
  EXPECT_EQ(row.at("zero_count").number(), 0);
  EXPECT_NEAR(row.at("cores_used").number(), 3, 1e-9);
  EXPECT_NEAR(row.at("bytes_per_second").number(), 1e9, 1e-3);
  EXPECT_NEAR(row.at("flops_per_second").number(), 2e9, 1e-3);
  const double all_calls = calls_;
  double iterations = 0;
  for (const Json& each : rows()) iterations += each.at("iterations").number();
  EXPECT_GE(all_calls, iterations) << "each iteration is one call of the case";
}

// The library's meaning of a threaded time changed in 1.9.0; ours is not made by it.
TEST_F(GoogleBenchmark, TheReportedTimeIsOurClocksWhateverTheIterationsRepetitionsAndUnit) {
  loop();
  for (const char* min_time : {"min_time=0", "min_time=0.02", "min_time=0.5"}) {
    ASSERT_EQ(run({"filter=n=2/async", min_time, "repetitions=3", "time_unit=ms"}), exit_codes::ok);
    int repetitions = 0;
    for (const Json& row : rows())
      if (row.at("run_type").text() == "iteration") {
        ++repetitions;
        EXPECT_NEAR(row.at("real_time").number(), 2, 1e-9) << min_time;
        EXPECT_GE(row.at("iterations").number(), 1);
      }
    EXPECT_EQ(repetitions, 3);
  }
  run({"time_unit=ns"});
}

TEST_F(GoogleBenchmark, AFilterPreparesOnlyThePointsItNeeds) {
  loop();
  ASSERT_EQ(run({"filter=loop/n=2/sync"}), exit_codes::ok);
  EXPECT_EQ(rows().size(), 1u);
  EXPECT_EQ(bodies_, 2) << "both variants of that point, none of the other";
  bodies_ = 0;
  ASSERT_EQ(run({"list_tests=true"}), exit_codes::ok);
  EXPECT_EQ(bodies_, 0);
  std::istringstream lines(out_);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  EXPECT_EQ(names.size(), 4u) << out_;
  EXPECT_EQ(names.front(), std::string("loop/n=1/sync") + suffix);
}

TEST_F(GoogleBenchmark, RandomInterleavingRunsAllRepetitionsOfAll) {
  loop();
  ASSERT_EQ(run({"enable_random_interleaving=true", "repetitions=4"}), exit_codes::ok);
  std::map<std::string, int> repetitions;
  for (const Json& row : rows())
    if (row.at("run_type").text() == "iteration") {
      ++repetitions[row.at("name").text()];
      EXPECT_NEAR(row.at("real_time").number(),
                  row.at("name").text().find("n=2") == std::string::npos ? 1e6 : 2e6, 1e-3);
    }
  EXPECT_EQ(repetitions.size(), 4u);
  for (const auto& [name, count] : repetitions) EXPECT_EQ(count, 4) << name;
  EXPECT_LE(bodies_, 8) << "a point is prepared twice at most";
}

TEST_F(GoogleBenchmark, AFailedGateIsAnErrorRowAndExitCodeOneAndTheOthersRun) {
  failing();
  loop();
  EXPECT_EQ(run({}), exit_codes::wrong);
  EXPECT_EQ(rows().size(), 6u);
  EXPECT_TRUE(row("gate/wrong").at("error_occurred").boolean());
  EXPECT_EQ(message(row("gate/wrong")), "wrong_result: gate, variant wrong: sum is 3; want 4");
  EXPECT_EQ(row("gate/wrong").find("real_time") == nullptr ? 0 : row("gate/wrong").at("real_time").number(),
            0);
  EXPECT_NEAR(row("gate/right").at("real_time").number(), 1e6, 1e-3);
  EXPECT_EQ(run({"filter=gate/right"}), exit_codes::ok) << "what is not asked for is not judged";
}

TEST_F(GoogleBenchmark, ASkippedCaseSaysWhyAndAloneItIsNothingToTest) {
  skipping();
  EXPECT_EQ(run({}), exit_codes::nothing_to_test);
  EXPECT_EQ(message(row("gpu/kernel")), "skipped: no_gpu: there is no GPU");
  loop();
  EXPECT_EQ(run({}), exit_codes::ok);
}

TEST_F(GoogleBenchmark, AClockThatStandsStillIsExitCodeThreeAndAnInterrupt130) {
  loop();
  clock_.script([](std::int64_t) { return std::int64_t{7}; });
  EXPECT_EQ(run({"filter=n=1/sync"}), exit_codes::no_samples);
  EXPECT_TRUE(row("loop/n=1/sync").at("error_occurred").boolean());
  interrupted_ = true;
  EXPECT_EQ(run({}), exit_codes::interrupted);
  EXPECT_EQ(rows().size(), 4u) << "the JSON is whole";
}

// The spread of a counter that is always zero is 0/0.
TEST_F(GoogleBenchmark, NoRowOfTheJsonHoldsANumberThatIsNone) {
  loop();
  const TestFolder folder;
  const std::string file = (folder / "out.json").string();
  ASSERT_EQ(run({"repetitions=3", "out=" + file}), exit_codes::ok);
  int spreads = 0;
  for (const std::string& text : {out_, read_file(file)}) {
    for (const char* none : {"NaN", "nan", "Infinity", "inf"})
      EXPECT_EQ(text.find(none), std::string::npos) << none;
    const Json document = Json::parse(text, "output");
    for (const Json& row : document.at("benchmarks").array())
      spreads += row.text_or("aggregate_name", "") == "cv";
  }
  EXPECT_EQ(spreads, 2 * 4);
}

TEST_F(GoogleBenchmark, TheContextSaysWhoMadeTheNumbers) {
  loop();
  ASSERT_EQ(run({"filter=n=1/sync"}), exit_codes::ok);
  const Json document = Json::parse(out_, "stdout");
  const Json& context = document.at("context");
  EXPECT_EQ(context.at("executable").text(), program_);
  EXPECT_EQ(context.at("perflab_version").text(), build_info().suite_version);
  EXPECT_EQ(context.at("perflab_lab").text(), "99_test");
  EXPECT_EQ(context.at("perflab_profile").text(), "quick");
  EXPECT_EQ(context.at("perflab_seed").text(), "7");
  EXPECT_EQ(context.at("perflab_device").text(), "cpu:0");
  EXPECT_EQ(context.at("perflab_fault").text(), "0");
  EXPECT_NE(context.at("perflab_google_benchmark").text().find('.'), std::string::npos);
}

// The library's reporter takes its columns from the first rows and aborts at a counter that is not among
// them.
TEST_F(GoogleBenchmark, TheCsvHasTheColumnsOfAllExperimentsAndNoOtherLines) {
  failing();
  loop();
  const TestFolder folder;
  const std::string file = (folder / "out.csv").string();
  ASSERT_EQ(run({"filter=gate/right|loop", "out=" + file, "out_format=csv"}), exit_codes::ok);
  std::istringstream lines(read_file(file));
  std::string header, line;
  std::getline(lines, header);
  EXPECT_TRUE(header.starts_with("name,iterations,real_time,cpu_time,time_unit,")) << header;
  for (const char* column : {"waits_count", "zero_count", "flops_per_second", "cores_used", "submit_ns"})
    EXPECT_NE(header.find(column), std::string::npos) << column;
  const auto fields = [](const std::string& text) { return std::count(text.begin(), text.end(), ','); };
  int rows = 0;
  for (; std::getline(lines, line); ++rows) EXPECT_EQ(fields(line), fields(header)) << line;
  EXPECT_EQ(rows, 5);
  EXPECT_EQ(run({"filter=n=1/sync", "format=csv"}), exit_codes::ok);
  EXPECT_TRUE(out_.starts_with("name,")) << out_;
}

TEST_F(GoogleBenchmark, MistakesAreUsageErrorsThatSayWhatIsWrong) {
  loop();
  EXPECT_EQ(run({"fliter=x"}), exit_codes::usage);
  EXPECT_NE(error_.find("did you mean --benchmark_filter?"), std::string::npos) << error_;
  EXPECT_EQ(run({"min_time=long"}), exit_codes::usage);
  EXPECT_EQ(run({"filter=nothing_of_the_kind"}), exit_codes::usage);
  EXPECT_NE(error_.find("nothing_of_the_kind"), std::string::npos) << error_;
  EXPECT_EQ(run({"filter=("}), exit_codes::usage);
  EXPECT_EQ(run({"color="}), exit_codes::usage) << "the library would print its help and exit 0";
  EXPECT_EQ(calls_, 0);
  request_.plan.experiments = {"lop"};
  EXPECT_EQ(run({}), exit_codes::usage);
}

TEST_F(GoogleBenchmark, AFullDiskIsAnIoErrorThatNamesTheFile) {
  loop();
  for (const char* format : {"out_format=json", "out_format=csv"}) {
    EXPECT_EQ(run({"filter=n=1/sync", "out=/dev/full", format}), exit_codes::io);
    EXPECT_NE(error_.find("/dev/full"), std::string::npos) << error_;
  }
}

}  // namespace
}  // namespace perflab

#include "bench/launch_test.h"

#include <map>
#include <set>

#include "base/check.h"
#include "base/file.h"

namespace perflab {
namespace {

TEST_F(LaunchTest, WritesEverySampleAndOneRowPerCaseVariantAndCopy) {
  experiment();
  EXPECT_EQ(run(), exit_codes::ok);
  EXPECT_FALSE(std::filesystem::exists(request_.lab_folder / "samples.csv"))
      << "a file in progress is a .part";
  finish_records(request_.lab_folder);
  const SampleFile samples = read_samples(request_.lab_folder);
  const CaseFile cases = read_cases(request_.lab_folder);
  EXPECT_EQ(cases.cases.size(), 2u * 3);
  int timed = 0;
  for (const Sample& sample : samples.samples) timed += sample.phase == Phase::timed;
  EXPECT_EQ(timed, 2 * 3 * 6);
  EXPECT_NE(printed_.find("99_test [1/2] e/n=1  6 blocks, fixed, about"), std::string::npos) << printed_;
  EXPECT_NE(printed_.find("99_test [2/2] e/n=2  6 blocks, fixed\n"), std::string::npos) << printed_;
}

TEST_F(LaunchTest, AnInterruptedLaunchIsFinishedByAResumeWithoutARowTwice) {
  experiment();
  stop_after_ = 40;
  EXPECT_EQ(run(), exit_codes::interrupted);
  const std::size_t kept = read_samples(request_.lab_folder).samples.size();
  EXPECT_GT(kept, 0u);
  finish_records(request_.lab_folder);  // as a driver does that judges what is there
  request_.resume = true;
  stopped_ = false;
  EXPECT_EQ(run(), exit_codes::ok);
  const SampleFile samples = read_samples(request_.lab_folder);
  EXPECT_GT(samples.samples.size(), kept);
  std::set<std::string> complete;
  for (const CaseRow& row : read_cases(request_.lab_folder).cases)
    if (row.stop_reason == "fixed") {
      EXPECT_TRUE(complete.insert(row.case_id + row.variant).second) << row.case_id << " " << row.variant;
    }
  EXPECT_EQ(complete.size(), 6u);
  int timed = 0;
  for (const Sample& sample : samples.samples) timed += sample.phase == Phase::timed;
  EXPECT_EQ(timed, 2 * 3 * 6);
}

// Not only as many rows: the same cases, variants, blocks and places within them.
TEST_F(LaunchTest, AResumedRunHasTheRowsOfAnUninterruptedOne) {
  experiment();
  const auto timed_keys = [&] {
    std::multiset<std::string> keys;
    for (const Sample& sample : read_samples(request_.lab_folder).samples)
      if (sample.phase == Phase::timed)
        keys.insert(fmt::format("{} {} {} {} {}", sample.case_id, sample.variant, sample.block,
                                sample.order_in_block, sample.sample));
    return keys;
  };
  EXPECT_EQ(run(), exit_codes::ok);
  const std::multiset<std::string> uninterrupted = timed_keys();
  EXPECT_EQ(uninterrupted.size(), 2u * 3 * 6);
  for (const int stop_after : {8, 19, 30, 44, 61}) {
    SetUp();
    stop_after_ = stop_after;
    EXPECT_EQ(run(), exit_codes::interrupted) << stop_after;
    EXPECT_LT(timed_keys().size(), uninterrupted.size());
    request_.resume = true;
    stopped_ = false;
    EXPECT_EQ(run(), exit_codes::ok);
    EXPECT_EQ(timed_keys(), uninterrupted) << stop_after;
    request_.resume = false;
  }
}

TEST_F(LaunchTest, AResumeMeasuresWhatAHardStopToreOffTheEnd) {
  experiment();
  EXPECT_EQ(run(), exit_codes::ok);
  const std::filesystem::path part = request_.lab_folder / "samples.csv.part";
  std::filesystem::resize_file(part, std::filesystem::file_size(part) - 1);  // the last line is worthless now
  request_.resume = true;
  EXPECT_EQ(run(), exit_codes::ok);
  EXPECT_NE(printed_.find("e/n=1  measured before"), std::string::npos) << printed_;
  std::map<std::string, std::set<int>> complete;  // blocks that hold all three, per case
  std::map<std::pair<std::string, int>, int> arms;
  for (const Sample& sample : read_samples(request_.lab_folder).samples)
    if (sample.phase == Phase::timed && ++arms[{sample.case_id, sample.block}] == 3)
      complete[sample.case_id].insert(sample.block);
  EXPECT_EQ(complete["e/n=1"].size(), 6u);
  EXPECT_EQ(complete["e/n=2"].size(), 6u);
}

TEST_F(LaunchTest, AWrongResultFailsItsCaseTheOthersGoOnAndTheExitCodeIsOne) {
  experiment().run([this](Case& c) {
    c.expect(!(c.is("b") && c.i("n") == 1), "sum is 3; want 4");
    c.measure([this] { clock_.advance_ns(1'000'000); });
  });
  EXPECT_EQ(run(), exit_codes::wrong);
  int failed = 0, ok = 0;
  for (const CaseRow& row : read_cases(request_.lab_folder).cases) {
    ok += row.status == "ok";
    if (row.status != "failed") continue;
    ++failed;
    EXPECT_EQ(row.variant, "b");
    EXPECT_EQ(row.gate, "failed");
    EXPECT_EQ(row.status_reason, "wrong_result");
  }
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(ok, 5);
  EXPECT_NE(printed_.find("FAILED: e/n=1, variant b: sum is 3; want 4"), std::string::npos) << printed_;
}

TEST_F(LaunchTest, ACallableThatThrowsFailsItsCaseAndTheOthersGoOn) {
  experiment().run([this](Case& c) {
    c.expect(true, "");
    const bool throws = c.is("b") && c.i("n") == 1;
    c.measure([this, throws] {
      clock_.advance_ns(1'000'000);
      if (throws) throw std::runtime_error("a page of the file is gone");
    });
  });
  EXPECT_EQ(run(), exit_codes::wrong);
  std::map<std::string, int> rows;
  for (const CaseRow& row : read_cases(request_.lab_folder).cases) {
    ++rows[row.case_id + " " + row.status];
    if (row.status == "failed") {
      EXPECT_EQ(row.status_reason, "body_error");
      EXPECT_EQ(row.status_text, "a page of the file is gone");
    }
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{{"e/n=1 failed", 2}, {"e/n=2 ok", 3}}));
  EXPECT_NE(printed_.find("FAILED: a page of the file is gone"), std::string::npos) << printed_;
}

TEST_F(LaunchTest, NothingToMeasureIs77AndNoValidSampleIs3) {
  experiment().run([](Case& c) { c.skip("no_gpu", "there is no GPU"); });
  EXPECT_EQ(run(), exit_codes::nothing_to_test);
  for (const CaseRow& row : read_cases(request_.lab_folder).cases) EXPECT_EQ(row.status, "skipped");

  SetUp();
  clock_.script([](std::int64_t) { return std::int64_t{7}; });  // frozen: no duration is positive
  experiments_.clear();
  experiment();
  EXPECT_EQ(run(), exit_codes::no_samples);
  for (const CaseRow& row : read_cases(request_.lab_folder).cases)
    EXPECT_EQ(row.status_reason, "no_valid_samples");
}

TEST_F(LaunchTest, ADiskThatFillsUpIsAnIoErrorThatNamesTheFile) {
  experiment();
  std::filesystem::create_symlink("/dev/full", request_.lab_folder / "samples.csv.part");
  try {
    run();
    FAIL();
  } catch (const Error& error) {
    testing::internal::GetCapturedStdout();
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_NE(std::string(error.what()).find("samples.csv.part"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(request_.lab_folder / "samples.csv"));
}

TEST_F(LaunchTest, APlantedFaultReachesItsExperimentAloneAndEveryRowSaysSo) {
  std::vector<bool> faulted;
  experiment("first").faults({"one"});
  experiment("second").faults({"two"}).run([&](Case& c) {
    faulted.push_back(c.fault(1));
    c.skip("x", "x");
  });
  request_.fault = 2;
  run();
  EXPECT_EQ(faulted, (std::vector<bool>{true, true, true, true}));
  for (const Sample& sample : read_samples(request_.lab_folder).samples) EXPECT_EQ(sample.fault, 2);
}

TEST_F(LaunchTest, TheSameSeedGivesTheSameOrderAndAnotherLaunchAnotherOne) {
  experiment();
  const auto order_with = [&](std::uint64_t seed, int invocation) {
    SetUp();
    request_.seed = seed;
    request_.invocation = invocation;
    run();
    std::string order;
    for (const Sample& sample : read_samples(request_.lab_folder).samples)
      if (sample.phase == Phase::timed) order += sample.variant;
    return order;
  };
  EXPECT_EQ(order_with(1, 0), order_with(1, 0));
  EXPECT_NE(order_with(1, 0), order_with(2, 0));
  EXPECT_NE(order_with(1, 0), order_with(1, 1));
}

}  // namespace
}  // namespace perflab

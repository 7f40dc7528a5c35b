#pragma once
// LaunchTest — a made-up lab measured on a fake clock, from the body to the files: what the tests of a launch
// and of what becomes of it share.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/test_folder.h"
#include "bench/csv.h"
#include "bench/judge.h"
#include "bench/launch.h"
#include "bench/record_csv.h"
#include "bench/sampler_test.h"

namespace perflab {

class LaunchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    request_.run_id = "20260101T000000Z-000000";
    request_.lab_id = "99_test";
    request_.lab_folder = folder_ / fmt::format("run {}", ++runs_) / request_.lab_id;
    std::filesystem::create_directories(request_.lab_folder);
    request_.profile = load_profile("smoke");
    request_.plan.lab_id = request_.lab_id;
  }

  Experiment& experiment(const std::string& name = "e") {
    return experiments_.emplace_back(name)
        .axis("n", {.quick = {std::int64_t{1}, std::int64_t{2}}})
        .metrics({"calls_count"})
        .variants({"a", "b"}, "a")
        .run([this](Case& c) {
          c.expect(true, "");
          c.metric("calls_count", 1);
          c.measure([this] { clock_.advance_ns(ms); });
        });
  }

  int run() { return run_on(clock_); }
  int run_on(Clock& clock) {
    testing::internal::CaptureStdout();
    const auto interrupted = [this] {
      if (stop_after_ > 0 && --stop_after_ == 0) stopped_ = true;
      return stopped_;
    };
    const int code =
        launch(experiments_, request_, {.clock = clock, .probe = probe_, .interrupted = interrupted});
    printed_ = testing::internal::GetCapturedStdout();
    return code;
  }

  // What a lab does after its last launch; the judge's exit code.
  int judged() {
    finish_records(request_.lab_folder);
    return judge_folder(request_.lab_folder, experiments_);
  }
  CsvTable summary() const { return read_csv(request_.lab_folder / "summary.csv"); }
  // One cell of the row of that variant's finish clock; there must be exactly one.
  std::string finish_cell(const std::string& variant, const std::string& column) const {
    const CsvTable table = summary();
    std::vector<std::string> cells;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (table.at(row, "variant") == variant && table.at(row, "metric") == "finish")
        cells.push_back(table.at(row, column));
    EXPECT_EQ(cells.size(), 1u) << variant;
    return cells.empty() ? "" : cells.front();
  }

  const TestFolder folder_;
  int runs_ = 0;
  FakeClock clock_;
  FakeProbe probe_;
  std::deque<Experiment> experiments_;
  LaunchRequest request_;
  std::string printed_;
  int stop_after_ = 0;
  bool stopped_ = false;
};

}  // namespace perflab

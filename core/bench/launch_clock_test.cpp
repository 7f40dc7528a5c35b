// Clocks that misbehave, from the first reading to the last file.

#include "bench/launch_test.h"

#include <algorithm>

#include "base/check.h"
#include "base/file.h"
#include "bench/testing.h"

namespace perflab {
namespace {

// "-1", ",-5,": a number below zero in a CSV or in a line for the reader. Run ids and words have letters
// before their hyphens.
bool has_negative_number(const std::string& text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 1))
    if (at + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 1])) &&
        (at == 0 || text[at - 1] == ',' || text[at - 1] == ' '))
      return true;
  return false;
}

}  // namespace

// Once in the middle of the run the clock is set back by a second, and stays there.
TEST_F(LaunchTest, AClockSetBackByASecondLeavesAnInvalidRowAndNoNegativeNumber) {
  experiment();
  int calls = 0;
  std::int64_t back_ns = 0;
  experiments_.front().run([&](Case& c) {
    c.expect(true, "");
    c.measure([&] {
      clock_.advance_ns(ms);
      if (++calls == 30) back_ns = 1000 * ms;
    });
  });
  clock_.script([&](std::int64_t now) { return now - back_ns; });
  EXPECT_EQ(run(), exit_codes::ok);
  EXPECT_FALSE(has_negative_number(printed_)) << printed_;
  EXPECT_EQ(judged(), exit_codes::ok) << "the one bad sample was taken again";
  int invalid = 0;
  for (const Sample& sample : read_samples(request_.lab_folder).samples)
    if (!sample.valid) {
      ++invalid;
      EXPECT_EQ(sample.invalid_reason, "nonpositive_duration");
    }
  EXPECT_EQ(invalid, 1);
  const CsvTable table = summary();
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (const char* column : {"median", "ci_lo", "q1", "min", "max", "first_call_ns"})
      EXPECT_FALSE(table.at(row, column).starts_with("-")) << column;
}

TEST_F(LaunchTest, AClockThatAlwaysRunsBackwardsGivesNoResultAndExitCodeThree) {
  experiment().run([this](Case& c) {
    c.expect(true, "");
    c.one_call_per_sample();
    c.measure([this] { clock_.advance_ns(ms); });
  });
  clock_.script([](std::int64_t now) { return (std::int64_t{1} << 60) - now; });
  EXPECT_EQ(run(), exit_codes::no_samples);
  EXPECT_FALSE(has_negative_number(printed_)) << printed_;
  EXPECT_EQ(judged(), exit_codes::no_samples);
  EXPECT_FALSE(has_negative_number(read_file(request_.lab_folder / "summary.csv")));
  const CsvTable table = summary();
  ASSERT_GT(table.rows.size(), 0u);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    EXPECT_EQ(table.at(row, "status"), "failed");
    EXPECT_EQ(table.at(row, "status_reason"), "always_nonpositive_duration");
    EXPECT_EQ(table.at(row, "first_call_ns"), "");
  }
}

// Readings that go back now and then: one sample in five hundred is a blemish, one in fifty takes the
// verdicts.
TEST_F(LaunchTest, AClockThatGoesBackTooOftenDecidesNothing) {
  const auto verdict_with_one_in = [&](int period) {
    SetUp();
    experiments_.clear();
    int calls = 0;
    bool back = false;
    experiments_.emplace_back("e").variants({"a", "b"}, "a").run([&](Case& c) {
      c.expect(true, "");
      c.one_call_per_sample();
      c.measure([&, b = c.is("b")] {
        clock_.advance_ns(b ? ms : 2 * ms);
        back = ++calls % period == 0;
      });
    });
    clock_.script([&](std::int64_t now) { return std::exchange(back, false) ? now - 10 * ms : now; });
    request_.profile = load_profile("quick");
    request_.profile.min_blocks = request_.profile.max_blocks = 200;
    request_.profile.target_half_width = 0;
    EXPECT_EQ(run(), exit_codes::ok);
    finish_records(request_.lab_folder);
    JudgeInput input = read_judge_input(request_.lab_folder);
    Claim claim;
    claim.claim_id = "faster";
    claim.type = ClaimType::ratio;
    claim.experiment = "e";
    claim.quantity = "a.finish / b.finish";
    claim.band_lo = 1.5;
    claim.band_hi = 2.5;
    claim.subject = "real";
    input.claims = {claim};
    return verdict_words(judge(input, experiments_), "faster");
  };
  EXPECT_EQ(verdict_with_one_in(500), "REPRODUCED");
  EXPECT_EQ(verdict_with_one_in(50), "NOT TESTABLE HERE (clock_unstable)");
}

}  // namespace perflab

// The first call and the warm-up.

#include <algorithm>

#include "bench/sampler_test.h"

namespace perflab {
namespace {

TEST_F(SamplerTest, TheFirstCallIsKeptApart) {
  int calls = 0;
  Prepared a = variant("a", [&](Counts&) { clock_.advance_ns(++calls == 1 ? 200 * ms : ms); });
  const PointOutcome outcome = sample({&a});
  EXPECT_EQ(outcome.rows[0].first_call_ns, 200 * ms);
  ASSERT_EQ(kept_.front().phase, Phase::first);
  for (const Sample& s : timed()) EXPECT_DOUBLE_EQ(*s.finish_ns, double(ms));
}

TEST_F(SamplerTest, WarmUpEndsWhenTwoWindowsAgreeAndSaysSoWhenTheyNeverDo) {
  profile_.warmup_until_steady = true;
  int calls = 0;
  Prepared falling = variant("a", [&](Counts&) { clock_.advance_ns(std::max(ms, 20 * ms - ++calls * ms)); });
  EXPECT_EQ(sample({&falling}).rows[0].warmup_state, "steady");
  EXPECT_GT(calls, 20);

  kept_.clear();
  std::int64_t duration = ms;
  Prepared growing = variant("a", [&](Counts&) { clock_.advance_ns(duration = duration * 11 / 10); });
  const PointOutcome outcome = sample({&growing});
  EXPECT_EQ(outcome.rows[0].warmup_state, "not_steady");
  EXPECT_EQ(outcome.rows[0].warmup_calls, 51) << "the first call and the cap of 50";
}

TEST_F(SamplerTest, ManyShortSamplesDoNotEndAWarmUpThatMustLastLonger) {
  profile_.warmup_until_steady = true;
  profile_.warmup_min_ns = 200 * ms;
  profile_.warmup_cap_ns = 5'000 * ms;
  Prepared constant = variant("a", [&](Counts&) { clock_.advance_ns(ms); });
  const PointOutcome outcome = sample({&constant});
  EXPECT_EQ(outcome.rows[0].warmup_state, "steady");
  EXPECT_GT(outcome.rows[0].warmup_calls, 150);
}

TEST_F(SamplerTest, WarmsUpAFifthAsLongOnceTheLabHasSpentItsTime) {
  profile_.warmup_until_steady = true;
  profile_.warmup_cap_ns = 100 * ms;
  profile_.lab_cap_ns = 1'000'000 * ms;
  std::int64_t length = ms;
  Prepared growing = variant("growing", [&](Counts&) { clock_.advance_ns(length += ms); });
  growing.max_inner = 1;
  const int patient = sample({&growing}).rows[0].warmup_calls;
  profile_.lab_cap_ns = 1;
  lab_age_ns_ = 2;
  length = ms;
  const PointOutcome hurried = sample({&growing});
  EXPECT_GT(patient, 2 * hurried.rows[0].warmup_calls);
  EXPECT_EQ(hurried.rows[0].warmup_state, "not_steady");
}

}  // namespace
}  // namespace perflab

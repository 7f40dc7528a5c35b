// A piece of work that becomes much faster after its calibration: another program has let go of the
// processor.

#include <algorithm>

#include "bench/sampler_test.h"

namespace perflab {
namespace {

using TooShort = SamplerTest;

TEST_F(TooShort, SamplesAreTakenAgainWithMoreCallsAndBlameNoClock) {
  quality_ = {.resolution_ns = 10, .overhead_ns = 10};
  const std::int64_t busy_until_ns = clock_.now_ns() + 20 * ms;
  const auto once = [&](Counts&) { clock_.advance_ns(clock_.now_ns() < busy_until_ns ? ms : 100); };
  Prepared spin = variant("spin", once), other = variant("other", once);
  const PointOutcome outcome = sample({&spin, &other});
  EXPECT_EQ(outcome.rows[0].blocks, 10);
  int too_short = 0;
  for (const Sample& s : timed()) {
    EXPECT_TRUE(s.valid || s.invalid_reason == "too_short") << s.invalid_reason;
    too_short += !s.valid;
    if (s.valid && *s.finish_ns < 200) {
      EXPECT_GE(*s.finish_ns * double(s.inner_iters), 1e6) << "as long as any other sample";
    }
  }
  EXPECT_EQ(too_short, 2) << "once for each of the two";
  const auto calls = [&](const char* name) { return timed(name).back().inner_iters; };
  EXPECT_EQ(calls("spin"), calls(aa_variant)) << "the copy is the baseline in everything";
}

TEST_F(TooShort, SamplesOfWorkThatMustNotBeRepeatedStayInvalid) {
  quality_ = {.resolution_ns = 10, .overhead_ns = 10};
  Prepared once = variant("once", [&](Counts&) { clock_.advance_ns(900); });
  once.max_inner = 1;
  sample({&once});
  ASSERT_FALSE(timed().empty());
  for (const Sample& s : timed()) EXPECT_EQ(s.invalid_reason, "too_short");
}

}  // namespace
}  // namespace perflab

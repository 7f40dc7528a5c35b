// Preconditions P1-P4 in their order, the caps after the table, the weakest part, and the words for readers.

#include <gtest/gtest.h>

#include "bench/verdict_testing.h"

namespace perflab {
namespace {

TEST(Preconditions, AreAskedInTheirOrder) {
  const Claim claim = ratio_of(2, 1.8, 3);
  Observation seen = saw(2, 2.5);
  ASSERT_EQ(said(claim, seen), "REPRODUCED");
  seen.plausible = false;
  seen.implausible_reason = "wrong_memory_level";
  EXPECT_EQ(said(claim, seen), "REJECTED (wrong_memory_level)");
  seen.steady = false;
  EXPECT_EQ(said(claim, seen), "INCONCLUSIVE (warmup_not_steady)");
  seen.env_fit = false;
  EXPECT_EQ(said(claim, seen), "INCONCLUSIVE (aa_unfit)");
  seen.complete = false;
  EXPECT_EQ(said(claim, seen), "INCONCLUSIVE (partial_run)");
  seen.decides = false;
  EXPECT_EQ(said(claim, seen), "INCONCLUSIVE (smoke_profile)");
  seen.available = false;
  seen.unavailable_reason = "needs_gpus:1";
  EXPECT_EQ(said(claim, seen), "NOT TESTABLE HERE (needs_gpus:1)");
  seen.correct = false;
  EXPECT_EQ(said(claim, seen), "FAILED (wrong_result)");
  seen.fault = 1;
  EXPECT_EQ(said(claim, seen), "INCONCLUSIVE (fault_injected)");
}

TEST(Evidence, ThatIsNotMeasuredSaysAtMostThatTheModelAgrees) {
  const Claim claim = ratio_of(2, 1.8, 3);
  for (const char* evidence : {"modelled", "simulated", "analytic"}) {
    Observation seen = saw(2, 2.5);
    seen.evidence = evidence;
    EXPECT_EQ(said(claim, seen), "MODEL AGREES");
    seen = saw(1.45, 1.5);
    seen.evidence = evidence;
    EXPECT_EQ(said(claim, seen), "MODEL AGREES (below_band)");
    seen = saw(0.5, 0.6);
    seen.evidence = evidence;
    EXPECT_EQ(said(claim, seen), "INCONCLUSIVE (model_disagrees)");
    seen = saw(0.5, 2);
    seen.evidence = evidence;
    EXPECT_EQ(said(claim, seen), "INCONCLUSIVE (not_separated)");
  }
  Claim measured_only = claim;
  measured_only.evidence_allowed = "measured";
  Observation modelled = saw(2, 2.5);
  modelled.evidence = "modelled";
  EXPECT_EQ(said(measured_only, modelled), "INCONCLUSIVE (evidence_not_allowed)");
}

TEST(StandIn, ForHardwareHoldsAtMostInDirection) {
  Claim claim = ratio_of(2, 1.8, 3);
  claim.subject = "stand-in";
  Observation seen = saw(2, 2.5);
  seen.subject = "perflab_engine";
  EXPECT_EQ(said(claim, seen), "DIRECTION HOLDS (stand_in)");
  claim.about = "algorithm";
  EXPECT_EQ(said(claim, seen), "REPRODUCED");
}

TEST(Launches, MustAgreeInTwoThirds) {
  const Claim claim = ratio_of(2, 1.8, 3);
  Observation seen = saw(2, 2.5);
  const Estimate in_band = *saw(1.9, 2.6).estimate, off_band = *saw(1.5, 2.6).estimate;
  seen.per_launch = {in_band, in_band, off_band};
  EXPECT_EQ(said(claim, seen), "REPRODUCED");
  seen.per_launch = {in_band, off_band, off_band};
  EXPECT_EQ(said(claim, seen), "INCONCLUSIVE (unstable)");
  seen.per_launch = {off_band, off_band};
  EXPECT_EQ(said(claim, seen), "REPRODUCED") << "two launches are not asked";
}

TEST(Weakest, PutsDistrustFirstThenLogic) {
  const std::vector<Word> order = {Word::failed,          Word::rejected,     Word::contradicted,
                                   Word::not_testable,    Word::inconclusive, Word::model_agrees,
                                   Word::direction_holds, Word::reproduced};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = i; k < order.size(); ++k) {
      EXPECT_EQ(weakest({{order[i], "a"}, {order[k], "b"}}).word, order[i]);
      EXPECT_EQ(weakest({{order[k], "b"}, {order[i], "a"}}).word, order[i]);
    }
}

TEST(ReaderWord, HasFourAnswers) {
  EXPECT_EQ(reader_word(Word::reproduced, "true"), "holds");
  EXPECT_EQ(reader_word(Word::reproduced, "misleading"), "holds only when");
  EXPECT_EQ(reader_word(Word::reproduced, "outdated"), "holds only when");
  EXPECT_EQ(reader_word(Word::direction_holds, "true"), "holds only when");
  EXPECT_EQ(reader_word(Word::contradicted, "true"), "does not hold");
  for (const Word word :
       {Word::inconclusive, Word::not_testable, Word::model_agrees, Word::failed, Word::rejected})
    EXPECT_EQ(reader_word(word, "true"), "cannot tell here");
}

TEST(VerdictText, AlwaysHasNIntervalSubjectAndWhatWasNotMeasured) {
  Claim claim = ratio_of(2, 1.8, 3);
  claim.claimed_text = "2x";
  for (const Observation& seen : {saw(2, 2.5), saw(1.45, 1.5), saw(0.5, 0.6), saw(0.5, 2), counted({})}) {
    const std::string text = verdict_text(claim, seen, decide(claim, seen));
    for (const char* part : {"n = ", "interval", "Subject: this_machine", "not measured: ", "2x"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in: " << text;
  }
}

TEST(VerdictText, NamesAFrameworkOnlyWhenItRan) {
  const Claim claim = ratio_of(2, 1.8, 3);
  Observation seen = saw(2, 2.5);
  seen.subject = "perflab_engine";
  EXPECT_TRUE(verdict_text(claim, seen, decide(claim, seen)).starts_with("On perflab's engine: "));
  seen.subject = "framework:PyTorch-2.4";
  EXPECT_TRUE(verdict_text(claim, seen, decide(claim, seen)).starts_with("In PyTorch-2.4: "));
}

TEST(VerdictText, CallsWhatAClaimNeedsUnmeasuredOnlyWhereItIsAbsent) {
  Claim claim = ratio_of(2, 1.8, 3);
  claim.needs_hw = "cores:2";
  Observation seen = saw(2, 2.5);
  seen.subject = "framework:CPython-3.11";
  for (const bool here : {true, false}) {
    seen.same_hardware_class = here;
    const std::string text = verdict_text(claim, seen, decide(claim, seen));
    EXPECT_EQ(text.find("cores:2") == std::string::npos, here) << text;
  }
}

TEST(NextStep, SaysWhatWouldMakeAnInconclusiveClaimDecidable) {
  const Claim claim = ratio_of(2, 1.8, 3);
  Observation seen = saw(0.5, 2);
  EXPECT_EQ(next_step(claim, seen, decide(claim, seen), "04_x"),
            "./perflab run 04_x --profile article on an idle machine");
  seen.decides = false;
  EXPECT_EQ(next_step(claim, seen, decide(claim, seen), "04_x"), "./perflab run 04_x --profile quick");
  seen = saw(2, 2.5);
  EXPECT_EQ(next_step(claim, seen, decide(claim, seen), "04_x"), "");
}

TEST(NextStep, OfAStopOfTheTourAsksForAWholeRun) {
  const Claim claim = ratio_of(2, 1.8, 3);
  Observation seen = saw(2, 2.5);
  seen.profile = "tour";
  EXPECT_EQ(next_step(claim, seen, {Word::inconclusive, "case_not_run"}, "04_x"),
            "./perflab run 04_x --profile quick");
  EXPECT_EQ(next_step(claim, seen, {Word::inconclusive, "machine_busy"}, "04_x"),
            "./perflab run 04_x --profile quick on this machine with other programs closed");
}

}  // namespace
}  // namespace perflab

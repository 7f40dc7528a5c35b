// Every row of the decision table of measuring.md, section 9.3, and of the text below it; edges of bands and
// ROPE included.

#include <gtest/gtest.h>

#include <cmath>

#include "bench/verdict_testing.h"

namespace perflab {
namespace {

constexpr double rope_hi = 1.05;
const double rope_lo = 1 / 1.05;
double above(double x) { return std::nextafter(x, 1e9); }
double below(double x) { return std::nextafter(x, 0.0); }

// ---- the table of section 9.3, column by column
// -------------------------------------------------------------------

TEST(RatioClaim, InsideTheBandIsReproducedEdgesIncluded) {
  EXPECT_EQ(said(ratio_of(2, 1.5, 3), saw(1.6, 2.9)), "REPRODUCED");
  EXPECT_EQ(said(ratio_of(2, 1.5, 3), saw(1.5, 3.0)), "REPRODUCED");
  EXPECT_EQ(said(ratio_of(2, 1.5, 3), saw(below(1.5), 3.0)), "DIRECTION HOLDS (band_edge)");
  EXPECT_EQ(said(ratio_of(2, 1.5, 3), saw(1.5, above(3.0))), "DIRECTION HOLDS (band_edge)");
}

TEST(RatioClaim, FarBelowTheClaimedRatioIsContradicted) {
  EXPECT_EQ(said(ratio_of(47, 20, 100), saw(2.0, 3.0)), "CONTRADICTED (far_smaller)");
  EXPECT_EQ(said(ratio_of(47, 20, 100), saw(0.9, 1.2)), "CONTRADICTED (far_smaller)");
  const double root = std::sqrt(47.0);
  EXPECT_EQ(said(ratio_of(47, 20, 100), saw(2.0, below(root))), "CONTRADICTED (far_smaller)");
  EXPECT_EQ(said(ratio_of(47, 20, 100), saw(2.0, root)), "DIRECTION HOLDS (below_band)");
  EXPECT_EQ(said(ratio_of(47, 20, 100), saw(0.9, above(rope_hi))), "CONTRADICTED (far_smaller)");
  EXPECT_EQ(said(ratio_of(47, 20, 100), saw(0.9, rope_hi)), "INCONCLUSIVE (not_separated)");
}

TEST(RatioClaim, AboveTheRopeButNotInTheBandHoldsInDirection) {
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(1.45, 1.5)), "DIRECTION HOLDS (below_band)");
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(4, 5)), "DIRECTION HOLDS (above_band)");
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(above(rope_hi), 1.5)), "DIRECTION HOLDS (below_band)");
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(rope_hi, 1.5)), "INCONCLUSIVE (not_separated)");
}

TEST(RatioClaim, InsideTheRopeIsNoEffectIfTheBandExcludesTheRope) {
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(0.98, 1.02)), "CONTRADICTED (no_effect)");
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(rope_lo, rope_hi)), "CONTRADICTED (no_effect)");
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(below(rope_lo), rope_hi)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(ratio_of(1.1, 1.02, 1.3), saw(0.98, 1.01)), "INCONCLUSIVE (not_separated)")
      << "band reaches into the ROPE";
  EXPECT_EQ(said(ratio_of(1.1, rope_hi, 1.3), saw(0.98, 1.01)), "CONTRADICTED (no_effect)")
      << "band touches the ROPE";
}

TEST(RatioClaim, BelowTheRopeIsTheOpposite) {
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(0.5, 0.6)), "CONTRADICTED (opposite)");
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(0.5, below(rope_lo))), "CONTRADICTED (opposite)");
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(0.5, rope_lo)), "INCONCLUSIVE (not_separated)");
}

TEST(RatioClaim, AnythingElseIsInconclusive) {
  EXPECT_EQ(said(ratio_of(2, 1.8, 3), saw(0.9, 1.9)), "INCONCLUSIVE (not_separated)");
  Observation none = saw(1, 1);
  none.estimate->interval.reset();
  EXPECT_EQ(said(ratio_of(2), none), "INCONCLUSIVE (too_few_samples)");
  none.estimate.reset();
  EXPECT_EQ(said(ratio_of(2), none), "INCONCLUSIVE (no_valid_samples)");
}

TEST(RatioClaim, WithoutABandTakesTwentyPercentOrAFactorOfOneAndAHalf) {
  EXPECT_EQ(said(ratio_of(2), saw(1.6, 2.4)), "REPRODUCED");
  EXPECT_EQ(said(ratio_of(2), saw(1.5, 2.4)), "DIRECTION HOLDS (band_edge)");
  Observation elsewhere = saw(1.34, 2.99);
  elsewhere.same_hardware_class = false;
  EXPECT_EQ(said(ratio_of(2), elsewhere), "REPRODUCED");
  elsewhere = saw(1.32, 2.99);
  elsewhere.same_hardware_class = false;
  EXPECT_EQ(said(ratio_of(2), elsewhere), "DIRECTION HOLDS (band_edge)");
}

// The same rows, everything turned upside down.
TEST(RatioClaim, BelowOneIsJudgedAsItsInverse) {
  const Claim half = ratio_of(0.5, 0.4, 0.6);
  EXPECT_EQ(said(half, saw(0.41, 0.59)), "REPRODUCED");
  EXPECT_EQ(said(half, saw(0.4, 0.6)), "REPRODUCED");
  EXPECT_EQ(said(half, saw(0.65, 0.69)), "DIRECTION HOLDS (below_band)");
  EXPECT_EQ(said(half, saw(0.2, 0.3)), "DIRECTION HOLDS (above_band)");
  EXPECT_EQ(said(half, saw(0.99, 1.01)), "CONTRADICTED (no_effect)");
  EXPECT_EQ(said(half, saw(1.2, 1.3)), "CONTRADICTED (opposite)");
  EXPECT_EQ(said(half, saw(0.5, 1.2)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(ratio_of(1.0 / 47, {}, 0.05), saw(0.4, 0.5)), "CONTRADICTED (far_smaller)");
  EXPECT_EQ(said(ratio_of(1.0 / 47, {}, 0.05), saw(0.001, 0.002)), "REPRODUCED") << "the band is open below";
}

TEST(RatioClaim, OfExactlyOneIsJudgedByItsBandAlone) {
  EXPECT_EQ(said(ratio_of(1, 0.9, 1.1), saw(0.95, 1.05)), "REPRODUCED");
  EXPECT_EQ(said(ratio_of(1, 0.9, 1.1), saw(1.2, 1.3)), "CONTRADICTED (above_band)");
  EXPECT_EQ(said(ratio_of(1, 0.9, 1.1), saw(1.0, 1.3)), "INCONCLUSIVE (not_separated)");
}

TEST(DirectionClaim, FollowsItsColumnOfTheTable) {
  const Claim faster = of_type(ClaimType::direction);
  EXPECT_EQ(said(faster, saw(1.06, 9)), "REPRODUCED");
  EXPECT_EQ(said(faster, saw(above(rope_hi), 9)), "REPRODUCED");
  EXPECT_EQ(said(faster, saw(rope_hi, 9)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(faster, saw(0.97, 1.03)), "CONTRADICTED (no_effect)");
  EXPECT_EQ(said(faster, saw(rope_lo, rope_hi)), "CONTRADICTED (no_effect)");
  EXPECT_EQ(said(faster, saw(0.5, below(rope_lo))), "CONTRADICTED (opposite)");
  EXPECT_EQ(said(faster, saw(0.5, rope_lo)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(faster, saw(0.9, 1.2)), "INCONCLUSIVE (not_separated)");
}

TEST(DirectionClaim, BelowOneIsJudgedAsItsInverse) {
  Claim slower = of_type(ClaimType::direction);
  slower.claimed_value = 0.5;
  EXPECT_EQ(said(slower, saw(0.7, 0.8)), "REPRODUCED");
  EXPECT_EQ(said(slower, saw(1.2, 1.3)), "CONTRADICTED (opposite)");
  EXPECT_EQ(said(of_type(ClaimType::direction, {}, 0.5), saw(0.3, 0.4)), "REPRODUCED");
  EXPECT_EQ(said(of_type(ClaimType::direction, {}, 0.5), saw(0.6, 0.65)), "DIRECTION HOLDS (below_band)");
  EXPECT_EQ(said(of_type(ClaimType::direction, {}, 0.5), saw(0.8, 0.9)), "CONTRADICTED (far_smaller)");
}

TEST(DirectionClaim, WithABandIsJudgedAsARatioClaimOfItsEdge) {
  const Claim at_least_2 = of_type(ClaimType::direction, 2.0);
  EXPECT_EQ(said(at_least_2, saw(2, 90)), "REPRODUCED");
  EXPECT_EQ(said(at_least_2, saw(1.5, 1.9)), "DIRECTION HOLDS (below_band)");
  EXPECT_EQ(said(at_least_2, saw(1.2, 1.4)), "CONTRADICTED (far_smaller)") << "below sqrt(2)";
  EXPECT_EQ(said(at_least_2, saw(0.99, 1.01)), "CONTRADICTED (no_effect)");
  EXPECT_EQ(said(at_least_2, saw(0.5, 0.6)), "CONTRADICTED (opposite)");
  EXPECT_EQ(said(at_least_2, saw(1.0, 2.5)), "INCONCLUSIVE (not_separated)");
}

TEST(DirectionClaim, WithAThresholdOnTheOtherSideOfOneIsJudgedByTheThreshold) {
  const Claim no_worse = of_type(ClaimType::direction, 0.3);
  EXPECT_EQ(said(no_worse, saw(0.3, 0.5)), "REPRODUCED");
  EXPECT_EQ(said(no_worse, saw(0.04, 0.06)), "CONTRADICTED (below_band)");
  EXPECT_EQ(said(no_worse, saw(0.2, 0.4)), "INCONCLUSIVE (not_separated)");
}

TEST(NullClaim, FollowsItsColumnOfTheTable) {
  const Claim same = of_type(ClaimType::null);
  EXPECT_EQ(said(same, saw(0.97, 1.03)), "REPRODUCED");
  EXPECT_EQ(said(same, saw(rope_lo, rope_hi)), "REPRODUCED");
  EXPECT_EQ(said(same, saw(below(rope_lo), rope_hi)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(same, saw(above(rope_hi), 1.2)), "CONTRADICTED (effect)");
  EXPECT_EQ(said(same, saw(rope_hi, 1.2)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(same, saw(0.8, below(rope_lo))), "CONTRADICTED (effect)");
  EXPECT_EQ(said(same, saw(0.8, rope_lo)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(same, saw(0.8, 1.2)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(of_type(ClaimType::null, {}, 1.2), saw(1.1, 1.2)), "REPRODUCED")
      << "the article's own width";
  EXPECT_EQ(said(of_type(ClaimType::null, {}, 1.2), saw(1.21, 1.3)), "CONTRADICTED (above_band)");
}

// ---- the text below the table
// --------------------------------------------------------------------------------------

TEST(AbsoluteClaim, IsJudgedByTheBandOnTheSameHardwareClassOnly) {
  const Claim rate = of_type(ClaimType::absolute, 20, 25);
  EXPECT_EQ(said(rate, saw(20, 25)), "REPRODUCED");
  EXPECT_EQ(said(rate, saw(10, below(20))), "CONTRADICTED (below_band)");
  EXPECT_EQ(said(rate, saw(above(25), 30)), "CONTRADICTED (above_band)");
  EXPECT_EQ(said(rate, saw(25, 30)), "INCONCLUSIVE (not_separated)");
  EXPECT_EQ(said(rate, saw(19, 21)), "INCONCLUSIVE (not_separated)");
  Observation elsewhere = saw(21, 22);
  elsewhere.same_hardware_class = false;
  EXPECT_EQ(said(rate, elsewhere), "NOT TESTABLE HERE (other_hardware_class)");
}

TEST(ShapeClaim, IsJudgedByTheBandOnAnyHardware) {
  const Claim slope = of_type(ClaimType::shape, -0.1, 0.1);
  Observation flat = saw(1, 1);
  flat.same_hardware_class = false;
  flat.estimate = Estimate{0, Interval{-0.05, 0.05, 0.95}, 12};
  EXPECT_EQ(said(slope, flat), "REPRODUCED");
  flat.estimate->interval = Interval{0.9, 1.1, 0.95};
  EXPECT_EQ(said(slope, flat), "CONTRADICTED (above_band)");
  flat.estimate->interval = Interval{0.0, 0.2, 0.95};
  EXPECT_EQ(said(slope, flat), "INCONCLUSIVE (not_separated)");
}

TEST(BoundAndCountClaims, AreExactOverEverySample) {
  for (const ClaimType type : {ClaimType::bound, ClaimType::count}) {
    const Claim claim = of_type(type, 4, 16);
    EXPECT_EQ(said(claim, counted({4, 16, 5})), "REPRODUCED");
    EXPECT_EQ(said(claim, counted({4, 16, 17})), "CONTRADICTED (above_band)");
    EXPECT_EQ(said(claim, counted({2})), "CONTRADICTED (below_band)");
    EXPECT_EQ(said(claim, counted({})), "INCONCLUSIVE (no_valid_samples)");
  }
  Claim three = of_type(ClaimType::count);
  three.claimed_value = 3;
  EXPECT_EQ(said(three, counted({3, 3})), "REPRODUCED");
  EXPECT_EQ(said(three, counted({3, 4})), "CONTRADICTED (above_band)");
}

TEST(AnalyticClaim, IsReproducedWithinThePrintedRounding) {
  Claim claim = of_type(ClaimType::analytic);
  Observation calculated = counted({6.4});
  calculated.evidence = "analytic";
  claim.claimed_value = 6;
  EXPECT_EQ(said(claim, calculated), "REPRODUCED");
  claim.claimed_value = 5.9;
  EXPECT_EQ(said(claim, calculated), "CONTRADICTED (above_band)");
  claim.band_lo = 6;
  claim.band_hi = 7;
  EXPECT_EQ(said(claim, calculated), "REPRODUCED");
}

TEST(DocClaim, HasNoMeasurementUnlessAProbeRan) {
  const Claim doc = of_type(ClaimType::doc, 1, 1);
  EXPECT_EQ(said(doc, counted({})), "NOT TESTABLE HERE (documentation_only)");
  EXPECT_EQ(said(doc, counted({1})), "REPRODUCED");
  EXPECT_EQ(said(doc, counted({0})), "CONTRADICTED (below_band)");
}

}  // namespace
}  // namespace perflab

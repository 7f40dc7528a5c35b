#pragma once
// What the tests of the verdict rules share: claims and observations made from a few numbers, decisions as
// text.

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/verdict.h"

namespace perflab {

inline Claim ratio_of(double claimed, std::optional<double> lo = {}, std::optional<double> hi = {}) {
  Claim claim;
  claim.claim_id = std::string("a-ratio-claim");
  claim.type = ClaimType::ratio;
  claim.claimed_value = claimed;
  claim.band_lo = lo;
  claim.band_hi = hi;
  claim.about = "hardware";
  claim.subject = "real";
  return claim;
}

inline Claim of_type(ClaimType type, std::optional<double> lo = {}, std::optional<double> hi = {}) {
  Claim claim = ratio_of(0, lo, hi);
  claim.type = type;
  claim.claimed_value.reset();
  return claim;
}

inline Observation saw(double lo, double hi) {
  Observation seen;
  seen.profile = "quick";
  seen.subject = "this_machine";
  seen.estimate = Estimate{std::sqrt(lo * hi), Interval{lo, hi, 0.96}, 20};
  seen.mde = 1.02;
  return seen;
}

inline Observation counted(std::vector<double> values) {
  Observation seen = saw(1, 1);
  seen.estimate.reset();
  seen.every_sample = std::move(values);
  return seen;
}

inline std::string said(const Claim& claim, const Observation& seen) {
  const Decision decision = decide(claim, seen);
  return word_text(decision.word) + (decision.reason.empty() ? "" : " (" + decision.reason + ")");
}

}  // namespace perflab

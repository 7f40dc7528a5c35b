#pragma once
// What the tests of every lab's claims share: its registry, one verdict as text, and the question whether
// each claim could come out otherwise.

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "bench/claims.h"
#include "bench/describe.h"
#include "bench/testing.h"

namespace perflab {

// All parts of all claims of the lab, or those of one claim.
inline std::vector<Claim> registry_of(const std::string& lab_id, std::string_view claim_id = "") {
  std::vector<Claim> claims = read_claims(lab_source_folder(lab_id) / "claims.csv");
  std::erase_if(claims, [&](const Claim& one) { return !claim_id.empty() && one.claim_id != claim_id; });
  return claims;
}

// The verdict on one claim of the lab whose experiments this program holds; hardware: a word of needs_hw.
inline std::string verdict_on(const std::string& lab_id, const ConstructedRun& run,
                              const std::string& claim_id, const std::string& hardware = "") {
  JudgeInput input = run.input(registry_of(lab_id, claim_id));
  if (!hardware.empty()) input.hardware.push_back(hardware);
  return verdict_words(judge(input, experiments()), claim_id);
}

inline std::vector<double> constant(double value, int n = 20) {
  return std::vector<double>(std::size_t(n), value);
}

// Every part on its own, whatever it would be measured with: an estimate and samples inside its band, and an
// order of magnitude beyond each end that the band has. Which parts do not come out as they must, and how
// they did.
inline std::vector<std::string> one_sided_parts(const std::vector<Claim>& parts) {
  const auto word = [](Claim part, double value) {
    part.subject = "real";  // as on a machine that has what the claim speaks of
    Observation seen;
    seen.profile = "quick";
    seen.subject = "this_machine";
    seen.estimate = Estimate{value, Interval{0.99 * value, 1.01 * value, 0.96}, 20};
    seen.every_sample = constant(value);
    return word_text(decide(part, seen).word);
  };
  std::vector<std::string> problems;
  for (const Claim& part : parts) {
    const auto want = [&](double value, const std::string& wanted) {
      if (const std::string got = word(part, value); got != wanted)
        problems.push_back(
            fmt::format("{} {}: {} at {}; want {}", part.claim_id, part.part, got, value, wanted));
    };
    const double lo = part.band_lo.value_or(0), hi = part.band_hi.value_or(0);
    if (!part.band_lo && !part.band_hi) problems.push_back(part.claim_id + " " + part.part + ": no band");
    want(lo > 0 && hi > 0 ? std::sqrt(lo * hi) : lo > 0 ? 2 * lo : hi / 2, "REPRODUCED");
    if (part.band_lo) want(lo / 10, "CONTRADICTED");
    // Even faster than claimed holds, and is not the figure.
    if (part.band_hi) want(10 * hi + 1, part.type == ClaimType::ratio ? "DIRECTION HOLDS" : "CONTRADICTED");
  }
  return problems;
}

}  // namespace perflab

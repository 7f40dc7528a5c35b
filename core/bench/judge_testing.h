#pragma once
// What the tests of the judge share: one claim, one run that it holds for, and the verdict as text.

#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "bench/testing.h"

namespace perflab {

inline const std::deque<Experiment> no_experiments;

inline Claim claim_on(std::string quantity, ClaimType type, std::optional<double> lo = {},
                      std::optional<double> hi = {}) {
  Claim claim;
  claim.claim_id = "the-claim";
  claim.source = "article";
  claim.statement = "something holds";
  claim.type = type;
  claim.experiment = "stream";
  claim.quantity = std::move(quantity);
  claim.band_lo = lo;
  claim.band_hi = hi;
  claim.about = "hardware";
  claim.subject = "real";
  claim.expert_verdict = "true";
  return claim;
}

inline Claim speedup() { return claim_on("plain.finish / nt.finish", ClaimType::ratio, 1.5, 2.5); }

inline ConstructedRun twofold(std::string profile = "quick") {
  ConstructedRun run("stream", std::move(profile));
  run.point({{"level", "DRAM"}}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
  return run;
}

inline std::string words(const JudgeInput& input,
                         const std::deque<Experiment>& experiments = no_experiments) {
  return verdict_words(judge(input, experiments), "the-claim");
}

}  // namespace perflab

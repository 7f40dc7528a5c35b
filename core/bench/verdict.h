#pragma once
// Verdict — the rules that turn an interval into one word. Pure functions; docs/measuring.md has the table
// they implement.

#include <optional>
#include <string>
#include <vector>

#include "bench/claims.h"
#include "bench/statistics.h"

namespace perflab {

enum class Word {
  reproduced,
  direction_holds,
  contradicted,
  inconclusive,
  not_testable,
  model_agrees,
  failed,
  rejected
};
std::string word_text(Word word);  // "REPRODUCED", "DIRECTION HOLDS", ...
// holds | holds only when | does not hold | cannot tell here
std::string reader_word(Word word, const std::string& expert_verdict);

// What was seen for one part of a claim, with the state of the preconditions P1-P4.
struct Observation {
  bool available = true;                                // P2: the hardware or subject is here
  std::string unavailable_reason;                       // reason_code, as needs_gpus:1
  std::string unavailable_next;                         // what would make it testable
  bool correct = true;                                  // P1
  bool complete = true, env_fit = true, steady = true;  // P3
  std::string unfit_reason;                             // reason_code of the first P3 failure
  bool plausible = true;                                // P4
  std::string implausible_reason;
  bool same_hardware_class = true;  // absolute claims
  std::string profile;              // smoke never decides
  int fault = 0;
  std::string evidence = "measured";
  std::string subject;               // this_machine | perflab_engine | framework:NAME-VERSION | model
  std::optional<Estimate> estimate;  // of the quantity (ratio, rate, derived number)
  std::vector<double> every_sample;  // bound and count claims
  std::vector<Estimate> per_launch;  // three or more: two thirds must agree
  double mde = 0;                    // ratio; 0 = unknown
};

struct Decision {
  Word word = Word::inconclusive;
  std::string reason;  // snake_case code, may be empty for REPRODUCED
};

Decision decide(const Claim& claim, const Observation& seen);
Decision weakest(const std::vector<Decision>& parts);  // one claim with several parts

}  // namespace perflab

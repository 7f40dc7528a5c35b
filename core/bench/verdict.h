#pragma once
// Verdict — the rules that turn an interval into one word. Pure functions; docs/measuring.md has the table
// they implement.
//
// Order: a planted fault decides nothing; then P1 correct (FAILED), P2 testable here (NOT TESTABLE HERE), the
// smoke profile and P3 fit environment (INCONCLUSIVE), P4 plausible (REJECTED); then the table of the claim's
// type; last the caps: launches that disagree, evidence that was not measured, a stand-in for hardware. A
// ratio claimed below 1 is judged upside down (1/claimed against 1/observed), so that the table reads one way
// only.

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
  std::string incorrect_reason;                         // empty: wrong_result
  bool complete = true, env_fit = true, steady = true;  // P3
  std::string unfit_reason;                             // reason_code of the first P3 failure
  bool plausible = true;                                // P4
  std::string implausible_reason;
  bool same_hardware_class = true;  // absolute claims
  std::string profile;
  bool decides = true;  // false: a profile as smoke, whose six blocks are too few for a verdict
  int fault = 0;
  std::string evidence = "measured";
  std::string subject;  // this_machine | perflab_engine | framework:NAME-VERSION | model | documentation
  std::optional<Estimate> estimate;  // of the quantity (ratio, rate, derived number)
  std::vector<double> every_sample;  // bound and count claims
  std::vector<Estimate> per_launch;  // three or more: two thirds must agree
  int launches = 1;
  double mde = 0;              // ratio; 0 = unknown
  std::string missing_reason;  // why there is no estimate although the subject is available; snake_case
};

struct Decision {
  Word word = Word::inconclusive;
  std::string reason;  // snake_case code, may be empty for REPRODUCED
};

struct Band {
  double lo, hi;  // closed; -inf or +inf where open
};
// The claim's band; where it has none: +-20 % around the claimed value on the same hardware class, else a
// factor of 1.5.
std::optional<Band> band_of(const Claim& claim, bool same_hardware_class);

Decision decide(const Claim& claim, const Observation& seen);

// One claim with several parts: the first present of FAILED, REJECTED, CONTRADICTED, NOT TESTABLE HERE,
// INCONCLUSIVE, MODEL AGREES, DIRECTION HOLDS, REPRODUCED. A measurement that cannot be trusted comes first;
// then logic: "a and b" is wrong as soon as a is, whatever b would say, and unknown as long as one part is.
std::size_t weakest_part(const std::vector<Decision>& parts);
Decision weakest(const std::vector<Decision>& parts);

// The fixed sentence of the verdict: what was seen, n, interval, subject, and what was not measured. The
// machine's line is the caller's (a report prints it once).
std::string verdict_text(const Claim& claim, const Observation& seen, const Decision& decision);
std::string next_step(const Claim& claim, const Observation& seen, const Decision& decision,
                      const std::string& lab_id);

}  // namespace perflab

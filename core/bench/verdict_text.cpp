// The words of a verdict: fixed sentences, always with n, interval, subject and what was not measured.

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "bench/verdict.h"

namespace perflab {
namespace {

// Three significant digits: a sentence is for reading, the exact values stand in their own columns.
std::string readable(double value) { return fmt::format("{:.3g}", value); }

std::string with_unit(const std::string& number, const std::string& unit) {
  if (unit.empty() || unit == "ratio") return number;
  return number + ' ' + unit;
}

// A code as words: "unknown_memory_type" -> "unknown memory type".
std::string as_words(std::string code) {
  std::replace(code.begin(), code.end(), '_', ' ');
  return code;
}

std::string observed(const Claim& claim, const Observation& seen) {
  if (!seen.every_sample.empty()) {
    const auto n = seen.every_sample.size();
    const double value = seen.estimate ? seen.estimate->median : seen.every_sample.front();
    return fmt::format("{} (n = {}, every sample counts)", with_unit(readable(value), claim.unit), n);
  }
  if (!seen.estimate) return "nothing (n = 0, no interval)";
  const std::string value = with_unit(readable(seen.estimate->median), claim.unit);
  if (!seen.estimate->interval) return fmt::format("{} (n = {}, no interval)", value, seen.estimate->n);
  const Interval& interval = *seen.estimate->interval;
  return fmt::format("{} [{}, {}] (n = {}, {:.1f} % interval)", value, readable(interval.lo),
                     readable(interval.hi), seen.estimate->n, 100 * interval.level);
}

std::string claimed(const Claim& claim) {
  if (!claim.claimed_text.empty()) return claim.claimed_text;
  return claim.claimed_value ? with_unit(readable(*claim.claimed_value), claim.unit) : "(no figure)";
}

// Names a framework only when that framework ran.
std::string where(const Observation& seen) {
  if (seen.subject == "perflab_engine") return "On perflab's engine: ";
  if (seen.subject == "model") return "In the model: ";
  if (seen.subject == "documentation") return "From the documentation: ";
  if (seen.subject.starts_with("framework:")) return "In " + seen.subject.substr(10) + ": ";
  return "On this machine: ";
}

std::string not_measured(const Claim& claim, const Observation& seen) {
  if (!seen.available) return "the claim itself (" + seen.unavailable_reason + ")";
  if (claim.type == ClaimType::doc && seen.every_sample.empty() && !seen.estimate) return "anything";
  if (claim.type == ClaimType::analytic) return "any machine; the article's own inputs were calculated again";
  std::string text = seen.subject == "this_machine" ? "other machines" : "what the article itself ran";
  const bool needed_is_absent = !claim.needs_hw.empty() && !seen.same_hardware_class;
  if (needed_is_absent && seen.subject != "this_machine") text += ", " + claim.needs_hw;
  if (seen.evidence != "measured") text = "the real thing (this is " + seen.evidence + ")";
  if (seen.launches == 1) text += ", differences between launches (1 launch)";
  return text;
}

std::string sentence(const Claim& claim, const Observation& seen, const Decision& decision) {
  const std::string value = observed(claim, seen), figure = claimed(claim);
  switch (decision.word) {
    case Word::reproduced:
      return fmt::format("observed {}; the article says {}; inside its band.", value, figure);
    case Word::direction_holds:
      return fmt::format(
          "observed {}; the article says {}; the direction holds, the size does not follow ({}).", value,
          figure, decision.reason);
    case Word::contradicted:
      return fmt::format("observed {}; the article says {}; that contradicts it ({}).", value, figure,
                         decision.reason);
    case Word::model_agrees:
      return fmt::format("{} value {}; the article says {}; the model agrees, which is no measurement.",
                         seen.evidence, value, figure);
    case Word::not_testable:
      return fmt::format("not testable here ({}); the article says {}; seen here: {}.",
                         as_words(decision.reason), figure, value);
    case Word::failed:
      return fmt::format("the result was wrong ({}), so its time says nothing: {}.", decision.reason, value);
    case Word::rejected:
      return fmt::format("observed {}, more than this machine can do ({}): the measurement is wrong.", value,
                         decision.reason);
    case Word::inconclusive:
      break;
  }
  const std::string mde = seen.mde > 1 ? fmt::format(" The smallest difference it could have seen: {:.1f} %.",
                                                     100 * (seen.mde - 1))
                                       : "";
  return fmt::format("observed {}; the article says {}; this run cannot tell ({}).{}", value, figure,
                     decision.reason, mde);
}

}  // namespace

std::string word_text(Word word) {
  switch (word) {
    case Word::reproduced:
      return "REPRODUCED";
    case Word::direction_holds:
      return "DIRECTION HOLDS";
    case Word::contradicted:
      return "CONTRADICTED";
    case Word::inconclusive:
      return "INCONCLUSIVE";
    case Word::not_testable:
      return "NOT TESTABLE HERE";
    case Word::model_agrees:
      return "MODEL AGREES";
    case Word::failed:
      return "FAILED";
    case Word::rejected:
      return "REJECTED";
  }
  fail(ErrorKind::check, "verdict: word {} does not exist", int(word));
}

std::string reader_word(Word word, const std::string& expert_verdict) {
  const bool limited = expert_verdict == "misleading" || expert_verdict == "outdated";
  if (word == Word::reproduced) return limited ? "holds only when" : "holds";
  if (word == Word::direction_holds) return "holds only when";
  if (word == Word::contradicted) return "does not hold";
  return "cannot tell here";
}

std::string verdict_text(const Claim& claim, const Observation& seen, const Decision& decision) {
  return where(seen) + sentence(claim, seen, decision) + " Subject: " + seen.subject +
         "; not measured: " + not_measured(claim, seen) + ".";
}

std::string next_step(const Claim& claim, const Observation& seen, const Decision& decision,
                      const std::string& lab_id) {
  const std::string& why = decision.reason;
  if (decision.word == Word::failed || decision.word == Word::rejected)
    return "report this as a bug of the lab: keep the run's folder";
  if (decision.word == Word::not_testable) {
    if (!seen.unavailable_next.empty()) return seen.unavailable_next;
    if (why == "documentation_only") return "read the documentation that the card names";
    return claim.needs_hw.empty() ? "" : "run on a machine with " + claim.needs_hw;
  }
  if (decision.word != Word::inconclusive) return "";
  if (why == "fault_injected") return fmt::format("./perflab run {} (without --fault)", lab_id);
  if (why == "smoke_profile") return fmt::format("./perflab run {} --profile quick", lab_id);
  if (why == "partial_run") return "./perflab run --resume RUN";
  if (why == "model_disagrees" || why == "evidence_not_allowed") return "measure the real thing";
  // A stop of the tour measures one case for a question, which decides no claim.
  const std::string again = seen.profile == "tour" ? "quick" : seen.profile;
  if (why == "case_not_run") return fmt::format("./perflab run {} --profile {}", lab_id, again);
  if (why == "machine_busy")
    return fmt::format("./perflab run {} --profile {} on this machine with other programs closed", lab_id,
                       again);
  const char* profile = seen.profile == "quick" ? "article" : "reproduce";
  return fmt::format("./perflab run {} --profile {} on an idle machine", lab_id, profile);
}

}  // namespace perflab

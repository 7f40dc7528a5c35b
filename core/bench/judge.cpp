#include "bench/judge.h"

#include <algorithm>

#include "base/check.h"
#include "base/units.h"
#include "bench/judge_parts.h"

namespace perflab {
namespace {

// The deciding part's test under the first part's words.
VerdictRow judge_claim(const Evidence& evidence, const std::vector<const Claim*>& parts) {
  std::vector<Observation> seen;
  std::vector<Decision> decisions;
  for (const Claim* part : parts) {
    const Claim here = claim_here(evidence, *part);
    seen.push_back(observe(evidence, here));
    decisions.push_back(decide(here, seen.back()));
  }
  const std::size_t weakest = weakest_part(decisions);
  VerdictRow row{claim_here(evidence, *parts.front()), seen[weakest], decisions[weakest], 0};
  const Claim& deciding = *parts[weakest];
  row.claim.part = deciding.part;
  row.claim.type = deciding.type;
  row.claim.experiment = deciding.experiment;
  row.claim.params = deciding.params;
  row.claim.quantity = deciding.quantity;
  row.claim.claimed_value = deciding.claimed_value;
  row.claim.claimed_text = deciding.claimed_text;
  row.claim.unit = deciding.unit;
  row.claim.band_lo = deciding.band_lo;
  row.claim.band_hi = deciding.band_hi;
  row.claim.smallest_interesting_effect = deciding.smallest_interesting_effect;
  row.claim.needs_hw = deciding.needs_hw;
  return row;
}

std::vector<VerdictRow> judge_claims(const Evidence& evidence) {
  std::vector<std::pair<std::string, std::vector<const Claim*>>> by_id;
  for (const Claim& claim : evidence.input.claims) {
    const auto found = std::find_if(by_id.begin(), by_id.end(),
                                    [&](const auto& one) { return one.first == claim.claim_id; });
    if (found == by_id.end()) by_id.push_back({claim.claim_id, {&claim}});
    else found->second.push_back(&claim);
  }
  std::vector<VerdictRow> rows;
  for (const auto& [id, parts] : by_id) rows.push_back(judge_claim(evidence, parts));
  rank_by_surprise(rows);
  return rows;
}

std::string number(double value) { return format_number(value); }
std::string number(const std::optional<double>& value) { return value ? format_number(*value) : ""; }

}  // namespace

Judgement judge(const JudgeInput& input, const std::deque<Experiment>& experiments) {
  const Evidence evidence(input, experiments);
  Judgement judgement;
  judgement.summary_header = summary_header(evidence);
  judgement.summary = summary_rows(evidence);
  judgement.verdicts = judge_claims(evidence);
  judge_predictions(evidence, judgement);
  for (const Series& series : evidence.results.all()) {
    judgement.wrong_result = judgement.wrong_result || is_wrong(series);
    judgement.implausible = judgement.implausible || !bounds_of(evidence, series).reason.empty();
    const bool measured = series.info.status != "skipped" && !is_wrong(series) && !series.interrupted;
    judgement.no_valid_samples = judgement.no_valid_samples || (measured && series.timed.empty());
  }
  for (const auto& [experiment, derived] : evidence.derived)
    for (const DerivedRow& row : derived.rows())
      judgement.implausible = judgement.implausible || !row.implausible.empty();
  judgement.separates_above_ratio = separates_above_ratio(evidence);
  judgement.ceilings = evidence.ceilings;
  return judgement;
}

const std::vector<std::string>& verdicts_header() {
  static const std::vector<std::string> header = {
      "run_id",        "lab_id",     "claim_id",       "part",    "source",       "section",     "statement",
      "claim_type",    "experiment", "quantity",       "claimed", "claimed_text", "band_lo",     "band_hi",
      "unit",          "observed",   "ci_lo",          "ci_hi",   "rope_lo",      "rope_hi",     "mde_ratio",
      "n_pairs",       "launches",   "evidence",       "verdict", "reason_code",  "reader_word", "subject",
      "about",         "needs_hw",   "expert_verdict", "truth",   "holds_when",   "do_instead",  "next_step",
      "surprise_rank", "text"};
  return header;
}

std::vector<std::string> verdict_fields(const VerdictRow& row, const std::string& run_id,
                                        const std::string& lab_id) {
  const Claim& claim = row.claim;
  const Observation& seen = row.seen;
  std::optional<double> observed, lo, hi;
  int n = int(seen.every_sample.size());
  if (seen.estimate) {
    observed = seen.estimate->median;
    if (n == 0) n = seen.estimate->n;
    if (seen.estimate->interval) {
      lo = seen.estimate->interval->lo;
      hi = seen.estimate->interval->hi;
    }
  } else if (!seen.every_sample.empty()) {
    observed = seen.every_sample.front();
  }
  const double effect = claim.smallest_interesting_effect;
  return {run_id,
          lab_id,
          claim.claim_id,
          claim.part,
          claim.source,
          claim.section,
          claim.statement,
          claim_type_name(claim.type),
          claim.experiment,
          claim.quantity,
          number(claim.claimed_value),
          claim.claimed_text,
          number(claim.band_lo),
          number(claim.band_hi),
          claim.unit,
          number(observed),
          number(lo),
          number(hi),
          number(1 / effect),
          number(effect),
          seen.mde > 0 ? number(seen.mde) : "",
          fmt::format("{}", n),
          fmt::format("{}", seen.launches),
          seen.evidence,
          word_text(row.decision.word),
          row.decision.reason,
          reader_word(row.decision.word, claim.expert_verdict),
          seen.subject,
          claim.about,
          claim.needs_hw,
          claim.expert_verdict,
          claim.truth,
          claim.holds_when,
          claim.do_instead,
          next_step(claim, seen, row.decision, lab_id),
          fmt::format("{}", row.surprise_rank),
          verdict_text(claim, seen, row.decision)};
}

}  // namespace perflab

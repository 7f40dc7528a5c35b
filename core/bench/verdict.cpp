#include "bench/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/units.h"

namespace perflab {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool inside(const Interval& interval, const Band& band) {
  return band.lo <= interval.lo && interval.hi <= band.hi;
}
bool disjoint(const Interval& interval, const Band& band) {
  return interval.hi < band.lo || band.hi < interval.lo;
}

double inverse(double value) { return value == 0 ? infinity : std::isinf(value) ? 0 : 1 / value; }
Band inverse(const Band& band) { return {inverse(band.hi), band.lo > 0 ? inverse(band.lo) : infinity}; }
Interval inverse(const Interval& interval) {
  return {inverse(interval.hi), inverse(interval.lo), interval.level};
}

Band explicit_band(const Claim& claim) {
  return {claim.band_lo.value_or(-infinity), claim.band_hi.value_or(infinity)};
}

// The columns "ratio claim > 1" and, without a band, "direction claim > 1" of the table; claimed >= 1 here.
Decision by_ratio(const Interval& seen, double effect, const std::optional<Band>& band,
                  std::optional<double> claimed) {
  const Band rope{1 / effect, effect};
  if (band && inside(seen, *band)) return {Word::reproduced, ""};
  if (claimed && seen.hi < std::sqrt(*claimed) && seen.hi > effect)
    return {Word::contradicted, "far_smaller"};
  if (seen.lo > effect) {
    if (!band) return {Word::reproduced, ""};
    return {Word::direction_holds, seen.hi < band->lo   ? "below_band"
                                   : seen.lo > band->hi ? "above_band"
                                                        : "band_edge"};
  }
  // A band that only touches the ROPE excludes it: "at least 1.2" with a smallest interesting effect of 1.2.
  const bool excludes_rope = !band || band->lo >= rope.hi || band->hi <= rope.lo;
  if (inside(seen, rope) && excludes_rope) return {Word::contradicted, "no_effect"};
  if (seen.hi < rope.lo) return {Word::contradicted, "opposite"};
  return {Word::inconclusive, "not_separated"};
}

Decision by_band(const Interval& seen, const Band& band) {
  if (inside(seen, band)) return {Word::reproduced, ""};
  if (disjoint(seen, band)) return {Word::contradicted, seen.hi < band.lo ? "below_band" : "above_band"};
  return {Word::inconclusive, "not_separated"};
}

Decision by_null(const Claim& claim, const Interval& seen) {
  if (claim.band_lo || claim.band_hi) return by_band(seen, explicit_band(claim));  // the article's own width
  const double effect = claim.smallest_interesting_effect;
  if (inside(seen, {1 / effect, effect})) return {Word::reproduced, ""};
  if (seen.lo > effect || seen.hi < 1 / effect) return {Word::contradicted, "effect"};
  return {Word::inconclusive, "not_separated"};
}

Decision ratio_claim(const Claim& claim, const Interval& seen, bool same_class) {
  const std::optional<Band> band = band_of(claim, same_class);
  PL_CHECK(band, "{}: a ratio claim without band and claimed value; want one of them", claim.claim_id);
  // Without a figure the band's nearer edge stands for it: "at least 2" claims 2.
  const double claimed = claim.claimed_value ? *claim.claimed_value
                         : band->lo > 1      ? band->lo
                         : band->hi < 1      ? band->hi
                                             : 1;
  const double effect = claim.smallest_interesting_effect;
  if (claimed == 1) return by_band(seen, *band);
  if (claimed > 1) return by_ratio(seen, effect, band, claimed);
  return by_ratio(inverse(seen), effect, inverse(*band), inverse(claimed));
}

Decision direction_claim(const Claim& claim, const Interval& seen) {
  const double effect = claim.smallest_interesting_effect;
  if (!claim.band_lo && !claim.band_hi) {
    const bool below = claim.claimed_value && *claim.claimed_value < 1;
    return by_ratio(below ? inverse(seen) : seen, effect, std::nullopt, std::nullopt);
  }
  const Band band = explicit_band(claim);
  if (band.lo > 1) return by_ratio(seen, effect, band, band.lo);
  if (band.hi < 1) return by_ratio(inverse(seen), effect, inverse(band), inverse(band.hi));
  return by_band(seen, band);  // a threshold that is no ratio above or below 1: "no worse than 0.9"
}

// Half a unit of the last digit that the figure prints: 10 -> 0.5, 5.9 -> 0.05.
double printed_rounding(double value) {
  const std::string text = format_number(value);
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos || text.find('e') != std::string::npos) return 0.5;
  return 0.5 * std::pow(10.0, -double(text.size() - dot - 1));
}

Decision exact_claim(const Claim& claim, const Observation& seen) {
  std::vector<double> values = seen.every_sample;
  if (values.empty() && seen.estimate) values.push_back(seen.estimate->median);
  if (values.empty())
    return {Word::inconclusive, seen.missing_reason.empty() ? "no_valid_samples" : seen.missing_reason};
  Band band = explicit_band(claim);
  if (!claim.band_lo && !claim.band_hi) {
    PL_CHECK(claim.claimed_value, "{}: no band and no claimed value; want one of them", claim.claim_id);
    const double slack = claim.type == ClaimType::analytic ? printed_rounding(*claim.claimed_value) : 0;
    band = {*claim.claimed_value - slack, *claim.claimed_value + slack};
  }
  for (const double value : values) {
    if (value < band.lo) return {Word::contradicted, "below_band"};
    if (value > band.hi) return {Word::contradicted, "above_band"};
  }
  return {Word::reproduced, ""};
}

Decision by_type(const Claim& claim, const Observation& seen, const std::optional<Estimate>& estimate) {
  switch (claim.type) {
    case ClaimType::doc:
      if ((seen.every_sample.empty() && !seen.estimate) || !band_of(claim, true))
        return {Word::not_testable, "documentation_only"};
      [[fallthrough]];
    case ClaimType::bound:
    case ClaimType::count:
    case ClaimType::analytic:
      return exact_claim(claim, seen);
    default:
      break;
  }
  if (!estimate)
    return {Word::inconclusive, seen.missing_reason.empty() ? "no_valid_samples" : seen.missing_reason};
  if (!estimate->interval) return {Word::inconclusive, "too_few_samples"};
  const Interval& interval = *estimate->interval;
  if (claim.type == ClaimType::ratio) return ratio_claim(claim, interval, seen.same_hardware_class);
  if (claim.type == ClaimType::direction) return direction_claim(claim, interval);
  if (claim.type == ClaimType::null) return by_null(claim, interval);
  const std::optional<Band> band = band_of(claim, true);
  PL_CHECK(band, "{}: no band and no claimed value; want one of them", claim.claim_id);
  return by_band(interval, *band);
}

std::string or_else(const std::string& reason, const char* otherwise) {
  return reason.empty() ? otherwise : reason;
}

std::optional<Decision> preconditions(const Claim& claim, const Observation& seen) {
  if (seen.fault != 0) return Decision{Word::inconclusive, "fault_injected"};
  if (!seen.correct) return Decision{Word::failed, or_else(seen.incorrect_reason, "wrong_result")};
  if (!seen.available) return Decision{Word::not_testable, or_else(seen.unavailable_reason, "not_available")};
  if (claim.type == ClaimType::absolute && !seen.same_hardware_class)
    return Decision{Word::not_testable, "other_hardware_class"};
  if (!seen.decides) return Decision{Word::inconclusive, "smoke_profile"};
  if (!seen.complete) return Decision{Word::inconclusive, or_else(seen.unfit_reason, "partial_run")};
  if (!seen.env_fit) return Decision{Word::inconclusive, or_else(seen.unfit_reason, "aa_unfit")};
  if (!seen.steady) return Decision{Word::inconclusive, or_else(seen.unfit_reason, "warmup_not_steady")};
  if (!seen.plausible) return Decision{Word::rejected, or_else(seen.implausible_reason, "implausible")};
  return std::nullopt;
}

// Two thirds of three or more launches must say the same.
bool launches_agree(const Claim& claim, const Observation& seen, Word word) {
  if (seen.per_launch.size() < 3) return true;
  const auto same =
      std::count_if(seen.per_launch.begin(), seen.per_launch.end(),
                    [&](const Estimate& launch) { return by_type(claim, seen, launch).word == word; });
  return 3 * std::size_t(same) >= 2 * seen.per_launch.size();
}

bool positive(Word word) { return word == Word::reproduced || word == Word::direction_holds; }

Decision capped_by_evidence(const Claim& claim, const Observation& seen, Decision decision) {
  if (seen.evidence == "measured") return decision;
  if (seen.evidence == "analytic" && claim.type == ClaimType::analytic) return decision;
  const std::vector<std::string> allowed = split_list(claim.evidence_allowed);
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), seen.evidence) == allowed.end())
    return {Word::inconclusive, "evidence_not_allowed"};
  if (positive(decision.word)) return {Word::model_agrees, decision.reason};
  if (decision.word == Word::contradicted) return {Word::inconclusive, "model_disagrees"};
  return decision;
}

}  // namespace

std::optional<Band> band_of(const Claim& claim, bool same_hardware_class) {
  if (claim.band_lo || claim.band_hi) return explicit_band(claim);
  if (!claim.claimed_value) return std::nullopt;
  const double value = *claim.claimed_value;
  const double a = same_hardware_class ? 0.8 * value : value / 1.5,
               b = same_hardware_class ? 1.2 * value : value * 1.5;
  return Band{std::min(a, b), std::max(a, b)};
}

Decision decide(const Claim& claim, const Observation& seen) {
  if (const auto stopped = preconditions(claim, seen)) return *stopped;
  Decision decision = by_type(claim, seen, seen.estimate);
  if ((positive(decision.word) || decision.word == Word::contradicted) &&
      !launches_agree(claim, seen, decision.word))
    return {Word::inconclusive, "unstable"};
  decision = capped_by_evidence(claim, seen, decision);
  const bool hardware = claim.about.starts_with("hardware");
  if (decision.word == Word::reproduced && claim.subject == "stand-in" && hardware)
    return {Word::direction_holds, "stand_in"};
  return decision;
}

std::size_t weakest_part(const std::vector<Decision>& parts) {
  constexpr std::array order = {Word::failed,          Word::rejected,     Word::contradicted,
                                Word::not_testable,    Word::inconclusive, Word::model_agrees,
                                Word::direction_holds, Word::reproduced};
  PL_CHECK(!parts.empty(), "weakest: no parts; want at least one");
  const auto rank = [&](const Decision& part) {
    return std::find(order.begin(), order.end(), part.word) - order.begin();
  };
  const auto found = std::min_element(
      parts.begin(), parts.end(), [&](const Decision& a, const Decision& b) { return rank(a) < rank(b); });
  return std::size_t(found - parts.begin());
}

Decision weakest(const std::vector<Decision>& parts) { return parts[weakest_part(parts)]; }

}  // namespace perflab

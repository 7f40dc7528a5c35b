// From a registered claim to what this run has to say about it.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/check.h"
#include "bench/judge_parts.h"

namespace perflab {
namespace {

// A claim's quantity in one set of results: the whole run, or one launch of it.
struct Quantity {
  std::optional<Estimate> estimate;
  std::vector<double> every_sample;
  std::string missing;                // reason code
  std::string evidence = "measured";  // of a derived row
  std::vector<const Series*> used;
  std::string implausible;  // a derived row's own bound
  bool derived = false;
  bool skipped = false;  // the lab found nothing to measure here; missing says why
};

bool is_exact(ClaimType type) {
  return type == ClaimType::bound || type == ClaimType::count || type == ClaimType::analytic ||
         type == ClaimType::doc;
}

// One series, or the reason why there is none.
const Series* choose(const Results& results, const std::string& experiment, const Match& match,
                     const std::string& variant, Quantity& quantity) {
  const std::vector<const Series*> found = results.find(experiment, match, variant);
  if (found.empty()) quantity.missing = "case_not_run";
  if (found.size() > 1) quantity.missing = "ambiguous_case";
  if (found.size() != 1) return nullptr;
  quantity.used.push_back(found.front());
  if (found.front()->info.status == "skipped") {
    quantity.missing = found.front()->info.status_reason;
    quantity.skipped = true;
  } else if (found.front()->timed.empty()) quantity.missing = "no_valid_samples";
  return found.front();
}

Quantity pair_of(const Evidence& evidence, const Results& results, const Claim& claim,
                 const PairQuantity& pair) {
  Quantity quantity;
  const Match match = parse_params(claim.params);
  const Series* a = choose(results, claim.experiment, match, pair.a, quantity);
  const Series* b = choose(results, claim.experiment, match, pair.b, quantity);
  if (!a || !b || !quantity.missing.empty()) return quantity;
  const auto ratio = Results::pair_blocks(*a, pair.clock_a, *b, pair.clock_b, comparison_level(evidence, *a));
  if (ratio) quantity.estimate = ratio->estimate;
  else quantity.missing = "no_valid_samples";
  return quantity;
}

Quantity derived_of(const Results& results, const Claim& claim, const DerivedRow& row) {
  Quantity quantity;
  quantity.derived = true;
  quantity.used = row.used.empty() ? results.find(claim.experiment, parse_params(claim.params)) : row.used;
  quantity.evidence = row.evidence;
  quantity.implausible = row.implausible;
  if (row.missing) {
    quantity.missing = row.note;
    return quantity;
  }
  quantity.estimate = Estimate{row.value, row.interval, row.n};
  quantity.every_sample = row.every_sample;
  return quantity;
}

// "variant=NAME" among the params chooses a variant; otherwise the baseline's number counts.
Quantity metric_of(const Results& results, const Claim& claim) {
  Quantity quantity;
  Match match = parse_params(claim.params);
  std::string variant;
  std::erase_if(match, [&](const auto& pair) {
    if (pair.first == "variant") variant = pair.second;
    return pair.first == "variant";
  });
  const std::vector<const Series*> any = results.find(claim.experiment);
  if (variant.empty() && !any.empty()) variant = any.front()->info.baseline;
  const Series* series = choose(results, claim.experiment, match, variant, quantity);
  if (!series || !quantity.missing.empty()) return quantity;
  const BlockValues blocks = series->blocks(claim.quantity);
  if (blocks.values.empty()) quantity.missing = "no_such_quantity";
  else if (claim.quantity == "bandwidth") quantity.estimate = series->bandwidth_GBps();
  else if (claim.quantity == "throughput") quantity.estimate = series->throughput_GFLOPS();
  else quantity.estimate = estimate_blocks(blocks).estimate;
  quantity.every_sample = blocks.values;
  return quantity;
}

Quantity quantity_of(const Evidence& evidence, const Results& results,
                     const std::map<std::string, Derived>& derived, const Claim& claim) {
  if (claim.type == ClaimType::doc && claim.quantity.empty()) return {};
  if (const auto pair = pair_quantity(claim.quantity)) return pair_of(evidence, results, claim, *pair);
  if (const auto found = derived.find(claim.experiment); found != derived.end())
    for (const DerivedRow& row : found->second.rows())
      if (row.metric == claim.quantity) return derived_of(results, claim, row);
  return metric_of(results, claim);
}

// The same quantity in each launch alone.
std::vector<Estimate> per_launch(const Evidence& evidence, const Claim& claim) {
  std::vector<Estimate> estimates;
  for (const auto& launch : evidence.each_launch) {
    const Quantity one = quantity_of(evidence, launch->results, launch->derived, claim);
    estimates.push_back(one.estimate.value_or(Estimate{}));  // no interval: agrees with nothing
  }
  return estimates;
}

bool means_not_testable(const std::string& reason) {
  if (reason == "no_valid_samples" || reason == "no_such_quantity") return false;
  return reason.starts_with("needs_") || reason.starts_with("no_") || reason.starts_with("unknown_") ||
         reason.starts_with("other_hardware_class");
}

// ---- P2: what is here ----

int gpus(const Evidence& evidence) {
  std::set<std::string> names;
  for (const Sample& sample : evidence.input.samples)
    if (sample.device.starts_with("cuda:")) names.insert(sample.device);
  return int(names.size());
}

// "cores:4" where "cores:2" is needed; "mem:ddr4" only where exactly that is known.
bool covers(const std::string& known, const std::string& needed) {
  if (known == needed) return true;
  const std::size_t colon = needed.find(':');
  if (colon == std::string::npos || !known.starts_with(needed.substr(0, colon + 1))) return false;
  const int have = std::atoi(known.c_str() + colon + 1), want = std::atoi(needed.c_str() + colon + 1);
  return want > 0 && have >= want;
}

bool has(const Evidence& evidence, const std::string& item) {
  if (covers(fmt::format("gpu:{}", gpus(evidence)), item)) return true;
  const auto& known = evidence.input.hardware;
  return std::any_of(known.begin(), known.end(), [&](const std::string& one) { return covers(one, item); });
}

std::optional<std::string> first_lacking(const Evidence& evidence, const Claim& claim) {
  for (const std::string& item : split_list(claim.needs_hw))
    if (!has(evidence, item)) return item;
  return std::nullopt;
}

std::string needs(const std::string& item) {
  return item.starts_with("gpu:") ? "needs_gpus:" + item.substr(4) : "needs_" + item;
}

void judge_availability(const Evidence& evidence, const Claim& claim, const Quantity& quantity,
                        Observation& seen) {
  const std::optional<std::string> lacking = first_lacking(evidence, claim);
  if (quantity.skipped || means_not_testable(quantity.missing)) {
    seen.available = false;
    seen.unavailable_reason = quantity.missing;
  } else if (claim.subject == "not" && (lacking || claim.needs_hw.empty())) {
    seen.available = false;
    seen.unavailable_reason = lacking ? needs(*lacking) : "no_subject_here";
  } else if (evidence.unstable_clock_share > most_unstable_clock) {
    seen.available = false;
    seen.unavailable_reason = "clock_unstable";
    seen.unavailable_next = "run where the steady clock is steady: env.json names the clock source";
    return;
  }
  if (!seen.available && quantity.missing.starts_with("unknown_"))
    seen.unavailable_next =
        "the system must tell it: run as root on the machine itself, not in a virtual one";
  else if (!seen.available && lacking) seen.unavailable_next = "run on a machine with " + claim.needs_hw;
  // A lab derives a number of an adapter, or of a kind of memory, only where it found that kind: the number
  // is the proof.
  const bool proven =
      lacking && (lacking->starts_with("nic:") || lacking->starts_with("mem:")) && quantity.derived;
  seen.same_hardware_class = !lacking || (proven && quantity.estimate);
  if (needs_software(claim) && any_stands_in(quantity.used, claim)) seen.same_hardware_class = false;
}

// ---- P3: is the environment fit ----

// A derived number rests on all points: the A/A interval of one of k points excludes 1 by chance, so k points
// are asked at 1 - 0.05/k (which few blocks cannot reach: then no point speaks alone), and their typical
// width counts.
bool controls_fit(const Evidence& evidence, const Claim& claim, const Quantity& quantity,
                  std::string_view metric) {
  std::set<const Series*> controls;
  for (const Series* series : quantity.used) {
    if (series->timed.empty()) continue;
    const Series* control = control_of(evidence, *series);
    if (!control) return false;
    controls.insert(control);
  }
  std::vector<double> widths;
  for (const Series* control : controls) {
    const auto usual = control_ratio(evidence, *control, metric);
    if (!usual || !usual->estimate.interval) return false;
    widths.push_back(half_width_log(usual->estimate));
    const auto strict =
        control_ratio(evidence, *control, metric, bonferroni_level(0.95, int(controls.size())));
    if (ratio_excludes_one(strict->estimate)) return false;
  }
  const double effect = claim.smallest_interesting_effect;
  return effect <= 1 || widths.empty() || median(widths) <= std::log(effect);
}

std::string control_metric(const Claim& claim) {
  const auto pair = pair_quantity(claim.quantity);
  return pair ? pair->clock_b : "finish";
}

void judge_fitness(const Evidence& evidence, const Claim& claim, const Quantity& quantity,
                   Observation& seen) {
  const auto any = [&](auto&& test) { return std::any_of(quantity.used.begin(), quantity.used.end(), test); };
  const auto unfit = [&](bool& flag, const char* reason) {
    flag = false;
    if (seen.unfit_reason.empty()) seen.unfit_reason = reason;
  };
  if (evidence.input.partial || any([](const Series* series) { return series->interrupted; }))
    unfit(seen.complete, "partial_run");
  if (any([](const Series* series) { return invalid_share(*series) > most_invalid; }))
    unfit(seen.env_fit, "too_many_invalid");
  if (is_exact(claim.type))
    return;  // counts and bounds hold for every sample; noise decides nothing about them
  if (any([](const Series* series) { return is_disturbed(*series); })) unfit(seen.env_fit, "machine_busy");
  if (!controls_fit(evidence, claim, quantity, control_metric(claim))) unfit(seen.env_fit, "aa_unfit");
  // Pairs cancel drift, a single series does not.
  const bool single = !quantity.derived && !pair_quantity(claim.quantity);
  if (single &&
      any([](const Series* series) { return std::abs(drift_pct(series->clock("finish"))) > most_drift_pct; }))
    unfit(seen.env_fit, "drift");
  if (any([](const Series* series) { return !is_steady(*series); })) unfit(seen.steady, "warmup_not_steady");
}

void judge_subject(const Claim& claim, const Quantity& quantity, Observation& seen) {
  seen.subject = claim.type == ClaimType::doc && quantity.used.empty() ? "documentation" : "this_machine";
  if (claim.type == ClaimType::analytic) seen.evidence = "analytic";
  for (const Series* series : quantity.used) {
    if (series->info.subject != "this_machine" && !series->info.subject.empty())
      seen.subject = series->info.subject;
    if (series->info.evidence != "measured" && !series->info.evidence.empty())
      seen.evidence = series->info.evidence;
    else if (series->info.link == "modelled") seen.evidence = "modelled";
  }
  if (quantity.evidence != "measured") seen.evidence = quantity.evidence;
  if (claim.subject == "model" && seen.evidence == "measured") seen.evidence = "modelled";
  if (seen.evidence != "measured" && seen.subject == "this_machine") seen.subject = "model";
}

}  // namespace

Claim claim_here(const Evidence& evidence, const Claim& claim) {
  Claim here = claim;
  if (claim.needs_hw.empty() || first_lacking(evidence, claim)) return here;
  if (!any_stands_in(evidence.results.find(claim.experiment), claim)) here.subject = "real";
  return here;
}

Observation observe(const Evidence& evidence, const Claim& claim) {
  Observation seen;
  seen.profile = evidence.profile;
  seen.decides = evidence.decides;
  seen.fault = evidence.fault;
  const Quantity quantity = quantity_of(evidence, evidence.results, evidence.derived, claim);
  seen.missing_reason = quantity.missing;
  seen.estimate = quantity.estimate;
  if (is_exact(claim.type)) seen.every_sample = quantity.every_sample;
  if (quantity.estimate && quantity.estimate->interval && quantity.estimate->interval->lo > 0)
    seen.mde = mde_ratio(*quantity.estimate);
  if (quantity.estimate) seen.per_launch = per_launch(evidence, claim);
  std::set<int> launches;
  for (const Series* series : quantity.used)
    for (const CaseRow& row : series->invocations) launches.insert(row.invocation);
  seen.launches = std::max<int>(1, int(launches.size()));

  for (const Series* series : quantity.used)
    if (is_wrong(*series)) {
      seen.correct = false;
      seen.incorrect_reason =
          series->info.status_reason.empty() ? "wrong_result" : series->info.status_reason;
    }
  judge_availability(evidence, claim, quantity, seen);
  judge_fitness(evidence, claim, quantity, seen);
  judge_subject(claim, quantity, seen);
  for (const Series* series : quantity.used)
    if (const std::string reason = bounds_of(evidence, *series).reason; !reason.empty()) {
      seen.plausible = false;
      seen.implausible_reason = reason;
    }
  if (!quantity.implausible.empty()) {
    seen.plausible = false;
    seen.implausible_reason = quantity.implausible;
  }
  return seen;
}

}  // namespace perflab

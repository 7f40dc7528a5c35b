#include "bench/comparison.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "base/check.h"
#include "base/units.h"
#include "bench/comparison_parts.h"
#include "bench/judge_parts.h"
#include "bench/rank_ratio.h"

namespace perflab {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // lab, case, variant

std::string name_of(const Key& key) {
  return fmt::format("{}/{} {}", std::get<0>(key), std::get<1>(key), std::get<2>(key));
}

// One run's series, found by key, with what the judge's questions need.
class Side {
 public:
  Side(const ComparedRun& compared, char name) : run(compared), letter(name) {
    static const std::deque<Experiment> none;
    for (const ComparedLab& lab : run.labs) {
      auto input = std::make_unique<JudgeInput>();
      input->lab_id = lab.lab_id;
      input->samples = lab.samples;
      input->cases = lab.cases;
      evidence_.push_back(std::make_unique<Evidence>(*input, none));
      inputs_.push_back(std::move(input));
      for (const Series& series : evidence_.back()->results.all())
        if (series.info.variant != aa_variant)
          series_[{lab.lab_id, series.info.case_id, series.info.variant}] = {&series, evidence_.back().get(),
                                                                             refusal(lab, series.info)};
    }
  }

  struct Found {
    const Series* series;
    const Evidence* evidence;
    std::string refused;  // by the run's own judge; "" = not
  };
  const std::map<Key, Found>& series() const { return series_; }

  // The least sensitive lab's; 0 = unknown.
  double separates_above() const {
    double worst = 0;
    for (const auto& evidence : evidence_) worst = std::max(worst, separates_above_ratio(*evidence));
    return worst;
  }

  const ComparedRun& run;
  const char letter;

 private:
  static std::string refusal(const ComparedLab& lab, const CaseRow& row) {
    const auto found = lab.refused.find({row.case_id, row.variant});
    return found == lab.refused.end() ? "" : found->second;
  }

  std::vector<std::unique_ptr<JudgeInput>> inputs_;
  std::vector<std::unique_ptr<Evidence>> evidence_;
  std::map<Key, Found> series_;
};

// Why this series has no number to compare; "" if it has.
std::string nothing_in(const Side::Found& found) {
  const CaseRow& row = found.series->info;
  if (is_wrong(*found.series)) return row.status_reason.empty() ? "wrong_result" : row.status_reason;
  if (row.status == "skipped" || row.status == "failed")
    return row.status_reason.empty() ? row.status : row.status_reason;
  if (!found.refused.empty()) return found.refused;
  return found.series->clock("finish").empty() ? "no_valid_samples" : "";
}

// Why the two are not the same measurement although they have the same name; "" if they are.
std::string not_alike(const Side& a, const Side& b, const CaseRow& of_a, const CaseRow& of_b) {
  const auto differ = [](const char* what, const std::string& left, const std::string& right) {
    return left == right ? "" : fmt::format("{} is {} in A and {} in B", what, left, right);
  };
  std::string reason = differ("device", of_a.device, of_b.device);
  if (reason.empty()) reason = differ("evidence", of_a.evidence, of_b.evidence);
  if (reason.empty()) reason = differ("cache state", of_a.cache_state, of_b.cache_state);
  if (reason.empty())
    reason = differ("thread count", fmt::format("{}", of_a.threads), fmt::format("{}", of_b.threads));
  if (!reason.empty() || of_a.threads == 1 || !is_imported(a.run) || !is_imported(b.run)) return reason;
  const std::string time_a = threaded_time_of(a.run), time_b = threaded_time_of(b.run);
  if (time_a.empty() || time_b.empty())
    return fmt::format(
        "real_time of a row with threads is divided by their number before Google Benchmark 1.9.0 and not "
        "since; run {} does not say which version wrote it",
        time_a.empty() ? a.letter : b.letter);
  if (time_a != time_b)
    return "real_time of a row with threads is divided by their number before Google Benchmark 1.9.0 and not "
           "since; the two files were written by versions on either side of it";
  return "";
}

// Why the run itself would decide nothing with this series; "" if it would. As the judge asks it, but with
// drift: nothing is paired here that could make it cancel.
std::string unfit(const Side& side, const Side::Found& found) {
  const Series& series = *found.series;
  if (!series.info.decides && !is_imported(side.run)) return "smoke_profile";
  if (invalid_share(series) > most_invalid) return "too_many_invalid";
  if (is_disturbed(series)) return "machine_busy";
  const auto control = control_ratio(*found.evidence, series, "finish");
  if (control && ratio_excludes_one(control->estimate)) return "aa_unfit";
  if (!is_steady(series)) return "warmup_not_steady";
  if (std::abs(drift_pct(series.clock("finish"))) > most_drift_pct) return "drift";
  return "";
}

ComparedCase compare_case(const Key& key, const Side& a, const Side& b, double level, double slower_than) {
  const Side::Found &of_a = a.series().at(key), &of_b = b.series().at(key);
  const BlockValues blocks_a = of_a.series->blocks("finish"), blocks_b = of_b.series->blocks("finish");
  const bool by_launch = launches_in(blocks_a) > 1 && launches_in(blocks_b) > 1;
  const Units units_a = independent_units(blocks_a, by_launch),
              units_b = independent_units(blocks_b, by_launch);
  ComparedCase one;
  std::tie(one.lab_id, one.case_id, one.variant) = key;
  one.a_ns = median(blocks_a.values);
  one.b_ns = median(blocks_b.values);
  one.n_a = int(blocks_a.values.size());
  one.n_b = int(blocks_b.values.size());
  const bool batches = units_a.method == "batch_means" || units_b.method == "batch_means";
  one.unit = by_launch ? "launches" : batches ? "batches" : "blocks";
  one.ratio = independent_ratio(units_a.values, units_b.values, level);
  for (const auto& [side, found] : {std::pair(&a, &of_a), std::pair(&b, &of_b)})
    if (const std::string reason = unfit(*side, *found); one.reason.empty() && !reason.empty())
      one.reason = fmt::format("{}_in_{}", reason, side->letter);
  if (!one.ratio.interval) one.reason = "too_few_" + one.unit;
  if (one.reason.empty()) one.change = change_of(one.ratio, slower_than);
  return one;
}

// How far the interval lies from 1, and then how far the ratio does.
std::pair<double, double> surprise(const ComparedCase& one) {
  const double far = std::abs(std::log(one.ratio.median));
  const bool decided = one.change == Change::slower || one.change == Change::faster;
  if (!decided) return {0, far};
  return {std::max(std::log(one.ratio.interval->lo), -std::log(one.ratio.interval->hi)), far};
}

void compare_cases(const Side& a, const Side& b, Comparison& comparison) {
  std::vector<Key> shared;
  for (const auto& [key, of_a] : a.series()) {
    const auto found = b.series().find(key);
    if (found == b.series().end()) {
      comparison.only_a.push_back(name_of(key));
      continue;
    }
    const Side::Found& of_b = found->second;
    std::string reason = not_alike(a, b, of_a.series->info, of_b.series->info);
    const std::string empty_a = nothing_in(of_a), empty_b = nothing_in(of_b);
    if (!empty_a.empty() && empty_a == empty_b) {
      ++comparison.empty_in_both;
      continue;
    }
    if (reason.empty() && !empty_a.empty()) reason = empty_a + " in A";
    if (reason.empty() && !empty_b.empty()) reason = empty_b + " in B";
    if (reason.empty()) shared.push_back(key);
    else comparison.left_out.emplace_back(name_of(key), reason);
  }
  for (const auto& [key, of_b] : b.series())
    if (!a.series().contains(key)) comparison.only_b.push_back(name_of(key));
  comparison.level = bonferroni_level(0.95, std::max(1, int(shared.size())));
  for (const Key& key : shared)
    comparison.cases.push_back(compare_case(key, a, b, comparison.level, comparison.slower_than));
  std::stable_sort(comparison.cases.begin(), comparison.cases.end(),
                   [](const ComparedCase& x, const ComparedCase& y) { return surprise(x) > surprise(y); });
}

void add_notes(const Side& a, const Side& b, Comparison& comparison) {
  for (const Side* side : {&a, &b}) {
    if (side->run.status != "complete")
      comparison.notes.push_back(fmt::format("run {} is {}: what it left is compared, the rest is missing",
                                             side->letter, side->run.status));
    if (const Json* fault = side->run.manifest.find("fault"); fault != nullptr && fault->number() != 0)
      comparison.notes.push_back(fmt::format("run {} has planted fault {}", side->letter, fault->number()));
  }
  const double noise_a = a.separates_above(), noise_b = b.separates_above();
  if (noise_a > 0 && noise_b > 0) comparison.believable = noise_a * noise_b;
}

}  // namespace

Change change_of(const Estimate& ratio, double slower_than) {
  if (!ratio.interval) return Change::undecided;
  const Interval& interval = *ratio.interval;
  if (interval.lo > slower_than) return Change::slower;
  if (interval.hi < 1 / slower_than) return Change::faster;
  const bool inside = interval.lo >= 1 / slower_than && interval.hi <= slower_than;
  return inside ? Change::same : Change::undecided;
}

std::string_view word_of(Change change) {
  switch (change) {
    case Change::slower:
      return "slower";
    case Change::faster:
      return "faster";
    case Change::same:
      return "same";
    case Change::undecided:
      break;
  }
  return "undecided";
}

int Comparison::count(Change change) const {
  return int(std::count_if(cases.begin(), cases.end(),
                           [&](const ComparedCase& one) { return one.change == change; }));
}

double Comparison::joint_level() const {
  double missed = 0;
  for (const ComparedCase& one : cases)
    if (one.reason.empty()) missed += 1 - one.ratio.interval->level;
  return std::max(0.0, 1 - missed);
}

int Comparison::undecidable() const {
  return int(
      std::count_if(cases.begin(), cases.end(), [](const ComparedCase& one) { return !one.reason.empty(); }));
}

int Comparison::exit_code() const {
  if (!one_machine || undecidable() == int(cases.size())) return exit_codes::no_samples;
  return count(Change::slower) > 0 ? exit_codes::wrong : exit_codes::ok;
}

std::string Comparison::verdict() const {
  if (!one_machine)
    return "no verdict: a gate needs one machine, and these two runs do not show that they were made on one";
  if (cases.empty()) return "no verdict: the runs share no case with valid samples";
  if (undecidable() == int(cases.size()))
    return "no verdict: no shared case can be decided, each for the reason that stands beside it";
  if (count(Change::slower) > 0)
    return fmt::format("{} slower: the whole interval lies above {}", count(Change::slower), slower_than);
  return fmt::format("nothing is slower: no interval of {} cases lies above {}{}",
                     int(cases.size()) - undecidable(), slower_than,
                     undecidable() > 0 ? fmt::format(", and {} cannot be decided", undecidable()) : "");
}

Comparison compare_runs(const ComparedRun& a, const ComparedRun& b, double slower_than) {
  PL_CHECK(slower_than >= 1, "compare: slower than {}; want a ratio of at least 1", slower_than);
  Comparison comparison;
  comparison.slower_than = slower_than;
  const Side side_a(a, 'A'), side_b(b, 'B');
  compare_cases(side_a, side_b, comparison);
  bool known = true;
  comparison.machine = machine_differences(a.environment, b.environment, known);
  comparison.one_machine = comparison.machine.empty() && known;
  for (ComparedCase& one : comparison.cases)
    if (!comparison.one_machine && one.reason.empty()) {
      one.reason = known ? "two_machines" : "unknown_machine";
      one.change = Change::undecided;
    }
  if (!known) comparison.notes.push_back("neither run says which machine it was made on");
  comparison.others = other_differences(a, b);
  compare_verdicts(a, b, comparison);
  add_notes(side_a, side_b, comparison);
  return comparison;
}

std::vector<std::string> comparison_header() {
  return {"lab_id",      "case_id",  "variant", "a_median_ns", "b_median_ns", "ratio",  "ratio_ci_lo",
          "ratio_ci_hi", "ci_level", "n_a",     "n_b",         "ci_unit",     "change", "reason"};
}

std::vector<std::string> comparison_fields(const ComparedCase& one) {
  const auto end = [&](double Interval::*member) {
    return one.ratio.interval ? format_number((*one.ratio.interval).*member) : std::string();
  };
  return {one.lab_id,
          one.case_id,
          one.variant,
          format_number(one.a_ns),
          format_number(one.b_ns),
          format_number(one.ratio.median),
          end(&Interval::lo),
          end(&Interval::hi),
          end(&Interval::level),
          fmt::format("{}", one.n_a),
          fmt::format("{}", one.n_b),
          one.unit,
          std::string(word_of(one.change)),
          one.reason};
}

}  // namespace perflab

#include "bench/sampler.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/check.h"
#include "base/random.h"
#include "bench/statistics.h"
#include "bench/stopping.h"
#include "bench/take.h"

namespace perflab {
namespace {

constexpr int most_retakes = 3;

// The valid finish times of the blocks so far, per arm and block: what the stopping rule looks at.
class Tally {
 public:
  void expect(const std::string& arm) { times_[arm]; }  // an arm without a valid time is infinitely uncertain
  void add(const Sample& sample) {
    ++taken_;
    if (!sample.valid) {
      ++invalid_;
    } else if (sample.finish_ns) {
      times_[sample.variant][{sample.invocation, sample.block}] = *sample.finish_ns;
    }
  }
  int taken() const { return taken_; }
  int invalid() const { return invalid_; }

  // Widest 95 % half width of log(arm / baseline); with one arm, of the log of its median.
  double half_width(const std::string& baseline) const {
    double widest = 0;
    const auto base = times_.find(baseline);
    for (const auto& [name, times] : times_) {
      if (times_.size() > 1 && name == baseline) continue;
      std::vector<double> a, b;
      for (const auto& [block, time] : times) {
        if (times_.size() == 1) {
          a.push_back(time);
          b.push_back(1);
        } else if (base != times_.end() && base->second.contains(block)) {
          a.push_back(time);
          b.push_back(base->second.at(block));
        }
      }
      widest = std::max(widest, a.empty() ? INFINITY : half_width_log(ratio_estimate(a, b)));
    }
    return widest;
  }

 private:
  std::map<std::string, std::map<std::pair<int, int>, double>> times_;
  int taken_ = 0, invalid_ = 0;
};

class PointSampler {
 public:
  PointSampler(const PointJob& job, const SamplerContext& context) : job_(job), context_(context) {
    PL_CHECK(!job.variants.empty(), "sampler: no variant to sample; want at least one");
    for (Prepared* prepared : job.variants)
      arms_.push_back({.prepared = prepared, .name = prepared->variant});
    const auto base =
        std::find_if(arms_.begin(), arms_.end(), [&](const Arm& arm) { return arm.name == job.baseline; });
    if (job.with_aa && base != arms_.end()) arms_.push_back({.prepared = base->prepared, .name = aa_variant});
    for (const Arm& arm : arms_) tally_.expect(arm.name);
    for (const Sample& sample : job.earlier) {
      if (sample.phase != Phase::timed) continue;
      tally_.add(sample);
      next_block_ = std::max(next_block_, sample.block + 1);
    }
    complete_ = complete_blocks(job.earlier);
  }

  PointOutcome run() {
    warm_up_all();
    const Load load(context_.clock, context_.probe);
    std::string reason;
    const auto look = [&] { return reason = stop(complete_); };
    while (!context_.interrupted() && (complete_ == 0 || look().empty())) {
      if (!take_block(next_block_)) break;
      ++next_block_;
      ++complete_;
    }
    PointOutcome outcome;
    outcome.interrupted = context_.interrupted() && reason.empty();
    if (outcome.interrupted) reason = "interrupted";
    if (complete_ == 0) return outcome;
    std::optional<double> others = load.others_share();
    if (!others && context_.launch_load != nullptr) others = context_.launch_load->others_share();
    for (const Arm& arm : arms_) {
      outcome.rows.push_back(row_of(arm, complete_, reason));
      outcome.rows.back().others_cpu_share = others;
    }
    return outcome;
  }

 private:
  // Blocks of an earlier session in which no arm is missing: a hard stop may have torn off part of the last
  // one.
  int complete_blocks(const std::vector<Sample>& samples) const {
    std::map<int, std::set<std::string>> arms_in;
    for (const Sample& sample : samples)
      if (sample.phase == Phase::timed) arms_in[sample.block].insert(sample.variant);
    return int(std::count_if(arms_in.begin(), arms_in.end(),
                             [&](const auto& block) { return block.second.size() == arms_.size(); }));
  }

  void warm_up_all() {
    std::vector<Sample> taken;
    for (Arm& arm : arms_) {
      if (context_.interrupted()) return;
      if (arm.name == aa_variant) {  // the copy is the baseline: same code, same data, already warm
        const Arm& base =
            *std::find_if(arms_.begin(), arms_.end(), [&](const Arm& a) { return a.name == job_.baseline; });
        arm.inner = base.inner;
        arm.warmup_state = base.warmup_state;
      } else {
        warm_up(arm, job_, context_, taken);
      }
    }
    if (job_.earlier.empty()) context_.keep(taken);
  }

  // A block is complete or it is not kept at all. False: interrupted inside it.
  bool take_block(int block) {
    const auto order = Random(job_.seed, std::uint64_t(block)).permutation(std::uint32_t(arms_.size()));
    std::vector<Sample> taken;
    for (std::size_t place = 0; place < order.size(); ++place) {
      Arm& arm = arms_[order[place]];
      for (int take = 0; take <= most_retakes; ++take) {
        if (context_.interrupted()) return false;
        Sample sample = take_sample(arm, job_, context_, Phase::timed);
        sample.block = block;
        sample.order_in_block = int(place);
        sample.sample = take;
        const bool again = !sample.valid && !is_mistake(sample.invalid_reason);
        const bool short_sample = sample.invalid_reason == too_short;
        taken.push_back(std::move(sample));
        if (!again) break;
        if (short_sample) lengthen(arm);
      }
    }
    for (Sample& sample : taken) {
      verify(sample);
      if (is_mistake(sample.invalid_reason)) mistake_ = sample.invalid_reason;
    }
    for (const Sample& sample : taken) tally_.add(sample);
    context_.keep(taken);
    return true;
  }

  // Calibrated while something else held the processor, and fast now. The A/A copy stays the baseline's twin.
  void lengthen(Arm& arm) {
    calibrate(arm, job_, context_);
    for (Arm& other : arms_)
      if (other.prepared == arm.prepared) other.inner = arm.inner;
  }

  void verify(Sample& sample) {
    if (!sample.valid || sample.variant == aa_variant) return;
    const Arm& arm =
        *std::find_if(arms_.begin(), arms_.end(), [&](const Arm& a) { return a.name == sample.variant; });
    verify_sample(arm, context_, sample);
  }

  std::string stop(int blocks) {
    if (!mistake_.empty()) return mistake_;  // not repeated to see whether it goes away
    const double half_width = tally_.half_width(job_.baseline);
    const std::string reason =
        stop_reason(context_.profile, {.blocks = blocks,
                                       .half_width = half_width,
                                       .history = history_,
                                       .elapsed_ns = context_.clock.now_ns() - point_start_ns_,
                                       .lab_elapsed_ns = context_.clock.now_ns() - context_.lab_start_ns,
                                       .invalid = tally_.invalid(),
                                       .taken = tally_.taken()});
    if (is_look(blocks)) history_.emplace_back(blocks, half_width);
    return reason;
  }

  CaseRow row_of(const Arm& arm, int blocks, const std::string& reason) const {
    CaseRow row = case_row(*arm.prepared, arm.name, job_, context_.profile);
    row.first_call_ns = arm.first_call_ns > 0 ? std::optional(arm.first_call_ns) : std::nullopt;
    row.warmup_state = arm.warmup_state;
    row.warmup_calls = arm.warmup_calls;
    row.inner_iters = arm.inner;
    row.blocks = blocks;
    row.stop_reason = reason;
    return row;
  }

  const PointJob& job_;
  const SamplerContext& context_;
  std::vector<Arm> arms_;
  Tally tally_;
  std::vector<std::pair<int, double>> history_;
  std::int64_t point_start_ns_ = context_.clock.now_ns();
  int complete_ = 0;    // blocks that hold every arm
  int next_block_ = 0;  // number of the next one; numbers of torn blocks are not used again
  std::string mistake_;
};

}  // namespace

CaseRow case_row(const Prepared& prepared, const std::string& variant, const PointJob& job,
                 const Profile& profile) {
  CaseRow row;
  row.experiment = prepared.experiment;
  row.case_id = prepared.id();
  row.variant = variant;
  row.baseline = job.baseline;
  for (const auto& [axis, value] : prepared.point) row.axes[axis] = axis_text(value);
  row.invocation = job.invocation;
  row.profile = profile.name;
  row.decides = profile.verdicts;
  row.fault = job.fault;
  row.device = prepared.waited_for.empty() ? "" : prepared.waited_for.front()->name();
  row.evidence = prepared.evidence;
  row.subject = prepared.subject;
  row.link = prepared.link;
  row.cache_state = prepared.cache_state;
  row.cost = prepared.cost;
  row.level = prepared.bound.level;
  row.pattern = prepared.bound.pattern;
  row.threads = prepared.bound.threads;
  row.working_set_bytes = prepared.bound.working_set_bytes;
  row.gate = prepared.status == "ok"                    ? "passed"
             : prepared.status_reason == "wrong_result" ? "failed"
                                                        : "none";
  row.status = prepared.status;
  row.status_reason = prepared.status_reason;
  row.status_text = prepared.status_text;
  return row;
}

PointOutcome sample_point(const PointJob& job, const SamplerContext& context) {
  return PointSampler(job, context).run();
}

}  // namespace perflab

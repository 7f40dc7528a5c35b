#include "bench/launch.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "bench/peers.h"
#include "bench/planned.h"
#include "bench/progress.h"
#include "bench/record_csv.h"
#include "bench/sampler.h"

namespace perflab {
namespace {

// A finished file is taken up again under its unfinished name.
void reopen(const std::filesystem::path& whole) {
  std::filesystem::path part = whole;
  part += ".part";
  if (std::filesystem::exists(whole) && !std::filesystem::exists(part)) std::filesystem::rename(whole, part);
}

// What an earlier, interrupted launch of the same invocation left behind.
struct Earlier {
  std::set<std::string> finished;  // case ids
  std::vector<Sample> samples;     // of unfinished cases

  static Earlier read(const LaunchRequest& request) {
    Earlier earlier;
    if (!request.resume) return earlier;
    for (const char* name : {"samples.csv", "cases.csv"}) reopen(request.lab_folder / name);
    if (!std::filesystem::exists(request.lab_folder / "samples.csv.part")) return earlier;
    std::vector<Sample> samples = read_samples(request.lab_folder).samples;
    if (std::filesystem::exists(request.lab_folder / "cases.csv.part"))
      earlier.finished = whole_cases(read_cases(request.lab_folder).cases, samples, request.invocation);
    for (Sample& sample : samples)
      if (sample.invocation == request.invocation && !earlier.finished.contains(sample.case_id))
        earlier.samples.push_back(std::move(sample));
    return earlier;
  }

  // A case is finished if it says so and every block that it counts is there: a hard stop may have torn the
  // last ones off.
  static std::set<std::string> whole_cases(const std::vector<CaseRow>& rows,
                                           const std::vector<Sample>& samples, int invocation) {
    std::map<std::pair<std::string, std::string>, std::set<int>> blocks;
    for (const Sample& sample : samples)
      if (sample.invocation == invocation && sample.phase == Phase::timed)
        blocks[{sample.case_id, sample.variant}].insert(sample.block);
    std::map<std::string, bool> whole;  // the last row of a case's variant counts
    for (const CaseRow& row : rows) {
      if (row.invocation != invocation) continue;
      const bool complete =
          row.stop_reason != "interrupted" && int(blocks[{row.case_id, row.variant}].size()) >= row.blocks;
      const auto [found, fresh] = whole.try_emplace(row.case_id + "\n" + row.variant, complete);
      if (!fresh) found->second = complete;
    }
    std::set<std::string> cases, torn;
    for (const auto& [key, complete] : whole) (complete ? cases : torn).insert(key.substr(0, key.find('\n')));
    for (const std::string& id : torn) cases.erase(id);
    return cases;
  }

  std::vector<Sample> of(const std::string& id) const {
    std::vector<Sample> result;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(result),
                 [&](const Sample& sample) { return sample.case_id == id; });
    return result;
  }
};

// Each names the gate that fired.
std::string text_of(const std::string& mistake) {
  if (mistake == "launch_only")
    return "a device still had work when the clock stopped (gate launch_only): the case does not wait for "
           "all "
           "that it started";
  return "the output read back after a timed run differs from the one that was checked (gate wrong_result)";
}

struct Tally {
  int measured = 0, skipped = 0, wrong = 0, without_samples = 0;
  int exit_code() const {
    if (wrong > 0) return exit_codes::wrong;
    if (without_samples > 0) return exit_codes::no_samples;
    return measured == 0 && skipped > 0 ? exit_codes::nothing_to_test : exit_codes::ok;
  }
};

class Launch {
 public:
  Launch(const std::deque<Experiment>& experiments, const LaunchRequest& request, const LaunchTools& tools)
      : request_(request),
        tools_(tools),
        schema_(lab_schema(experiments, request.run_id, request.lab_id)),
        plan_(make_plan(experiments, request.profile, request.plan)),
        fault_(choose_fault(experiments, request.fault)),
        device_(Device::named(request.device)),
        earlier_(Earlier::read(request)),
        samples_(request.lab_folder / "samples.csv", sample_header(schema_)),
        cases_(request.lab_folder / "cases.csv", case_header(schema_)),
        quality_(measure_quality(tools.clock)),
        start_ns_(tools.clock.now_ns()),
        load_(tools.clock, tools.probe),
        progress_(request.lab_id, int(plan_.size()), request.terminal) {
    std::vector<std::string> ids;
    for (const PlannedPoint& planned : plan_)
      ids.push_back(case_id(planned.experiment->name(), planned.point));
    note_planned(request.lab_folder, request.invocation, ids);
  }

  int run() {
    for (const PlannedPoint& planned : plan_) {
      if (tools_.interrupted()) return exit_codes::interrupted;
      const std::string id = case_id(planned.experiment->name(), planned.point);
      progress_.begin(id);
      const std::string outcome = earlier_.finished.contains(id) ? "measured before" : measure(planned, id);
      if (outcome.empty()) return exit_codes::interrupted;
      record_peers(request_.lab_folder);
      progress_.end(id, outcome, tools_.clock.now_ns() - start_ns_);
    }
    return tally_.exit_code();
  }

 private:
  // Empty: interrupted. Else a few words for the progress line.
  std::string measure(const PlannedPoint& planned, const std::string& id) {
    const Experiment& experiment = *planned.experiment;
    const int fault = fault_.experiment == &experiment ? fault_.number : 0;
    PointJob job{.variants = {},
                 .baseline = experiment.baseline(),
                 .with_aa = planned.with_aa,
                 .invocation = request_.invocation,
                 .fault = request_.fault,
                 .seed = derive_seed(request_.seed, fmt::format("{}#{}", id, request_.invocation)),
                 .earlier = earlier_.of(id)};
    std::vector<Prepared> prepared;
    for (const std::string& variant : experiment.variant_names()) {
      prepared.push_back(prepare(experiment, planned.point, variant, device_, request_.seed, fault));
      // A body that was stopped while it prepared has neither failed nor been skipped.
      if (tools_.interrupted()) return "";
    }
    std::string words;
    std::vector<CaseRow> rows;
    for (Prepared& one : prepared) {
      if (one.status == "ok") {
        job.variants.push_back(&one);
        continue;
      }
      rows.push_back(case_row(one, one.variant, job, request_.profile));
      (one.status == "failed" ? tally_.wrong : tally_.skipped) += 1;
      if (one.status == "failed") words += fmt::format("{} FAILED: {}; ", one.variant, one.status_text);
      else if (words.empty()) words = fmt::format("{} skipped ({}); ", one.variant, one.status_reason);
    }
    PointOutcome outcome;
    if (!job.variants.empty()) {
      outcome = sample(job);
      if (!outcome.rows.empty()) words += words_for(outcome.rows);
    }
    // Rows of skipped variants would make an interrupted case look finished.
    if (!outcome.interrupted) outcome.rows.insert(outcome.rows.end(), rows.begin(), rows.end());
    for (const CaseRow& row : outcome.rows) cases_.row(case_fields(schema_, row));
    cases_.flush();
    if (outcome.interrupted) return "";
    while (words.ends_with("; ")) words.resize(words.size() - 2);
    return words;
  }

  static std::string words_for(const std::vector<CaseRow>& rows) {
    for (const CaseRow& row : rows)
      if (row.status_reason == "body_error" || is_mistake(row.status_reason))
        return fmt::format("{} FAILED: {}", row.variant, row.status_text);
    return fmt::format("{} blocks, {}", rows.front().blocks, rows.front().stop_reason);
  }

  std::vector<CaseRow> died(const PointJob& job, const std::string& text) {
    std::vector<CaseRow> rows;
    for (const Prepared* one : job.variants) {
      CaseRow row = case_row(*one, one->variant, job, request_.profile);
      row.status = "failed";
      row.status_reason = "body_error";
      row.status_text = text;
      rows.push_back(std::move(row));
      ++tally_.wrong;
    }
    return rows;
  }

  PointOutcome sample(const PointJob& job) {
    std::set<std::string> with_valid;
    std::map<std::string, std::string> mistakes;  // variant -> reason
    bool writing = false;
    const SamplerContext context{.clock = tools_.clock,
                                 .probe = tools_.probe,
                                 .profile = request_.profile,
                                 .clock_quality = quality_,
                                 .run_start_ns = start_ns_,
                                 .lab_start_ns = start_ns_,
                                 .interrupted = tools_.interrupted,
                                 .keep =
                                     [&](std::span<const Sample> taken) {
                                       writing = true;
                                       for (const Sample& one : taken) {
                                         samples_.row(sample_fields(schema_, one));
                                         if (one.phase == Phase::timed && one.valid)
                                           with_valid.insert(one.variant);
                                         if (is_mistake(one.invalid_reason))
                                           mistakes[one.variant] = one.invalid_reason;
                                       }
                                       samples_.flush();
                                       writing = false;
                                     },
                                 .launch_load = &load_};
    PointOutcome outcome;
    try {
      outcome = sample_point(job, context);
    } catch (const std::exception& error) {
      if (writing) throw;  // the results' file; anything else is the case's own affair, and the others go on
      if (tools_.interrupted()) return {.interrupted = true};  // a peer that nobody waits for any longer
      return {.rows = died(job, error.what())};
    }
    for (CaseRow& row : outcome.rows) {
      if (const auto mistake = mistakes.find(row.variant); mistake != mistakes.end()) {
        row.status = "failed";
        row.status_reason = mistake->second;
        row.status_text = text_of(mistake->second);
        ++tally_.wrong;
      } else if (!with_valid.contains(row.variant) && job.earlier.empty() && !outcome.interrupted) {
        row.status = "failed";
        row.status_reason = "no_valid_samples";
        row.status_text = "every sample was invalid; samples.csv says why";
        ++tally_.without_samples;
      } else {
        ++tally_.measured;
      }
    }
    return outcome;
  }

  const LaunchRequest& request_;
  const LaunchTools& tools_;
  LabSchema schema_;
  std::vector<PlannedPoint> plan_;
  FaultChoice fault_;
  Device& device_;
  Earlier earlier_;
  CsvWriter samples_, cases_;
  ClockQuality quality_;
  std::int64_t start_ns_;
  Load load_;
  Progress progress_;
  Tally tally_;
};

}  // namespace

int launch(const std::deque<Experiment>& experiments, const LaunchRequest& request,
           const LaunchTools& tools) {
  return Launch(experiments, request, tools).run();
}

void finish_records(const std::filesystem::path& lab_folder) {
  for (const char* name : {"samples.csv", "cases.csv"})
    if (std::filesystem::exists(lab_folder / (std::string(name) + ".part")))
      AppendFile(lab_folder / name).finish();
}

}  // namespace perflab

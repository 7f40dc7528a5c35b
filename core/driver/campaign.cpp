#include "driver/campaign.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/check.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"
#include "bench/ceilings_store.h"
#include "bench/csv.h"
#include "bench/judge.h"
#include "bench/launch.h"
#include "device/topology.h"
#include "driver/check_request.h"
#include "driver/child.h"
#include "driver/machine_ceilings.h"

namespace perflab {
namespace {

// log.txt: each process that the run started, and how it ended. Whole at any time; a run has a few lines.
void append_log(const std::filesystem::path& run_folder, const std::vector<std::string>& words,
                const ChildEnd& end) {
  const std::filesystem::path log = run_folder / "log.txt";
  std::error_code error;
  std::string text = std::filesystem::is_regular_file(log, error) ? read_file(log) : "";
  text += fmt::format("{} {}: {} {}\n", utc_text(), fmt::join(words, " "),
                      end.signal != 0 ? "signal" : "exit code", end.signal != 0 ? end.signal : end.exit_code);
  write_file_atomically(log, text);
}

// A row that is rejected because it was faster than the fastest this machine was ever seen.
bool broke_a_ceiling(const std::filesystem::path& lab_folder) {
  const std::filesystem::path file = lab_folder / "summary.csv";
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;  // the judge died before it wrote one
  const CsvTable summary = read_csv(file);
  for (std::size_t row = 0; row < summary.rows.size(); ++row)
    if (summary.at(row, "status_reason") == implausible_reason) return true;
  return false;
}

struct LabEnd {
  int exit_code = 0;
  std::string state = "complete";  // complete | skipped | interrupted | crashed | partial
};

class Campaign {
 public:
  Campaign(Run& run, const CampaignRequest& request) : run_(run), request_(request) {}

  CampaignEnd run() {
    CampaignEnd end;
    note_settings();
    for (std::size_t i = 0; i < request_.labs.size(); ++i) {
      const Lab& lab = request_.labs[i];
      if (stop_requested() ||
          end.exit_code == exit_codes::io) {  // a full disk will not take the next lab either
        end.complete = false;
        break;
      }
      if (measured_before(lab, end)) continue;
      if (request_.announce)
        fmt::print("\n{} ({} of {}): {}\n", lab.id, i + 1, request_.labs.size(), question_of(lab));
      std::fflush(stdout);
      take(lab, measure(lab), end);
    }
    end.interrupted = end.interrupted || (stop_requested() && !end.complete);
    if (end.interrupted) end.exit_code = exit_codes::interrupted;
    return end;
  }

 private:
  void note_settings() {
    Json variables{Json::Object{}};
    for (const auto& [name, value] : lab_variables()) variables.set(name, value);
    run_.set("variables_set_for_labs", variables);
  }

  // A resumed run does not touch what was finished, but what it found still counts.
  bool measured_before(const Lab& lab, CampaignEnd& end) {
    const Json* states = run_.manifest().find("lab_states");
    const Json* state = states == nullptr ? nullptr : states->find(lab.id);
    if (!request_.resume || state == nullptr) return false;
    const std::string word = state->at("state").text();
    if (word != "complete" && word != "skipped") return false;
    end.exit_code = join_exit_codes(end.exit_code, int(state->at("exit_code").number()));
    end.anything = true;
    return true;
  }

  void take(const Lab& lab, const LabEnd& lab_end, CampaignEnd& end) {
    end.exit_code = join_exit_codes(end.exit_code, lab_end.exit_code);
    end.anything = end.anything || lab_end.state != "crashed";
    end.interrupted = end.interrupted || lab_end.state == "interrupted";
    end.complete = end.complete && (lab_end.state == "complete" || lab_end.state == "skipped");
    const Json* known = run_.manifest().find("lab_states");
    Json states = known == nullptr ? Json(Json::Object{}) : *known;
    states.set(lab.id, Json::Object{{"state", lab_end.state}, {"exit_code", lab_end.exit_code}});
    run_.set("lab_states", states);
    run_.save();
  }

  std::vector<std::string> command(const Lab& lab, int invocation) const {
    std::vector<std::string> words = {lab.program.string(),
                                      "--run-dir",
                                      run_.folder().string(),
                                      "--profile",
                                      request_.profile_argument,
                                      "--invocation",
                                      std::to_string(invocation),
                                      "--seed",
                                      std::to_string(request_.seed),
                                      "--devices",
                                      request_.devices};
    const std::vector<std::string> devices = words_of(request_.device_flags);
    words.insert(words.end(), devices.begin(), devices.end());
    if (request_.resume) words.push_back("--resume");
    for (const std::string& set : sets_for(lab, request_.set)) words.insert(words.end(), {"--set", set});
    if (request_.fault > 0) words.insert(words.end(), {"--fault", std::to_string(request_.fault)});
    words.insert(words.end(), request_.lab_flags.begin(), request_.lab_flags.end());
    return words;
  }

  std::filesystem::path prepared_folder(const Lab& lab) const {
    const std::filesystem::path folder = run_.lab_folder(lab.id);
    write_file_atomically(folder / "schema.json", lab.description.dump());
    return folder;
  }

  // One launch. What its end means for the lab; the state stays "complete" while there is nothing to say.
  void launch(const Lab& lab, const std::vector<std::string>& words, LabEnd& end) const {
    const ChildEnd child = run_child(words, lab_variables());
    append_log(run_.folder(), words, child);
    if (child.exit_code == exit_codes::interrupted || (child.signal != 0 && stop_requested())) {
      end = {exit_codes::interrupted, "interrupted"};
    } else if (child.signal != 0 || child.exit_code == 127) {
      fmt::print(
          stderr, "perflab run: {} {}; what it measured before is kept, the other labs go on\n", lab.id,
          child.signal != 0 ? fmt::format("was killed by signal {}", child.signal) : "could not be started");
      end = {exit_codes::wrong, "crashed"};
    } else if (child.exit_code == exit_codes::nothing_to_test) {
      end.state = "skipped";
    } else {
      end.exit_code = join_exit_codes(end.exit_code, child.exit_code);
      constexpr std::array measured = {exit_codes::ok, exit_codes::wrong, exit_codes::no_samples};
      if (std::find(measured.begin(), measured.end(), child.exit_code) == measured.end())
        end.state = "partial";
    }
  }

  // The store is a convenience of later runs: failing to write it loses nothing of this one.
  void keep_what_rose() const {
    try {
      raise_stored_ceilings(run_.folder(), this_machine());
    } catch (const Error& error) {
      fmt::print(stderr, "perflab run: this machine's stored ceilings stay as they were: {}\n", error.what());
    }
  }

  int judge_against_ceilings(const Lab& lab, const std::filesystem::path& folder) const {
    const int judged = judge_lab(lab, folder);
    const bool deciding = request_.profile.verdicts && request_.fault == 0 && !stop_requested();
    if (judged != exit_codes::wrong || !deciding || !broke_a_ceiling(folder)) return judged;
    keep_what_rose();
    return measure_ceilings_again(run_, find_labs(labs_folder())) ? judge_lab(lab, folder) : judged;
  }

  LabEnd measure(const Lab& lab) const {
    const std::filesystem::path folder = prepared_folder(lab);
    LabEnd end;
    for (int k = 0; k < request_.profile.launches && (end.state == "complete" || end.state == "skipped");
         ++k) {
      end.state = "complete";
      launch(lab, command(lab, k), end);
    }
    const bool whole = end.state == "complete" || end.state == "skipped";
    if (whole) finish_records(folder);
    const int judged = judge_against_ceilings(lab, folder);
    if (request_.profile.verdicts) keep_what_rose();
    // Without a sample there is nothing that a skipped or stopped lab could be blamed for.
    if (whole && end.state != "skipped") end.exit_code = join_exit_codes(end.exit_code, judged);
    return end;
  }

  Run& run_;
  const CampaignRequest& request_;
};

}  // namespace

CampaignEnd run_campaign(Run& run, const CampaignRequest& request) { return Campaign(run, request).run(); }

int join_exit_codes(int a, int b) {
  constexpr std::array order = {exit_codes::interrupted, exit_codes::io,    exit_codes::distributed,
                                exit_codes::wrong,       exit_codes::data,  exit_codes::no_samples,
                                exit_codes::environment, exit_codes::usage, exit_codes::ok};
  const auto rank = [&](int code) {
    const auto found = std::find(order.begin(), order.end(), code == exit_codes::nothing_to_test ? 0 : code);
    return found == order.end() ? std::find(order.begin(), order.end(), int(exit_codes::wrong)) : found;
  };
  return *std::min(rank(a), rank(b));
}

int judge_lab(const Lab& lab, const std::filesystem::path& lab_folder) {
  std::error_code error;
  if (!std::filesystem::exists(lab_folder / "samples.csv", error) &&
      !std::filesystem::exists(lab_folder / "samples.csv.part", error))
    return exit_codes::ok;
  const ChildEnd end = run_child({lab.program.string(), "--judge", lab_folder.string()});
  if (end.signal == 0) return end.exit_code;
  fmt::print(stderr, "perflab: {} --judge was killed by signal {}\n", lab.id, end.signal);
  return exit_codes::wrong;
}

double separates_above_ratio(const std::filesystem::path& run_folder, const std::vector<std::string>& labs) {
  double worst = 0;
  std::error_code error;
  for (const std::string& lab : labs) {
    const std::filesystem::path file = run_folder / lab / "summary.csv";
    if (!std::filesystem::is_regular_file(file, error)) continue;
    const CsvTable table = read_csv(file);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (table.at(row, "metric") == separates_above_metric)
        worst = std::max(worst, parse_number(table.at(row, "median")));
  }
  return worst;
}

void join_verdicts(const std::filesystem::path& run_folder, const std::vector<std::string>& labs) {
  std::vector<std::string> header;
  std::string text;
  std::error_code error;
  for (const std::string& lab : labs) {
    const std::filesystem::path file = run_folder / lab / "verdicts.csv";
    if (!std::filesystem::is_regular_file(file, error)) continue;
    const CsvTable table = read_csv(file);
    if (header.empty()) text = csv_line(header = table.header);
    if (table.header != header)
      fail(ErrorKind::data,
           "'{}': its columns differ from the other labs'; judge the run again with: perflab report {}",
           file.string(), run_folder.string());
    for (const auto& row : table.rows) text += csv_line(row);
  }
  if (!text.empty()) write_file_atomically(run_folder / "verdicts.csv", text);
}

}  // namespace perflab

#include "driver/session.h"

#include <cstdio>
#include <filesystem>

#include "base/check.h"
#include "bench/build_info.h"
#include "bench/ceilings_store.h"
#include "bench/preflight.h"
#include "bench/questions.h"
#include "bench/sha256.h"
#include "driver/check_request.h"
#include "driver/lab_flags.h"
#include "driver/machine_ceilings.h"
#include "driver/python.h"

namespace perflab {
namespace {

Json texts(const std::vector<std::string>& words) { return Json::Array(words.begin(), words.end()); }

std::vector<std::string> texts_of(const Json& array) {
  std::vector<std::string> words;
  for (const Json& word : array.array()) words.push_back(word.text());
  return words;
}

// A file's path from anywhere, because labs and later resumptions start elsewhere.
std::string profile_argument(const std::string& name_or_file) {
  return name_or_file.ends_with(".toml") ? std::filesystem::absolute(name_or_file).lexically_normal().string()
                                         : name_or_file;
}

std::string profile_sha256(const std::string& argument) {
  return sha256_file(argument.ends_with(".toml")
                         ? std::filesystem::path(argument)
                         : build_info().source_dir / "experiments" / (argument + ".toml"));
}

Json binaries(const std::vector<Lab>& labs) {
  Json hashes{Json::Object{}};
  hashes.set("perflab", sha256_file("/proc/self/exe"));
  for (const Lab& lab : labs) hashes.set(lab.id, sha256_file(lab.program));
  return hashes;
}

// A folder for the request, with everything in its manifest that a later --resume needs.
Run new_run(const Options& options, const CampaignRequest& request) {
  const std::int64_t bytes = request.profile.verdicts ? bytes_per_lab : smoke_bytes_per_lab;
  Run run = Run::create({.out = options.out,
                         .argv = options.argv,
                         .profile = request.profile.name,
                         .seed = request.seed,
                         .fault = request.fault,
                         .parent_run_id = "",
                         .labs = ids_of(request.labs),
                         .expected_bytes = bytes * std::int64_t(request.labs.size())});
  run.set("request", Json::Object{{"profile", request.profile_argument},
                                  {"profile_sha256", profile_sha256(request.profile_argument)},
                                  {"devices", request.devices},
                                  {"device_flags", json_of(request.device_flags)},
                                  {"set", texts(request.set)},
                                  {"lab_flags", texts(request.lab_flags)}});
  run.set("devices", describe_devices(Runtime::current(), request.device_flags));
  run.set("binaries", binaries(request.labs));
  run.save();
  return run;
}

// True unless the user stopped it. A profile that decides nothing holds nothing against a ceiling.
bool have_ceilings(const Options& options, const CampaignRequest& request, const std::vector<Lab>& all) {
  const bool needed = options.ceilings && request.profile.verdicts && request.fault == 0;
  return !needed || ensure_ceilings(options.out, all, options.argv);
}

}  // namespace

std::vector<std::string> ids_of(const std::vector<Lab>& labs) {
  std::vector<std::string> ids;
  for (const Lab& lab : labs) ids.push_back(lab.id);
  return ids;
}

CampaignRequest checked_request(const Options& options, const std::vector<Lab>& all) {
  CampaignRequest request{.labs = choose_labs(all, options.labs),
                          .profile = load_profile(options.profile),
                          .profile_argument = profile_argument(options.profile),
                          .devices = options.devices,
                          .device_flags = options.device_flags,
                          .seed = options.seed,
                          .fault = options.fault,
                          .set = options.set,
                          .lab_flags = options.lab_flags,
                          .resume = false};
  check_request(options, request.profile, request.labs);
  check_lab_flags(request);
  note_idle_flags(request);
  return request;
}

void check_out(const std::string& out) {
  std::error_code error;
  const bool existed = std::filesystem::exists(out, error);
  preflight(out, 1'000'000);
  if (!existed) std::filesystem::remove(out, error);
}

std::optional<Session> begin_session(const Options& options) {
  const std::vector<Lab> all = find_labs(labs_folder());
  CampaignRequest request = checked_request(options, all);
  if (!have_ceilings(options, request, all)) return std::nullopt;
  Run run = new_run(options, request);
  take_ceilings(run.folder(), this_machine());
  return Session{std::move(run), std::move(request)};
}

std::optional<Session> begin_session(const Options& options, const std::vector<Prediction>& predictions,
                                     const std::function<void(const Run&)>& sealed) {
  const std::vector<Lab> all = find_labs(labs_folder());
  CampaignRequest request = checked_request(options, all);
  Run run = new_run(options, request);
  run.set("questions_sha256", questions_sha256(ids_of(request.labs)));
  seal_predictions(run, predictions);
  sealed(run);
  if (!have_ceilings(options, request, all)) {
    run.finish("interrupted", exit_codes::interrupted);
    return std::nullopt;
  }
  take_ceilings(run.folder(), this_machine());
  return Session{std::move(run), std::move(request)};
}

std::optional<Session> resume_session(const Options& options) {
  if (!options.run_choices.empty() || !options.lab_flags.empty())
    fail(ErrorKind::usage, "--resume goes on as the run began; leave {} out, or start a new run",
         options.run_choices.empty() ? "the flags after --" : options.run_choices.front());
  Run run = Run::open(find_run(options.out, options.resume));
  const Json* stored = run.manifest().find("request");
  if (stored == nullptr)
    fail(ErrorKind::usage, "run {} only measured ceilings, or is a lab run alone; start a new run instead",
         run.id());
  const std::vector<Lab> all = find_labs(labs_folder());
  const std::string argument = stored->at("profile").text();
  const Json* flags = stored->find("device_flags");
  CampaignRequest request{.labs = choose_labs(all, texts_of(run.manifest().at("labs"))),
                          .profile = load_profile(argument),
                          .profile_argument = argument,
                          .devices = stored->at("devices").text(),
                          .device_flags = flags == nullptr ? DeviceFlags{} : device_flags_from(*flags),
                          .seed = std::uint64_t(run.manifest().at("seed").number()),
                          .fault = int(run.manifest().at("fault").number()),
                          .set = texts_of(stored->at("set")),
                          .lab_flags = texts_of(stored->at("lab_flags")),
                          .resume = true};
  const Json here = binaries(request.labs);
  for (const auto& [name, hash] : here.object())
    if (run.manifest().at("binaries").text_or(name, "") != hash.text())
      fail(ErrorKind::usage, "run {} was measured by another build of {}; start a new run", run.id(), name);
  if (profile_sha256(argument) != stored->at("profile_sha256").text())
    fail(ErrorKind::usage, "profile '{}' was changed since run {} began; start a new run", argument,
         run.id());
  run.verify_outputs();
  run.resume(options.argv);
  // Predictions are sealed before the ceilings are measured, and that may be where it was stopped.
  std::error_code error;
  if (!std::filesystem::is_regular_file(run.folder() / "ceilings.csv", error)) {
    if (!have_ceilings(options, request, all)) {
      run.finish("interrupted", exit_codes::interrupted);
      return std::nullopt;
    }
    take_ceilings(run.folder(), this_machine());
  }
  return Session{std::move(run), std::move(request)};
}

CampaignEnd measure_session(Session& session) {
  Run& run = session.run;
  const std::vector<std::string> labs = ids_of(session.request.labs);
  const CampaignEnd end = run_campaign(run, session.request);
  join_verdicts(run.folder(), labs);
  if (const double ratio = separates_above_ratio(run.folder(), labs); ratio > 0)
    run.set("instrument", Json::Object{{"separates_above_ratio", ratio}});
  const char* status = end.interrupted ? "interrupted"
                       : end.complete  ? "complete"
                       : end.anything  ? "partial"
                                       : "failed";
  run.finish(status, end.exit_code);  // whole before Python starts; charts and report are added below
  return end;
}

void draw_session(Session& session) {
  const Python python = python_for_charts();
  Json libraries = session.run.manifest().at("libs");
  for (const auto& [name, version] : python.versions) libraries.set(name, version);
  session.run.set("libs", libraries);
  write_report(python, session.run.folder());
  session.run.refresh_outputs();
}

void print_places(const Run& run, const CampaignEnd& end) {
  std::error_code error;
  fmt::print("\nresults: {}\n", run.folder().string());
  if (const auto report = run.folder() / "report.html"; std::filesystem::is_regular_file(report, error))
    fmt::print("report:  {}\n", report.string());
  if (end.interrupted)
    fmt::print("interrupted; finish it with: perflab run --resume '{}'\n", run.folder().string());
}

}  // namespace perflab

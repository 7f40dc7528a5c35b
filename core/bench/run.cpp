#include "bench/run.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/nearest.h"
#include "bench/build_info.h"
#include "bench/environment.h"
#include "bench/manifest.h"
#include "bench/peers.h"
#include "bench/predictions.h"
#include "bench/preflight.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

constexpr const char* manifest_name = "manifest.json";

void append_environment_end(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return;
  Json environment = Json::parse(read_file(file), file.string());
  const Json end = environment_json(read_environment_end(environment));
  for (const auto& [name, item] : end.object()) environment.set(name, item);
  write_file_atomically(file, environment.dump());
}

[[noreturn]] void differs(const std::filesystem::path& file, const std::string& seen,
                          const std::string& wanted) {
  fail(ErrorKind::data,
       "'{}': {}; want {} as in {}; it was changed after the run, so nothing is drawn or judged from it",
       file.string(), seen, wanted, manifest_name);
}

// A run that was kept or passed on may lack what nobody reads: charts and report are drawn again from the
// rest.
bool may_be_missing(const std::filesystem::path& output) {
  return output.parent_path().filename() == "plots" || output == "report.html" || output == "log.txt";
}

}  // namespace

Run Run::create(const RunRequest& request) {
  preflight(request.out, request.expected_bytes);
  Run run;
  run.folder_ = make_run_folder(request.out, new_run_id);
  run.id_ = run.folder_.filename().string();
  try {
    const Json environment =
        request.environment.is_null() ? environment_json(read_environment(run.folder_)) : request.environment;
    write_file_atomically(run.folder_ / "env.json", environment.dump());
    run.manifest_ = new_manifest(request, run.id_);
    run.save();
    if (request.is_latest) write_file_atomically(request.out / "latest", run.id_ + "\n");
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(run.folder_, ignored);  // made just now, and nothing is measured yet
    throw;
  }
  return run;
}

Run Run::open(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / manifest_name;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    fail(ErrorKind::data, "'{}': no {}; want the folder of a run", folder.string(), manifest_name);
  Run run;
  run.manifest_ = Json::parse(read_file(file), file.string());
  run.id_ = run.manifest_.at("run_id").text();
  run.folder_ = folder;
  return run;
}

std::filesystem::path Run::lab_folder(const std::string& lab_id) const {
  const std::filesystem::path folder = folder_ / lab_id;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(ErrorKind::io, "cannot make '{}': {}", folder.string(), error.message());
  return folder;
}

std::string Run::status() const {
  constexpr std::array known = {"complete", "partial", "interrupted", "failed"};
  const std::string stored = manifest_.text_or("status", "");
  if (stored == "running") {
    const Json* process = manifest_.find("process");
    if (process == nullptr) return "interrupted";
    const ProcessId id{long(process->at("pid").number()), long(process->at("start_ticks").number())};
    return is_alive(id) ? "running" : "interrupted";
  }
  return std::find(known.begin(), known.end(), stored) != known.end() ? stored : "failed";
}

void Run::set(std::string_view key, Json value) { manifest_.set(key, std::move(value)); }

void Run::save() const { write_file_atomically(folder_ / manifest_name, manifest_.dump()); }

void Run::resume(const std::vector<std::string>& argv) {
  const std::string now = status();
  if (now == "running")
    fail(ErrorKind::usage, "run {} is still being measured by process {}; wait for it, or stop it first", id_,
         manifest_.at("process").at("pid").number());
  if (now == "complete") fail(ErrorKind::usage, "run {} is complete; start a new one", id_);
  Json::Array sessions = manifest_.at("sessions").array();
  sessions.push_back(Json::Object{
      {"argv", manifest_.at("argv")}, {"status", now}, {"ended_utc", manifest_.at("ended_utc")}});
  const ProcessId process = this_process();
  set("sessions", sessions);
  set("argv", Json::Array(argv.begin(), argv.end()));
  set("status", "running");
  set("exit_code", Json());
  set("process", Json::Object{{"pid", process.pid}, {"start_ticks", process.start_ticks}});
  set("outputs",
      Json::Array{});  // they are about to grow: hashes of before would accuse them after a hard stop
  save();
}

void Run::finish(std::string_view status, int exit_code) {
  PL_CHECK(status == "complete" || status == "partial" || status == "interrupted" || status == "failed",
           "finish: status is '{}'; want complete, partial, interrupted or failed", status);
  if (manifest_.find("import") == nullptr)  // what this machine did meanwhile is no matter of an imported run
    append_environment_end(folder_ / "env.json");
  set("status", status);
  set("exit_code", exit_code);
  set("ended_utc", utc_text());
  refresh_outputs();
}

void Run::refresh_outputs() {
  std::vector<std::string> ids;
  if (const Json* labs = manifest_.find("labs"))
    for (const Json& lab : labs->array()) ids.push_back(lab.text());
  std::vector<std::filesystem::path> schemas;
  for (const std::string& id : ids) schemas.push_back(folder_ / id / "schema.json");
  set("peers", read_peers(folder_, ids));
  set("lab_schema_sha256", combined_sha256(schemas));
  std::error_code error;
  const std::filesystem::path environment = folder_ / "env.json";
  set("env_sha256",
      std::filesystem::is_regular_file(environment, error) ? Json(sha256_file(environment)) : Json());
  set("outputs", list_outputs(folder_));
  save();
}

void Run::verify_outputs() const {
  check_seal(folder_, manifest_);
  const Json* outputs = manifest_.find("outputs");
  if (outputs == nullptr)
    fail(ErrorKind::data, "'{}': no list of outputs", (folder_ / manifest_name).string());
  for (const Json& output : outputs->array()) {
    const std::filesystem::path path = output.at("path").text(), file = folder_ / path;
    std::error_code error;
    if (!std::filesystem::exists(file, error) && may_be_missing(path)) continue;
    if (!std::filesystem::is_regular_file(file, error)) differs(file, "missing", "a file");
    const std::string text = read_file(file);
    const auto bytes = std::int64_t(output.at("bytes").number());
    if (std::int64_t(text.size()) != bytes)
      differs(file, fmt::format("{} bytes", text.size()), std::to_string(bytes));
    if (const Json& rows = output.at("rows");
        !rows.is_null() && count_rows(text) != std::int64_t(rows.number()))
      differs(file, fmt::format("{} rows", count_rows(text)), std::to_string(std::int64_t(rows.number())));
    if (sha256_hex(text) != output.at("sha256").text())
      differs(file, "another SHA-256", output.at("sha256").text());
  }
}

std::filesystem::path default_results_folder() {
  std::error_code error;
  const std::filesystem::path& source = build_info().source_dir;
  return std::filesystem::is_directory(source, error) ? source / "results" : std::filesystem::path("results");
}

std::filesystem::path find_run(const std::filesystem::path& out, const std::string& name) {
  std::error_code error;
  const auto is_run = [&](const std::filesystem::path& folder) {
    return std::filesystem::is_regular_file(folder / manifest_name, error);
  };
  if (name == "latest") {
    if (!std::filesystem::is_regular_file(out / "latest", error))
      fail(ErrorKind::usage, "there is no finished run in '{}' yet; start one with: perflab run",
           out.string());
    const std::string id = read_file(out / "latest");
    const std::filesystem::path folder = out / id.substr(0, id.find('\n'));
    if (!is_run(folder))
      fail(ErrorKind::data, "'{}' names a run that is not there: {}", (out / "latest").string(),
           folder.string());
    return folder;
  }
  if (is_run(out / name)) return out / name;
  if (is_run(name)) return name;
  std::vector<std::string> runs;
  if (std::filesystem::is_directory(out, error))
    for (const auto& entry : std::filesystem::directory_iterator(out))
      if (is_run(entry.path())) runs.push_back(entry.path().filename().string());
  std::sort(runs.rbegin(), runs.rend());
  fail(ErrorKind::usage, "{} (in '{}')", unknown_text("run", name, runs), out.string());
}

}  // namespace perflab

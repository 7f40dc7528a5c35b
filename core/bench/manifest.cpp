#include "bench/manifest.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/check.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/process_stat.h"
#include "bench/build_info.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

std::string random_hex(int digits) {
  std::random_device random;
  std::string text;
  for (int i = 0; i < digits; ++i) text += "0123456789abcdef"[random() % 16];
  return text;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Commit and uncommitted changes of the source tree, all null when git does not know it. --no-optional-locks:
// reading the state must not write to the index.
void add_git_state(const std::filesystem::path& source, Json& manifest) {
  const auto git = [&](std::vector<std::string> words) {
    std::vector<std::string> command = {"git", "--no-optional-locks", "-C", source.string()};
    command.insert(command.end(), words.begin(), words.end());
    return capture(command);
  };
  Json commit, dirty, diff;
  // A source tree inside another repository has a prefix there; that repository's commit says nothing about
  // it.
  if (const Captured prefix = git({"rev-parse", "--show-prefix"});
      prefix.ok && first_line(prefix.output).empty()) {
    if (const Captured head = git({"rev-parse", "HEAD"}); head.ok) commit = first_line(head.output);
    if (const Captured changes = git({"status", "--porcelain"}); changes.ok) {
      dirty = !changes.output.empty();
      if (const Captured text = git({"diff", "HEAD"}); text.ok && !changes.output.empty())
        diff = sha256_hex(text.output);
    }
  }
  manifest.set("git_commit", commit);
  manifest.set("git_dirty", dirty);
  manifest.set("dirty_diff_sha256", diff);
}

Json sha256_or_null(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) ? Json(sha256_file(file)) : Json();
}

Json build_json() {
  const BuildInfo& build = build_info();
  return Json::Object{{"compiler", build.compiler},
                      {"version", build.compiler_version},
                      {"flags", build.flags},
                      {"type", build.type},
                      {"lto", build.lto},
                      {"sanitizer", build.sanitizer},
                      {"cmake_cache_sha256", sha256_or_null(build.binary_dir / "CMakeCache.txt")}};
}

// Where the command was typed, without telling anybody's folder names.
std::string cwd_kind() {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (here == build_info().source_dir) return "source_tree";
  if (here == build_info().binary_dir) return "build_tree";
  return "elsewhere";
}

}  // namespace

Json new_manifest(const RunRequest& request, const std::string& run_id) {
  Json::Array argv(request.argv.begin(), request.argv.end()), labs(request.labs.begin(), request.labs.end());
  std::vector<std::filesystem::path> claims;
  for (const std::string& lab : request.labs)
    claims.push_back(build_info().source_dir / "labs" / lab / "claims.csv");
  Json libraries{Json::Object{}};
  for (const auto& [name, version] : build_info().libraries)
    if (!version.empty()) libraries.set(name, version);
  libraries.set("OpenSSL", sha256_library());
  const std::filesystem::path self = "/proc/self/exe";
  std::error_code error;
  const std::string self_name = std::filesystem::read_symlink(self, error).filename().string();
  const ProcessId process = this_process();

  Json manifest{Json::Object{}};
  manifest.set("schema", 1);
  manifest.set("run_id", run_id);
  manifest.set("status", "running");
  manifest.set("exit_code", Json());
  manifest.set("started_utc", utc_text());
  manifest.set("ended_utc", Json());
  manifest.set("process", Json::Object{{"pid", process.pid}, {"start_ticks", process.start_ticks}});
  manifest.set("argv", argv);
  manifest.set("cwd_kind", cwd_kind());
  manifest.set("profile", request.profile);
  manifest.set("seed", double(request.seed));
  manifest.set("fault", request.fault);
  manifest.set("labs", labs);
  manifest.set("suite_version", build_info().suite_version);
  add_git_state(build_info().source_dir, manifest);
  manifest.set("build", build_json());
  manifest.set("libs", libraries);
  manifest.set("binaries", Json::Object{{self_name, sha256_or_null(self)}});
  manifest.set("lab_schema_sha256", Json());
  manifest.set("claims_sha256", combined_sha256(claims));
  manifest.set("env_sha256", Json());
  manifest.set("host_alias", host_alias(cache_folder()));
  manifest.set("parent_run_id", request.parent_run_id.empty() ? Json() : Json(request.parent_run_id));
  manifest.set("peers", Json::Object{});
  manifest.set("sessions", Json::Array{});
  manifest.set("outputs", Json::Array{});
  return manifest;
}

std::int64_t count_rows(std::string_view csv) {
  std::int64_t records = 0;
  bool quoted = false;
  for (const char c : csv) {
    if (c == '"') quoted = !quoted;
    if (c == '\n' && !quoted) ++records;
  }
  return std::max<std::int64_t>(records - 1, 0);
}

Json list_outputs(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (std::filesystem::is_regular_file(entry.symlink_status()) && entry.path() != folder / "manifest.json")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  Json::Array outputs;
  for (const std::filesystem::path& file : files) {
    const std::string text = read_file(file), name = file.filename().string();
    const bool csv = name.ends_with(".csv") || name.ends_with(".csv.part");
    outputs.push_back(Json::Object{{"path", file.lexically_relative(folder).generic_string()},
                                   {"bytes", double(text.size())},
                                   {"rows", csv ? Json(double(count_rows(text))) : Json()},
                                   {"sha256", sha256_hex(text)}});
  }
  return outputs;
}

std::string combined_sha256(const std::vector<std::filesystem::path>& files) {
  std::string text;
  std::error_code error;
  for (const std::filesystem::path& file : files)
    if (std::filesystem::is_regular_file(file, error)) text += read_file(file);
  return text.empty() ? "" : sha256_hex(text);
}

std::filesystem::path cache_folder() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::vector<std::filesystem::path> candidates;
  if (xdg != nullptr && *xdg != '\0') candidates.push_back(std::filesystem::path(xdg) / "perflab");
  else if (home != nullptr && *home != '\0')
    candidates.push_back(std::filesystem::path(home) / ".cache" / "perflab");
  candidates.push_back(build_info().binary_dir / "cache");
  for (const std::filesystem::path& folder : candidates) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && ::access(folder.c_str(), W_OK | X_OK) == 0) return folder;
  }
  return {};
}

std::string host_alias(const std::filesystem::path& cache) {
  const std::filesystem::path file = cache / "host_alias";
  if (!cache.empty()) {
    try {
      const std::string known = first_line(read_file(file));
      if (known.starts_with("host-") && known.size() == 13) return known;
    } catch (const Error&) {  // none yet
    }
  }
  const std::string alias = "host-" + random_hex(8);
  try {
    if (!cache.empty()) write_file_atomically(file, alias + "\n");
  } catch (
      const Error&) {  // a cache that cannot be written never fails a run; the next one gets another alias
  }
  return alias;
}

ProcessId this_process() {
  const std::optional<ProcessStat> stat = read_process_stat(::getpid());
  return {long(::getpid()), stat ? stat->start_ticks : 0};
}

bool is_alive(const ProcessId& process) {
  if (process.pid <= 0 || process.start_ticks <= 0) return false;
  const std::optional<ProcessStat> stat = read_process_stat(process.pid);
  return stat && stat->start_ticks == process.start_ticks;
}

std::string new_run_id() {
  std::string text = utc_text();
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text + "-" + random_hex(6);
}

std::filesystem::path make_run_folder(const std::filesystem::path& out,
                                      const std::function<std::string()>& next_id) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::filesystem::path folder = out / next_id();
    std::error_code error;
    if (std::filesystem::create_directory(folder, error)) return folder;
    if (error) fail(ErrorKind::io, "cannot make '{}': {}", folder.string(), error.message());
  }
  fail(ErrorKind::io, "cannot make a run folder in '{}': a hundred names in a row were taken", out.string());
}

}  // namespace perflab

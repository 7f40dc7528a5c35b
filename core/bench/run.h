#pragma once
// Run — one folder of results: results/<run_id>/, with its manifest. Never reused, never overwritten.
//
// create() passes the preflight first: an unusable --out or a full disk fails before anything was measured.
// The manifest says status=running until finish(); "running" without a living process reads as interrupted.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/json.h"

namespace perflab {

struct RunRequest {
  std::filesystem::path out;  // parent of run folders
  std::vector<std::string> argv;
  std::string profile;
  std::uint64_t seed = 0;  // below 2^53, so that the manifest holds it exactly
  int fault = 0;
  std::string parent_run_id;      // of a resumed run
  std::vector<std::string> labs;  // their ids
  bool is_latest = true;  // false for a run that only serves others, as the one that measures ceilings
  std::int64_t expected_bytes = 1'000'000;  // the preflight wants twenty times as much free
  Json environment{};  // env.json of a run that another machine measured; null: read it here
};

class Run {
 public:
  // Error(usage) for an unusable out, Error(io) for a full disk.
  static Run create(const RunRequest& request);
  static Run open(const std::filesystem::path& folder);  // Error(data) if it has no readable manifest
  const std::string& id() const { return id_; }          // 20261129T201222Z-1a2b3c
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path lab_folder(const std::string& lab_id) const;  // created on demand
  const Json& manifest() const { return manifest_; }
  std::string status() const;                  // running | complete | partial | interrupted | failed
  void set(std::string_view key, Json value);  // kept until save() or finish()
  void save() const;                           // replaces the manifest now
  // Neither running nor complete -> running again, under this process; Error(usage) otherwise.
  void resume(const std::vector<std::string>& argv = {});
  // Hashes the outputs, replaces the manifest, updates results/latest.
  void finish(std::string_view status, int exit_code);
  void refresh_outputs();  // hashes them again, for a report that was redrawn after verify_outputs()
  // Error(data) naming the first file whose bytes, rows or hash differ from the manifest's, or predictions
  // that are not the sealed ones.
  void verify_outputs() const;

 private:
  std::string id_;
  std::filesystem::path folder_;
  Json manifest_;
};

std::filesystem::path default_results_folder();  // results/ of the source tree; ./results without one
// A run's folder from its id, its path, or "latest". Error(usage) names the nearest runs.
std::filesystem::path find_run(const std::filesystem::path& out, const std::string& id_path_or_latest);

}  // namespace perflab

#pragma once
// Run — one folder of results: results/<run_id>/, with its manifest. Never reused, never overwritten.
//
// create() passes the preflight first: an unusable --out or a full disk fails before anything was measured.
// The manifest says status=running until finish(); "running" without a living process reads as interrupted.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/json.h"

namespace perflab {

struct RunRequest {
  std::filesystem::path out;  // parent of run folders
  std::vector<std::string> argv;
  std::string profile;
  std::uint64_t seed = 0;
  int fault = 0;
  std::string parent_run_id;  // of a resumed run
  std::vector<std::string> labs;
};

class Run {
 public:
  static Run create(
      const RunRequest& request);  // Error(usage) for an unusable out, Error(io) for a full disk
  static Run open(const std::filesystem::path& folder);  // Error(data) if it has no readable manifest
  const std::string& id() const { return id_; }          // 20261129T201222Z-1a2b3c
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path lab_folder(const std::string& lab_id) const;  // created on demand
  const Json& manifest() const { return manifest_; }
  std::string status() const;                  // running | complete | partial | interrupted | failed
  void set(std::string_view key, Json value);  // kept until finish()
  void resume();  // interrupted or partial -> running again; Error(usage) otherwise
  void finish(std::string_view status,
              int exit_code);  // hashes the outputs, replaces the manifest, updates results/latest
  // Error(data) naming the first file whose bytes, rows or hash differ from the manifest's.
  void verify_outputs() const;

 private:
  std::string id_;
  std::filesystem::path folder_;
  Json manifest_;
};

}  // namespace perflab

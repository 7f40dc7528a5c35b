// A stored run as compare_runs() takes it.

#include "base/check.h"
#include "base/file.h"
#include "bench/comparison.h"
#include "bench/record_csv.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::map<std::string, std::string> read_verdicts(const fs::path& file) {
  std::map<std::string, std::string> verdicts;
  if (!is_file(file)) return verdicts;
  const CsvTable table = read_csv(file);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& reason = table.at(row, "reason_code");
    verdicts[table.at(row, "claim_id")] =
        table.at(row, "verdict") + (reason.empty() ? "" : " (" + reason + ")");
  }
  return verdicts;
}

// Of an imported run there is no summary: nothing judged it.
std::map<std::pair<std::string, std::string>, std::string> read_refused(const fs::path& file) {
  std::map<std::pair<std::string, std::string>, std::string> refused;
  if (!is_file(file)) return refused;
  const CsvTable table = read_csv(file);
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (table.at(row, "status") == "failed")
      refused[{table.at(row, "case_id"), table.at(row, "variant")}] = table.at(row, "status_reason");
  return refused;
}

// A lab that was interrupted left NAME.csv.part.
bool has_table(const fs::path& whole) {
  fs::path part = whole;
  part += ".part";
  return is_file(whole) || is_file(part);
}

}  // namespace

ComparedRun read_compared_run(const Run& run) {
  ComparedRun read;
  read.id = run.id();
  read.status = run.status();
  if (read.status == "running")
    fail(ErrorKind::usage, "run {} is still being measured; wait for it, or stop it first", run.id());
  run.verify_outputs();
  read.manifest = run.manifest();
  const fs::path environment = run.folder() / "env.json";
  if (is_file(environment)) read.environment = Json::parse(read_file(environment), environment.string());
  for (const Json& id : read.manifest.at("labs").array()) {
    const fs::path folder = run.folder() / id.text();
    if (!has_table(folder / "samples.csv") || !has_table(folder / "cases.csv")) continue;
    ComparedLab lab;
    lab.lab_id = id.text();
    lab.samples = read_samples(folder).samples;
    lab.cases = read_cases(folder).cases;
    lab.verdicts = read_verdicts(folder / "verdicts.csv");
    lab.refused = read_refused(folder / "summary.csv");
    read.labs.push_back(std::move(lab));
  }
  return read;
}

}  // namespace perflab

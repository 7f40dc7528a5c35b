// plot and report: a stored run drawn and judged again. Both refuse a run whose files were changed.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>

#include "base/check.h"
#include "base/stop.h"
#include "bench/build_info.h"
#include "bench/csv.h"
#include "bench/imported.h"
#include "bench/manifest.h"
#include "bench/questions.h"
#include "driver/campaign.h"
#include "driver/python.h"
#include "driver/verbs.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

Run open_whole(const Options& options) {
  Run run = Run::open(find_run(options.out, options.run));
  if (run.status() == "running")
    fail(ErrorKind::usage, "run {} is still being measured; wait for it, or stop it first", run.id());
  run.verify_outputs();
  return run;
}

std::vector<std::string> labs_of(const Run& run) {
  std::vector<std::string> labs;
  for (const Json& lab : run.manifest().at("labs").array()) labs.push_back(lab.text());
  return labs;
}

// A folder that goes away again.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(fs::temp_directory_path() / fmt::format("perflab-{}-{}", ::getpid(), new_run_id())) {
    fs::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// (claim, part) -> verdict and reason.
std::map<std::string, std::string> verdicts_in(const fs::path& lab_folder) {
  std::map<std::string, std::string> verdicts;
  std::error_code error;
  if (!fs::is_regular_file(lab_folder / "verdicts.csv", error)) return verdicts;
  const CsvTable table = read_csv(lab_folder / "verdicts.csv");
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& reason = table.at(row, "reason_code");
    verdicts[table.at(row, "claim_id")] =
        table.at(row, "verdict") + (reason.empty() ? "" : " (" + reason + ")");
  }
  return verdicts;
}

// The run's raw files copied to where judging again can write beside them.
fs::path copy_of(const Run& run, const std::string& lab, const fs::path& temporary) {
  const fs::path copy = temporary / run.id();
  fs::create_directories(copy / lab);
  for (const fs::path& folder : {fs::path(), fs::path(lab)})
    for (const auto& entry : fs::directory_iterator(run.folder() / folder))
      if (entry.is_regular_file())
        fs::copy_file(entry.path(), copy / folder / entry.path().filename(), fs::copy_options::skip_existing);
  for (const char* judged : {"summary.csv", "verdicts.csv"}) fs::remove(copy / lab / judged);
  return copy / lab;
}

// A lab whose files cannot be read is not "judged again, no difference": its program has said which file and
// why.
void judge_or_fail(const Lab& lab, const fs::path& lab_folder) {
  const int code = judge_lab(lab, lab_folder);
  constexpr std::array judged = {exit_codes::ok, exit_codes::wrong, exit_codes::no_samples};
  if (std::find(judged.begin(), judged.end(), code) != judged.end()) return;
  fail(code == exit_codes::io ? ErrorKind::io : ErrorKind::data,
       "lab {} cannot be judged from its files (exit code {}); nothing was drawn", lab.id, code);
}

int judge_again(const Run& run, const Lab& lab) {
  const fs::path stored = run.folder() / lab.id;
  std::error_code error;
  if (!fs::is_directory(stored, error)) return 0;
  // A run that was killed was never judged: there is nothing to compare with.
  if (!fs::is_regular_file(stored / "verdicts.csv", error)) {
    judge_or_fail(lab, stored);
    return 0;
  }
  const TemporaryFolder temporary;
  const fs::path copy = copy_of(run, lab.id, temporary.path());
  judge_or_fail(lab, copy);
  const std::map<std::string, std::string> before = verdicts_in(stored), now = verdicts_in(copy);
  int differences = 0;
  for (const auto& [claim, verdict] : before) {
    const auto found = now.find(claim);
    const std::string again = found == now.end() ? "not judged" : found->second;
    if (again == verdict) continue;
    fmt::print("{}: claim {} is stored as {}, judged again: {}\n", lab.id, claim, verdict, again);
    ++differences;
  }
  return differences;
}

void judge_all_again(const Run& run) {
  const std::vector<Lab> labs = find_labs(labs_folder());
  std::vector<fs::path> claims;
  for (const std::string& id : labs_of(run))
    claims.push_back(build_info().source_dir / "labs" / id / "claims.csv");
  if (run.manifest().text_or("claims_sha256", "") != combined_sha256(claims))
    fmt::print("the registered claims were changed since this run; verdicts may differ for that reason\n");
  if (const std::string asked = run.manifest().text_or("questions_sha256", "");
      !asked.empty() && asked != questions_sha256(labs_of(run)))
    fmt::print("the questions were changed since this run was predicted\n");
  int differences = 0, judged = 0;
  for (const std::string& id : labs_of(run)) {
    const auto lab = std::find_if(labs.begin(), labs.end(), [&](const Lab& one) { return one.id == id; });
    if (lab == labs.end()) {
      fmt::print("{} is not built here; its stored verdicts are shown as they are\n", id);
      continue;
    }
    differences += judge_again(run, *lab);
    ++judged;
  }
  if (judged > 0 && differences == 0) fmt::print("judged again from the samples: no verdict differs\n");
  std::fflush(stdout);
}

int code_of(bool drawn, const Run& run) {
  if (drawn) return exit_codes::ok;
  if (!stop_requested()) return exit_codes::environment;
  fmt::print(stderr, "perflab: stopped; the results are safe in {}\n", run.folder().string());
  return exit_codes::interrupted;
}

}  // namespace

int plot_verb(const Options& options) {
  Run run = open_whole(options);
  if (is_imported(run))
    fail(ErrorKind::usage,
         "run {} was imported: it belongs to no lab, so nobody says how to draw it; perflab report {} shows "
         "its "
         "numbers, perflab compare holds it against another run",
         run.id(), run.id());
  const bool drawn = draw_charts(python_for_charts(), run.folder());
  run.refresh_outputs();
  if (drawn) fmt::print("charts: {}\n", (run.folder() / "*" / "plots").string());
  return code_of(drawn, run);
}

int report_verb(const Options& options) {
  Run run = open_whole(options);
  if (is_imported(run)) {
    fmt::print("{}\nrun {} was imported: it makes no claims to judge and has no report.html\n",
               imported_table(run), run.id());
    return exit_codes::ok;
  }
  judge_all_again(run);
  if (stop_requested()) return code_of(false, run);
  std::error_code error;
  if (!fs::is_regular_file(run.folder() / "verdicts.csv", error)) join_verdicts(run.folder(), labs_of(run));
  const bool written = write_report(python_for_charts(), run.folder());
  run.refresh_outputs();
  if (const std::string table = verdict_table(run.folder()); !table.empty()) fmt::print("\n{}", table);
  if (written) fmt::print("\nreport: {}\n", (run.folder() / "report.html").string());
  return code_of(written, run);
}

}  // namespace perflab

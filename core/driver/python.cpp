#include "driver/python.h"

#include <fmt/ranges.h>

#include <cstdlib>

#include "base/check.h"
#include "base/stop.h"
#include "bench/build_info.h"
#include "driver/child.h"

namespace perflab {
namespace {

// With the advice to install packages only where they are what is missing.
void explain(const std::string& what, const std::filesystem::path& run_folder, bool packages_missing) {
  fmt::print(stderr, "perflab: {}; the results are safe in {}. {} and run: perflab report {}\n", what,
             run_folder.string(),
             packages_missing ? "Install python3-numpy python3-matplotlib python3-jinja2"
                              : "Mend what the lines above name",
             run_folder.string());
}

// A broken data file or a full disk is no matter of packages; anything else that ends Python may be.
bool means_missing(int code) {
  return code != exit_codes::ok && code != exit_codes::data && code != exit_codes::io;
}

// Drawing was stopped. A stop before it, while measuring, leaves what was measured to be drawn.
bool was_stopped(int code) { return stop_requested() && code >= 128; }

// Its exit code; 128 + n for signal n.
int run_module(const Python& python, const char* module, const std::filesystem::path& run_folder) {
  const char* own_path = std::getenv("PYTHONPATH");
  std::string path = build_info().source_dir.string();
  if (own_path != nullptr && *own_path != '\0') path += std::string(":") + own_path;
  // PYTHONSAFEPATH: else -m takes a package `plots` of the current folder, as of another checkout, before
  // ours.
  return run_child({python.program, "-m", module, run_folder.string()}, {{"PYTHONPATH", path},
                                                                         {"PYTHONSAFEPATH", "1"},
                                                                         {"MPLBACKEND", "Agg"},
                                                                         {"PYTHONDONTWRITEBYTECODE", "1"}})
      .exit_code;
}

bool found(const Python& python, const std::filesystem::path& run_folder) {
  if (!python.passed_over.empty()) fmt::print(stderr, "perflab: {}\n", python.passed_over);
  if (!python.program.empty()) return true;
  explain(
      fmt::format("no charts and no report.html: none of {} has numpy, matplotlib and jinja2", python.tried),
      run_folder, true);
  return false;
}

}  // namespace

std::vector<std::string> chart_modules() { return {"numpy", "matplotlib", "jinja2"}; }

Python python_for_charts() { return find_python(chart_modules()); }

bool draw_charts(const Python& python, const std::filesystem::path& run_folder) {
  if (!found(python, run_folder)) return false;
  const int code = run_module(python, "plots.draw", run_folder);
  if (was_stopped(code)) return false;
  if (code != 0)
    explain(fmt::format("not all charts were drawn (plots.draw: exit code {})", code), run_folder,
            means_missing(code));
  return code == 0;
}

bool write_report(const Python& python, const std::filesystem::path& run_folder) {
  if (!found(python, run_folder)) return false;
  const int drawn = run_module(python, "plots.draw", run_folder);
  if (was_stopped(drawn)) return false;
  // A report without one lab's chart is still a report; without a usable matplotlib there is none.
  const int written =
      drawn == 0 || drawn == exit_codes::wrong ? run_module(python, "plots.report", run_folder) : drawn;
  if (was_stopped(written)) return false;
  if (drawn != 0 || written != 0)
    explain(fmt::format("charts or report.html are not complete (plots.draw: exit code {}, plots.report: {})",
                        drawn, written),
            run_folder, means_missing(drawn) || means_missing(written));
  return drawn == 0 && written == 0;
}

}  // namespace perflab

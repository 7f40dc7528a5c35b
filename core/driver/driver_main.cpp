#include "driver/driver_main.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/cpu_guard.h"
#include "base/failure.h"
#include "device/runtime.h"
#include "driver/child.h"
#include "driver/doctor/gpu_probe.h"
#include "driver/options.h"
#include "driver/verbs.h"

namespace perflab {
namespace {

using Verb = int (*)(const Options&);
const std::map<std::string, Verb> verbs = {
    {"list", list_verb},       {"doctor", doctor_verb},   {"run", run_verb},
    {"predict", predict_verb}, {"tour", tour_verb},       {"plot", plot_verb},
    {"report", report_verb},   {"compare", compare_verb}, {"import", import_verb}};

// Nothing of them is left when a signal ends them as it ends any program. import catches it once it writes.
constexpr std::array<std::string_view, 3> without_a_trace = {"list", "compare", "import"};

int exit_code_of(const ParsedOptions& parsed) {
  if (parsed.exit_code) return *parsed.exit_code;
  const std::string& verb = parsed.options.verb;
  try {
    let_writes_fail();
    if (std::find(without_a_trace.begin(), without_a_trace.end(), verb) == without_a_trace.end())
      catch_stop_signals();
    const Runtime runtime(runtime_options(parsed.options.device_flags));
    return verbs.at(verb)(parsed.options);
  } catch (...) {
    return explain_failure("perflab " + verb);
  }
}

}  // namespace

int driver_main(int argc, char** argv) {
  if (!cpu_guard_passed()) return exit_codes::environment;
  if (argc == 2 && std::string_view(argv[1]) == gpu_probe_flag) return gpu_probe_child();
  return exit_code_of(parse_options(argc, argv));
}

}  // namespace perflab

#include "driver/driver_main.h"

#include <cstdio>

#include "base/check.h"
#include "base/cpu_guard.h"
#include "device/runtime.h"
#include "driver/child.h"
#include "driver/options.h"
#include "driver/verbs.h"

namespace perflab {
namespace {

int dispatch(const Options& options) {
  if (options.verb == "list") return list_verb(options);
  if (options.verb == "run") return run_verb(options);
  if (options.verb == "plot") return plot_verb(options);
  return report_verb(options);
}

}  // namespace

int driver_main(int argc, char** argv) {
  if (!cpu_guard_passed()) return exit_codes::environment;
  const ParsedOptions parsed = parse_options(argc, argv);
  if (parsed.exit_code) return *parsed.exit_code;
  const std::string& verb = parsed.options.verb;
  try {
    catch_stop_signals();
    const Runtime runtime(runtime_options(parsed.options.device_flags));
    return dispatch(parsed.options);
  } catch (const Error& error) {
    fmt::print(stderr, "perflab {}: {}\n", verb, error.what());
    return exit_code(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "perflab {}: unexpected: {}\n", verb, error.what());
    return exit_codes::wrong;
  }
}

}  // namespace perflab

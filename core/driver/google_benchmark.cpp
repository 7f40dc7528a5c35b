#include "driver/google_benchmark.h"

#include <algorithm>

#include "base/check.h"
#include "bench/run.h"
#include "driver/check_request.h"
#include "driver/child.h"
#include "driver/labs.h"

namespace perflab {

bool asks_google_benchmark(const Options& options) {
  return std::any_of(options.lab_flags.begin(), options.lab_flags.end(),
                     [](const std::string& flag) { return flag.starts_with("--benchmark_"); });
}

int run_lab_under_google_benchmark(const Options& options) {
  if (!options.resume.empty() || options.out != default_results_folder())
    fail(ErrorKind::usage,
         "--benchmark_* flags start Google Benchmark, which stores and judges no run; leave --resume and "
         "--out "
         "out (its results: --benchmark_out=FILE)");
  const std::vector<Lab> labs = choose_labs(find_labs(labs_folder()), options.labs);
  if (labs.size() != 1)
    fail(ErrorKind::usage, "--benchmark_* flags are for one lab at a time; {} are meant", labs.size());
  const Profile profile = load_profile(options.profile);
  check_request(options, profile, labs);
  std::vector<std::string> words = {labs.front().program.string(), "--profile", options.profile, "--seed",
                                    std::to_string(options.seed),  "--devices", options.devices};
  const std::vector<std::string> devices = words_of(options.device_flags);
  words.insert(words.end(), devices.begin(), devices.end());
  for (const std::string& set : options.set) words.insert(words.end(), {"--set", set});
  if (options.fault > 0) words.insert(words.end(), {"--fault", std::to_string(options.fault)});
  words.insert(words.end(), options.lab_flags.begin(), options.lab_flags.end());
  const ChildEnd end = run_child(words, lab_variables());
  if (end.signal == 0 && end.exit_code != 127) return end.exit_code;
  if (stop_requested()) return exit_codes::interrupted;
  fail(ErrorKind::check, "{} {}", labs.front().id,
       end.signal == 0 ? "could not be started" : fmt::format("was killed by signal {}", end.signal));
}

}  // namespace perflab

#include "bench/lab_main.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>

#include "base/check.h"
#include "base/cpu_guard.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/process.h"
#include "base/stop.h"
#include "bench/build_info.h"
#include "bench/ceilings_store.h"
#include "bench/describe.h"
#include "bench/device_flags.h"
#include "bench/gbench.h"
#include "bench/gbench_flags.h"
#include "bench/judge.h"
#include "bench/launch.h"
#include "bench/run.h"

namespace perflab {
namespace {

void on_stop(int) { request_stop(); }

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_stop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit then fails the write, which names the file
  std::signal(SIGPIPE, SIG_IGN);
}

struct Options {
  bool describe = false, resume = false, check = false;
  std::string judge_folder, profile = "quick", out, run_folder, device = "cpu:0";
  std::vector<std::string> experiments, set;
  int invocation = 0, fault = 0;
  std::uint64_t seed = 1;
  DeviceFlags device_flags;
};

void declare(CLI::App& app, Options& options) {
  app.add_flag("--describe", options.describe,
               "Print what this lab is as JSON: experiments, axes, metrics, faults, claims");
  app.add_option("--judge", options.judge_folder,
                 "Judge a lab's folder of an earlier run again; measures nothing");
  app.add_option("--profile", options.profile,
                 "smoke, quick (default), article, reproduce, or a file that ends in .toml");
  app.add_option("--out", options.out, "Parent of the run's folder (default: results/ of the project)");
  app.add_option("--experiment", options.experiments, "Measure only these experiments, also hidden ones")
      ->delimiter(',');
  app.add_option("--set", options.set, "Override an axis: --set threads=1,2 (may be repeated)");
  app.add_option("--seed", options.seed, "Seed of inputs and of the order within blocks (default 1)");
  app.add_option("--fault", options.fault, "Switch planted fault N on; no claim is decided then");
  app.add_option("--devices", options.device, "Device to measure on (default cpu:0)");
  app.add_option("--cpu-devices", options.device_flags.cpu_devices, DeviceFlags::cpu_devices_help);
  app.add_option("--cores-per-device", options.device_flags.cores_per_device, DeviceFlags::cores_help);
  app.add_option("--link", options.device_flags.link, DeviceFlags::link_help);
  app.add_flag("--check", options.check,
               "For the driver: say whether these flags make sense, and measure nothing");
  app.add_option("--run-dir", options.run_folder,
                 "For the driver: append to this run's folder, do not judge");
  app.add_option("--invocation", options.invocation, "For the driver: number of this launch, from 0");
  app.add_flag("--resume", options.resume, "For the driver: skip what this launch finished before");
  app.footer(
      "Any --benchmark_* flag runs the same cases under Google Benchmark instead: no verdict, no results\n"
      "folder. --benchmark_list_tests=true lists them, --benchmark_filter=REGEX chooses,\n"
      "--benchmark_repetitions=N repeats, --benchmark_out=FILE writes JSON; docs/google_benchmark.md");
}

LaunchRequest request_from(const Options& options, const std::string& lab_id) {
  LaunchRequest request;
  request.lab_id = lab_id;
  request.profile = load_profile(options.profile);
  request.plan.lab_id = lab_id;
  request.plan.experiments = options.experiments;
  for (const std::string& text : options.set) request.plan.set.push_back(parse_set(text));
  request.device = options.device;
  request.seed = options.seed;
  request.fault = options.fault;
  request.invocation = options.invocation;
  request.resume = options.resume;
  request.terminal = isatty(STDOUT_FILENO) == 1;
  // Mistakes of the user come to light before a folder is made or a case prepared.
  make_plan(experiments(), request.profile, request.plan);
  choose_fault(experiments(), request.fault);
  Device::named(request.device);
  return request;
}

// A line for each flag that was taken and changes nothing; of a link the driver says so once for all labs.
void note_idle_flags(const Options& options, const LaunchRequest& request) {
  const std::vector<PlannedPoint> plan = make_plan(experiments(), request.profile, request.plan);
  const auto note = [&](const std::string& flag, const std::string& why) {
    fmt::print(stderr, "{}: {} changes nothing: {}\n", request.lab_id, flag, why);
  };
  for (const std::string& axis : idle_axes(plan, request.plan))
    note("--set " + axis, "no experiment that is measured has this axis");
  const Experiment* faulty = choose_fault(experiments(), request.fault).experiment;
  if (faulty != nullptr && std::none_of(plan.begin(), plan.end(), [&](const PlannedPoint& planned) {
        return planned.experiment == faulty;
      }))
    note(fmt::format("--fault {}", request.fault),
         "it is in experiment " + faulty->name() + ", which is not measured");
  if (options.run_folder.empty() && !options.device_flags.link.empty() &&
      options.device_flags.cpu_devices < 2)
    note("--link " + options.device_flags.link,
         "it joins cpu devices, and there is one; add --cpu-devices 2");
}

LaunchTools tools_with(Probe& probe) {
  return {.clock = steady_clock(), .probe = probe, .interrupted = stop_requested};
}

int measure(LaunchRequest& request) {
  const std::unique_ptr<Probe> probe = system_probe();
  return launch(experiments(), request, tools_with(*probe));
}

// Nothing of a run that is stored and judged fits beside Google Benchmark.
void refuse_beside_benchmarks(const Options& options, const std::string& flag) {
  const std::pair<const char*, bool> given[] = {{"--describe", options.describe},
                                                {"--judge", !options.judge_folder.empty()},
                                                {"--out", !options.out.empty()},
                                                {"--run-dir", !options.run_folder.empty()},
                                                {"--resume", options.resume}};
  for (const auto& [name, is_given] : given)
    if (is_given)
      fail(ErrorKind::usage,
           "{} and {}: Google Benchmark stores and judges no run (it writes to --benchmark_out=FILE); leave "
           "{} out",
           name, flag, name);
}

int run_benchmarks(const Options& options, const std::string& lab_id, const SplitWords& words) {
  refuse_beside_benchmarks(options, words.benchmark.front());
  const Runtime runtime(runtime_options(options.device_flags));
  const std::unique_ptr<Probe> probe = system_probe();
  return run_google_benchmark(experiments(), request_from(options, lab_id), tools_with(*probe),
                              words.ours.front(), words.benchmark);
}

// A lab started by hand: its own run folder, all launches in this process, judged at the end.
int run_alone(LaunchRequest& request, const Options& options, const std::vector<std::string>& argv) {
  Run run = Run::create(
      {.out = options.out.empty() ? build_info().source_dir / "results" : std::filesystem::path(options.out),
       .argv = argv,
       .profile = request.profile.name,
       .seed = request.seed,
       .fault = request.fault,
       .parent_run_id = "",
       .labs = {request.lab_id}});
  run.set("devices", describe_devices(Runtime::current(), options.device_flags));
  run.save();
  request.run_id = run.id();
  request.lab_folder = run.lab_folder(request.lab_id);
  take_ceilings(run.folder(), this_machine());
  write_file_atomically(request.lab_folder / "schema.json", describe(experiments(), request.lab_id).dump());
  int code = exit_codes::ok;
  for (request.invocation = 0; request.invocation < request.profile.launches; ++request.invocation) {
    const int launched = measure(request);
    if (code == exit_codes::ok) code = launched;
    if (launched == exit_codes::interrupted) {
      code = launched;
      break;
    }
  }
  // An interrupted run's files keep the names that say so.
  if (code != exit_codes::interrupted) finish_records(request.lab_folder);
  const int judged = judge_folder(request.lab_folder, experiments());
  if (request.profile.verdicts) raise_stored_ceilings(run.folder(), this_machine());
  if (code == exit_codes::ok) code = judged;
  run.finish(code == exit_codes::interrupted ? "interrupted" : "complete", code);
  fmt::print("results: {}\n", run.folder().string());
  return code;
}

int dispatch(const Options& options, const std::string& lab_id, const std::vector<std::string>& argv,
             const SplitWords& words) {
  if (!words.benchmark.empty()) return run_benchmarks(options, lab_id, words);
  if (options.describe) {
    fmt::print("{}", describe(experiments(), lab_id).dump());
    return exit_codes::ok;
  }
  if (!options.judge_folder.empty()) return judge_folder(options.judge_folder, experiments());
  const Runtime runtime(runtime_options(options.device_flags));
  LaunchRequest request = request_from(options, lab_id);
  if (options.check) return exit_codes::ok;
  if (options.invocation == 0) note_idle_flags(options, request);
  if (options.run_folder.empty()) return run_alone(request, options, argv);
  const Run run = Run::open(options.run_folder);
  request.run_id = run.id();
  request.lab_folder = run.lab_folder(lab_id);
  return measure(request);
}

int parsed_and_done(int argc, char** argv, const char* lab_id) {
  CLI::App app(std::string("perflab lab ") + lab_id);
  Options options;
  declare(app, options);
  try {
    const std::vector<std::string> typed(argv, argv + argc);
    const SplitWords words = split_benchmark_flags(typed);
    app.parse(int(words.ours.size()), pointers_to(words.ours).data());
    return dispatch(options, lab_id, typed, words);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {}; see --help\n", lab_id, error.what());
    return exit_codes::usage;
  }
}

}  // namespace

int lab_main(int argc, char** argv, const char* lab_id) {
  if (!cpu_guard_passed()) return exit_codes::environment;
  catch_signals();
  int code = exit_codes::wrong;
  try {
    code = parsed_and_done(argc, argv, lab_id);
  } catch (...) {
    code = explain_failure(lab_id);
  }
  return code;
}

}  // namespace perflab

#include "driver/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/check.h"
#include "base/nearest.h"
#include "bench/build_info.h"
#include "bench/run.h"

namespace perflab {
namespace {

const CLI::Validator not_empty(
    [](const std::string& text) { return text.empty() ? std::string("it is empty; want a folder") : ""; }, "",
    "not empty");

constexpr const char* run_examples =
    "Examples:\n"
    "  perflab run                          all labs, profile quick\n"
    "  perflab run 04                       one lab; '04_hardware', 'hardware' and '0*' work too\n"
    "  perflab run 04 --set threads=1,2     other values for an axis\n"
    "  perflab run 04 --fault 1             with a planted fault: which gate catches it?\n"
    "  perflab run --resume latest          finish what Ctrl-C stopped\n"
    "Results go to a new folder each time; nothing is overwritten. Ctrl-C keeps complete blocks.";

void add_out(CLI::App* verb, Options& options) {
  verb->add_option("--out", options.out, "Parent of the run's folder (default: results/ of the project)")
      ->check(not_empty);
}

void add_no_plots(CLI::App* verb, Options& options) {
  bool* plots = &options.plots;
  verb->add_flag_callback(
      "--no-plots", [plots] { *plots = false; }, "Measure and judge only: no charts, no report.html");
}

void add_profile(CLI::App* verb, Options& options) {
  verb->add_option("--profile", options.profile,
                   "How much patience: smoke, quick (default), article, reproduce, or your own FILE.toml");
}

void add_list(CLI::App& app, Options& options) {
  CLI::App* list = app.add_subcommand(
      "list", "Show the labs, their questions, experiments and planted faults; of a LAB also its claims");
  list->add_option("LAB", options.labs,
                   "Labs by number, name or pattern (default: all, without their claims)");
  list->add_flag("--json", options.json, "Everything about every lab, as JSON");
}

void add_doctor(CLI::App& app, Options& options) {
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Say what this machine can and cannot tell, and what would help; changes no setting");
  doctor->add_flag("--json", options.json, "The same as JSON");
  add_out(doctor, options);
}

void add_predict(CLI::App& app, Options& options) {
  CLI::App* predict = app.add_subcommand(
      "predict", "Say what you expect of a lab, then measure it and see how near you were");
  predict->add_option("LAB", options.lab, "One lab by number or name")->required();
  predict->add_option("--set", options.answers, "An answer without a terminal: --set QUESTION=1.5..3")
      ->allow_extra_args(false);
  bool* ask = &options.ask;
  predict->add_flag_callback(
      "--no-predict", [ask] { *ask = false; }, "Ask nothing: measure what the questions are about");
  add_profile(predict, options);
  add_out(predict, options);
  add_no_plots(predict, options);
}

void add_tour(CLI::App& app, Options& options) {
  CLI::App* tour = app.add_subcommand(
      "tour", "One question per lab: predict, measure for less than a minute, see (what perflab alone does)");
  bool* ask = &options.ask;
  tour->add_flag_callback(
      "--no-predict", [ask] { *ask = false; }, "Ask nothing, just measure and show");
  add_out(tour, options);
  add_no_plots(tour, options);
}

void add_compare(CLI::App& app, Options& options) {
  CLI::App* compare = app.add_subcommand(
      "compare",
      "Every case that two runs share: how many times as long it took in B as in A, with an interval");
  compare->add_option("RUN_A", options.run_a, "Run to compare with: its id, its path, or 'latest'")
      ->required();
  compare->add_option("RUN_B", options.run_b, "Run that is judged")->required();
  compare
      ->add_option(
          "--slower-than", options.slower_than,
          "Ratio of times that counts as slower (default 1.05); exit code 1 if an interval lies above")
      ->check(CLI::Range(1.0, 1000.0));
  compare->add_flag("--csv", options.csv, "All cases as CSV on standard output, and nothing else there");
  add_out(compare, options);
  compare->footer(
      "Exit code: 0 nothing is slower, 1 the whole interval of some case lies above the ratio, 3 the "
      "question\n"
      "cannot be answered (no shared case with enough samples, or two machines), 2 usage, 4 broken data.");
}

void add_import(CLI::App& app, Options& options) {
  CLI::App* import = app.add_subcommand(
      "import", "Read a JSON file of Google Benchmark or the text of nccl-tests into a run of its own");
  import->add_option("FILE", options.file, "What the other program wrote")->required();
  add_out(import, options);
}

void add_run(CLI::App& app, Options& options) {
  CLI::App* run =
      app.add_subcommand("run", "Measure labs, judge their claims, draw charts, write report.html");
  run->add_option("LAB", options.labs, "Labs by number, name or pattern (default: all)");
  add_profile(run, options);
  add_out(run, options);
  run->add_option("--resume", options.resume, "Finish an interrupted run: its id, its path, or 'latest'");
  run->add_option("--devices", options.devices, "Device to measure on (default cpu:0)");
  run->add_option("--cpu-devices", options.device_flags.cpu_devices, DeviceFlags::cpu_devices_help)
      ->check(CLI::Range(1, 64));
  run->add_option("--cores-per-device", options.device_flags.cores_per_device, DeviceFlags::cores_help)
      ->check(CLI::Range(1, 1024));
  run->add_option("--link", options.device_flags.link, DeviceFlags::link_help);
  run->add_option("--seed", options.seed, "Seed of inputs and of the order within blocks (default 1)")
      ->check(CLI::Range(std::uint64_t(0), (std::uint64_t(1) << 53) - 1));
  // One value each: a greedy list would swallow the labs that follow it.
  run->add_option("--set", options.set, "Other values for an axis: --set threads=1,2 (may be repeated)")
      ->allow_extra_args(false);
  run->add_option("--fault", options.fault, "Switch planted fault N of the lab on; no claim is decided then")
      ->check(CLI::Range(0, 99));
  add_no_plots(run, options);
  run->footer(
      std::string(run_examples) +
      "\nWhat follows -- goes to the lab programs themselves; with --benchmark_* flags there, one lab runs\n"
      "under Google Benchmark, and nothing is stored or judged: run 04 -- --benchmark_list_tests=true");
}

void add_stored(CLI::App& app, const char* name, const char* what, Options& options) {
  CLI::App* verb = app.add_subcommand(name, what);
  verb->add_option("RUN", options.run, "A run's id, its path, or 'latest' (default)");
  add_out(verb, options);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Unknown words are looked for first, because the library can only say that they are unknown, not what was
// meant.
void check_words(CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  if (words.empty() || words.front().starts_with("-")) return;
  if (std::find(verbs.begin(), verbs.end(), words.front()) == verbs.end())
    fail(ErrorKind::usage, "{}", unknown_text("verb", words.front(), verbs));
  const std::vector<std::string> known = option_names(*app.get_subcommand(words.front()));
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("--") && std::find(known.begin(), known.end(), name) == known.end())
      fail(ErrorKind::usage, "{}", unknown_text("option", name, known));
  }
}

// What stands in the way of resuming: these options are the stored run's to decide.
std::vector<std::string> choices_in(const CLI::App& run) {
  std::vector<std::string> choices;
  for (const char* name : {"LAB", "--profile", "--devices", "--cpu-devices", "--cores-per-device", "--link",
                           "--seed", "--set", "--fault"})
    if (run.get_option(name)->count() > 0) choices.push_back(name);
  return choices;
}

int explain(const std::string& verb, const std::string& what) {
  fmt::print(stderr, "perflab{}{}: {}; see perflab{}{} --help\n", verb.empty() ? "" : " ", verb, what,
             verb.empty() ? "" : " ", verb);
  return exit_codes::usage;
}

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv) {
  ParsedOptions parsed;
  Options& options = parsed.options;
  options.argv.assign(argv, argv + argc);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const auto separator = std::find(words.begin(), words.end(), "--");
  if (separator != words.end()) options.lab_flags.assign(separator + 1, words.end());
  words.erase(separator, words.end());

  CLI::App app(
      "perflab measures performance advice for training neural networks on this machine and says what holds "
      "here, and why.",
      "perflab");
  app.set_version_flag("--version", "perflab " + build_info().suite_version);
  app.require_subcommand(1);
  app.footer(
      "`perflab VERB --help` explains one verb. Exit code: 0 ok, 1 a result was wrong, 2 usage, 3 no valid "
      "samples,\n"
      "4 a broken data file, 5 a write failed, 6 this system cannot run it, 7 distributed mismatch, 130 "
      "interrupted.");
  add_list(app, options);
  add_doctor(app, options);
  add_run(app, options);
  add_predict(app, options);
  add_tour(app, options);
  add_compare(app, options);
  add_import(app, options);
  add_stored(app, "plot", "Draw the charts of a run again", options);
  add_stored(app, "report", "Check a run's files, judge it again, draw its charts and write its report.html",
             options);
  const std::string verb = words.empty() || words.front().starts_with("-") ? "" : words.front();
  try {
    check_words(app, words);
    app.parse(
        std::vector<std::string>(words.rbegin(), words.rend()));  // the library wants them last to first
    options.verb = app.get_subcommands().front()->get_name();
    if (options.verb == "run") options.run_choices = choices_in(*app.get_subcommand("run"));
    if (!options.lab_flags.empty() && options.verb != "run")
      fail(ErrorKind::usage, "what follows -- is for run only");
  } catch (const CLI::Success& success) {
    parsed.exit_code = app.exit(success);
  } catch (const CLI::ParseError& error) {
    parsed.exit_code = explain(verb, error.what());
  } catch (const Error& error) {
    parsed.exit_code = explain(verb, error.what());
  }
  if (options.out.empty()) options.out = default_results_folder().string();
  return parsed;
}

}  // namespace perflab

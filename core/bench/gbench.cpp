// The only file that includes Google Benchmark. It uses what 1.7.1 and 1.9 have in common; `main` is ours,
// because theirs starts the program a second time to switch address randomisation off (1.9.3 and later).

#include "bench/gbench.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "base/check.h"
#include "base/process.h"
#include "bench/build_info.h"
#include "bench/gbench_cases.h"
#include "bench/gbench_flags.h"

namespace perflab {
namespace {

using Reporter = benchmark::BenchmarkReporter;

std::string library_version() {
  for (const auto& [name, version] : build_info().libraries)
    if (name == "google_benchmark") return version;
  return "";
}

// --- Reporters: the library's own, less what would break their files
// ------------------------------------------

// The spread of a counter that is zero is 0/0, which 1.7.1 prints as NaN: no JSON reader takes that.
std::vector<Reporter::Run> finite(std::vector<Reporter::Run> runs) {
  std::erase_if(runs, [](const Reporter::Run& run) {
    return !std::isfinite(run.real_accumulated_time) || !std::isfinite(run.cpu_accumulated_time);
  });
  for (Reporter::Run& run : runs)
    std::erase_if(run.counters, [](const auto& counter) { return !std::isfinite(counter.second.value); });
  return runs;
}

// The library never looks at its stream again after opening it.
void check_written(std::ostream& stream, const std::string& where) {
  stream.flush();
  if (!stream) fail(ErrorKind::io, "{}: a write failed; the disk may be full", where);
}

template <typename Base>
class Careful : public Base {
 public:
  explicit Careful(std::string where) : where_(std::move(where)) {}
  void ReportRuns(const std::vector<Reporter::Run>& runs) override {
    Base::ReportRuns(finite(runs));
    check_written(this->GetOutputStream(), where_);
  }
  void Finalize() override {
    Base::Finalize();
    check_written(this->GetOutputStream(), where_);
  }

 private:
  std::string where_;
};

// 1.7.1 and 1.9 call it deprecated, and both have it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
// Its columns are those of the first rows, and a later counter that is not among them ends the program. So it
// is shown a row with all of them first, of which only the header is kept. What it says about the machine
// goes to stderr instead of into the file.
class Csv : public Careful<benchmark::CSVReporter> {
 public:
  Csv(std::string where, std::vector<std::string> counters)
      : Careful(std::move(where)), counters_(std::move(counters)) {}
  bool ReportContext(const Context& context) override {
    SetErrorStream(&std::cerr);
    return Careful::ReportContext(context);
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    if (!std::exchange(has_header_, true)) write_header();
    Careful::ReportRuns(runs);
  }

 private:
  void write_header() {
    Run all;
    for (const std::string& counter : counters_) all.counters[counter] = 0;
    std::ostream& file = GetOutputStream();
    std::ostringstream scratch;
    SetOutputStream(&scratch);
    Careful::ReportRuns({all});
    SetOutputStream(&file);
    const std::string text = scratch.str();
    file << text.substr(0, text.find('\n') + 1);
  }

  std::vector<std::string> counters_;
  bool has_header_ = false;
};
#pragma GCC diagnostic pop

// The library's own table, which knows about terminals and colours. The library keeps it.
class Console : public Reporter {
 public:
  bool ReportContext(const Context& context) override { return table_.ReportContext(context); }
  void ReportRuns(const std::vector<Run>& runs) override { table_.ReportRuns(finite(runs)); }
  void Finalize() override { table_.Finalize(); }

 private:
  Reporter& table_ = *benchmark::CreateDefaultDisplayReporter();
};

// Null: the library's own, for a table in a file.
std::unique_ptr<Reporter> reporter_for(const std::string& format, const std::string& where,
                                       const std::vector<std::string>& counters) {
  if (format == "json") return std::make_unique<Careful<benchmark::JSONReporter>>(where);
  if (format == "csv") return std::make_unique<Csv>(where, counters);
  return where == "stdout" ? std::make_unique<Console>() : nullptr;
}

// --- Flags
// ----------------------------------------------------------------------------------------------------

void initialize(const std::string& program, const std::vector<std::string>& flags) {
  check_benchmark_flags(flags);
  std::vector<char*> argv = pointers_to(flags);
  argv.insert(argv.begin(), const_cast<char*>(program.c_str()));  // the library keeps it, for its context
  int argc = int(flags.size()) + 1;
  // For a bad value of some flags the library prints its help and ends the program with exit code 0.
  benchmark::Initialize(&argc, argv.data(), [] {
    fail(ErrorKind::usage, "a --benchmark_* flag has a value that Google Benchmark {} does not take",
         library_version());
  });
  if (argc > 1) fail(ErrorKind::usage, "{}", unknown_benchmark_flag(argv[1], library_version()));
}

// An importer must know what it reads.
void add_context(const LaunchRequest& request) {
  benchmark::AddCustomContext("perflab_version", build_info().suite_version);
  benchmark::AddCustomContext("perflab_lab", request.lab_id);
  benchmark::AddCustomContext("perflab_profile", request.profile.name);
  benchmark::AddCustomContext("perflab_seed", std::to_string(request.seed));
  benchmark::AddCustomContext("perflab_device", request.device);
  benchmark::AddCustomContext("perflab_fault", std::to_string(request.fault));
  benchmark::AddCustomContext("perflab_google_benchmark", library_version());
}

// --- Benchmarks
// -----------------------------------------------------------------------------------------------

// 1.8 and later know a skipped case from a failed one; before, both are errors, and the text says which.
template <typename State>
void skip(State& state, const std::string& text) {
  if constexpr (requires { state.SkipWithMessage(text); }) state.SkipWithMessage(text);
  else state.SkipWithError(text.c_str());
}

class FrontEnd {
 public:
  FrontEnd(const std::deque<Experiment>& experiments, const LaunchRequest& request, const LaunchTools& tools)
      : request_(request),
        cases_(experiments, request),
        context_{.clock = tools.clock,
                 .probe = tools.probe,
                 .profile = request.profile,
                 .clock_quality = measure_quality(tools.clock),
                 .run_start_ns = tools.clock.now_ns(),
                 .lab_start_ns = tools.clock.now_ns(),
                 .interrupted = tools.interrupted,
                 .keep = nullptr} {
    for (const CasesOnDemand::Name& name : cases_.names())
      benchmark::RegisterBenchmark(name.text.c_str(),
                                   [this, &name](benchmark::State& state) { run(state, name); })
          ->UseManualTime()
          ->MeasureProcessCPUTime();  // of all threads, as our labs manage their own
  }
  ~FrontEnd() { benchmark::ClearRegisteredBenchmarks(); }
  FrontEnd(const FrontEnd&) = delete;
  FrontEnd& operator=(const FrontEnd&) = delete;

  std::vector<std::string> counters() const {
    std::vector<std::string> names = cases_.metric_names(), more = extra_counters();
    names.insert(names.end(), more.begin(), more.end());
    return names;
  }

  // The first that applies.
  int exit_code() const {
    for (const int code :
         {exit_codes::interrupted, exit_codes::wrong, exit_codes::no_samples, exit_codes::ok})
      if (ends_.contains(code)) return code;
    return ends_.empty() ? exit_codes::ok : exit_codes::nothing_to_test;
  }

 private:
  // The library calls this once per repetition, and several times before that to find the iterations.
  void run(benchmark::State& state, const CasesOnDemand::Name& name) {
    if (context_.interrupted()) return failed(state, exit_codes::interrupted, "interrupted");
    Prepared& prepared = cases_.get(name);
    if (prepared.status == "skipped") {
      ends_.insert(exit_codes::nothing_to_test);
      return skip(state, fmt::format("skipped: {}: {}", prepared.status_reason, prepared.status_text));
    }
    if (prepared.status != "ok")
      return failed(state, exit_codes::wrong,
                    fmt::format("{}: {}", prepared.status_reason, prepared.status_text));
    // All iterations in one turn of the library's loop: its bookkeeping stays outside the clock.
    Iterations done;
    while (state.KeepRunningBatch(state.max_iterations)) {
      done = run_iterations(prepared, state.max_iterations, request_.fault, context_);
      if (done.exit_code != 0) return failed(state, done.exit_code, done.error);
      state.SetIterationTime(done.finish_ns * 1e-9);
    }
    ends_.insert(exit_codes::ok);
    for (const auto& [counter, value] : done.counters) state.counters[counter] = value;
    if (!done.label.empty()) state.SetLabel(done.label);
  }

  void failed(benchmark::State& state, int code, const std::string& text) {
    ends_.insert(code);
    state.SkipWithError(text.c_str());
  }

  const LaunchRequest& request_;
  CasesOnDemand cases_;
  const SamplerContext context_;
  std::set<int> ends_;
};

}  // namespace

int run_google_benchmark(const std::deque<Experiment>& experiments, const LaunchRequest& request,
                         const LaunchTools& tools, const std::string& program,
                         const std::vector<std::string>& flags) {
  initialize(program, flags);
  add_context(request);
  FrontEnd front_end(experiments, request, tools);
  const std::string file = benchmark_flag(flags, "out"), file_format = benchmark_flag(flags, "out_format");
  const auto display = reporter_for(benchmark_flag(flags, "format"), "stdout", front_end.counters());
  std::unique_ptr<Reporter> to_file;
  if (!file.empty())
    to_file = reporter_for(file_format.empty() ? "json" : file_format, file, front_end.counters());
  if (benchmark::RunSpecifiedBenchmarks(display.get(), to_file.get()) == 0)
    fail(ErrorKind::usage,
         "no benchmark of {} matches --benchmark_filter={}; --benchmark_list_tests=true lists them",
         request.lab_id, benchmark::GetBenchmarkFilter());
  check_written(std::cout, "stdout");
  return front_end.exit_code();
}

}  // namespace perflab

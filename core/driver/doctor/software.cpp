#include <fmt/format.h>

#include <array>

#include "bench/build_info.h"
#include "driver/doctor/rules.h"

namespace perflab {
namespace {

struct Minimum {
  const char* name;
  const char* version;  // the oldest that the suite is known to build or to draw with
};
constexpr std::array least_libraries = {
    Minimum{"fmt", "9.0"},          Minimum{"CLI11", "2.1"},   Minimum{"nlohmann_json", "3.11"},
    Minimum{"tomlplusplus", "3.3"}, Minimum{"OpenSSL", "3.0"}, Minimum{"OpenMP", "4.5"}};
constexpr std::array least_modules = {Minimum{"python", "3.11"}, Minimum{"numpy", "1.24"},
                                      Minimum{"matplotlib", "3.6"}, Minimum{"jinja2", "3.0"}};
constexpr const char* least_compiler = "12.0";

using Versions = std::vector<std::pair<std::string, std::string>>;

// "numpy 1.24.2 (want 1.24)"; `old` collects the names of those that are older.
template <std::size_t n>
std::string versions_text(const Versions& versions, const std::array<Minimum, n>& least, std::string& old) {
  std::string text;
  for (const auto& [name, version] : versions)
    for (const Minimum& one : least) {
      if (one.name != name) continue;
      text += fmt::format("{}{} {} (>= {})", text.empty() ? "" : ", ", name, version, one.version);
      if (is_older(version, one.version)) old += (old.empty() ? "" : ", ") + name;
    }
  return text;
}

constexpr const char* chart_packages = "sudo apt-get install python3-numpy python3-matplotlib python3-jinja2";

Finding python(const DoctorFacts& facts) {
  const Tools& tools = facts.tools;
  if (!tools.charts.passed_over.empty())
    return warn(tools.charts.passed_over, "correct PERFLAB_PYTHON, or unset it");
  if (tools.charts.program.empty())
    return warn(fmt::format("none of {} has numpy, matplotlib and jinja2", tools.charts.tried),
                chart_packages, "runs measure and judge all the same; charts and report.html are left out");
  std::string old;
  // The last one tried is the one that has them all.
  const std::size_t others = tools.charts.tried.rfind(", ");
  const std::string passed_over =
      others == std::string::npos
          ? ""
          : fmt::format(" ({} is missing or lacks some)", tools.charts.tried.substr(0, others));
  const std::string value = fmt::format("{}{}: {}", tools.charts.program, passed_over,
                                        versions_text(tools.charts.versions, least_modules, old));
  if (old.empty()) return pass(value);
  return warn(value, fmt::format("bring {} up to date", old), "older than what charts are tested with");
}

Finding blas(const DoctorFacts& facts) {
  const PeerFound& numpy = facts.tools.numpy;
  if (!numpy.absent.empty())
    return warn(numpy.absent, "sudo apt-get install python3-numpy libopenblas0-pthread",
                "cases that compare with NumPy are skipped");
  const PeerIdentity& who = numpy.identity;
  if (who.blas.empty()) return unknown(fmt::format("NumPy {}: its BLAS is not recognised", who.version));
  const std::string value = fmt::format("NumPy {} on {}: {} by default, {} usable", who.version, who.blas,
                                        counted(who.blas_threads, "thread"), counted(facts.cpus(), "CPU"));
  if (who.blas_threads > facts.cpus())
    return warn(value,
                fmt::format("export OPENBLAS_NUM_THREADS={} OMP_NUM_THREADS={} in your programs",
                            facts.cpus(), facts.cpus()),
                "more threads than CPUs wait for each other; labs set their own number");
  if (who.blas == "reference BLAS")
    return warn(value, "sudo apt-get install libopenblas0-pthread",
                "products are some ten times slower with it");
  return pass(value);
}

Finding torch(const DoctorFacts& facts) {
  const PeerFound& found = facts.tools.torch;
  if (!found.absent.empty())
    return warn(found.absent, "sudo apt-get install python3-torch", "cases that compare with it are skipped");
  return pass(fmt::format("PyTorch {} for {}", found.identity.version, found.identity.runtime));
}

Finding libtorch(const DoctorFacts& facts) {
  const PeerFound& found = facts.tools.torch_cpp;
  if (!found.absent.empty())
    return warn(found.absent, "sudo apt-get install libtorch-dev && ./perflab build",
                "cases that issue PyTorch's operators from C++ are skipped");
  return pass(fmt::format("PyTorch's C++ library {}, {}", found.identity.version,
                          counted(found.identity.threads, "thread")));
}

Finding mpi(const DoctorFacts& facts) {
  if (facts.tools.mpi.empty())
    return warn("no mpirun on the PATH", "sudo apt-get install openmpi-bin libopenmpi-dev",
                "what runs as several processes is skipped");
  return pass("mpirun " + facts.tools.mpi);
}

Finding compiler(const DoctorFacts& facts) {
  const BuildInfo& build = build_info();
  const std::string built = fmt::format("; built with {} {}", build.compiler, build.compiler_version);
  const std::string& here = facts.tools.compiler;
  if (here.empty())
    return warn("no c++ on the PATH" + built, "sudo apt-get install g++",
                "code that is compiled while a lab runs is skipped");
  if (is_older(here, least_compiler) && build.compiler == "GNU")
    return warn(fmt::format("c++ {} (>= {}){}", here, least_compiler, built), "sudo apt-get install g++-12");
  return pass(fmt::format("c++ {} (>= {}){}", here, least_compiler, built));
}

Finding libraries(const DoctorFacts& facts) {
  std::string old;
  const std::string value = versions_text(facts.build.libraries, least_libraries, old);
  if (old.empty()) return pass(value);
  return warn(value, fmt::format("bring {} up to date and build again", old),
              "older than what the suite is tested with");
}

Finding build(const DoctorFacts& facts) {
  const BuildInfo& info = build_info();
  const BuildState& state = facts.build;
  const bool native = info.flags.find("-march=native") != std::string::npos;
  std::string value = fmt::format("{}, {}", info.type, native ? "for this CPU" : "portable");
  if (!info.sanitizer.empty()) value += fmt::format(", {} sanitizer", info.sanitizer);
  value += state.commit.empty()
               ? ", no git checkout"
               : fmt::format(", source at {}{}", state.commit, state.dirty ? " with changes" : "");
  if (!state.newer_source.empty())
    return warn(value + ", " + state.newer_source + " was changed after the build", "./perflab build",
                "run does this by itself, the other verbs use what is built");
  if (info.type != "Release" || !info.sanitizer.empty())
    return warn(value, "./perflab clean && ./perflab build", "times of this build say nothing");
  if (!native)
    return warn(value, "./perflab clean && ./perflab build", "kernels are slower than they could be here");
  return state.known ? pass(value) : unknown(value + ", age of the build not told");
}

constexpr std::array checks = {
    Check{"python", "Software", python},    Check{"blas", "Software", blas},
    Check{"torch", "Software", torch},      Check{"libtorch", "Software", libtorch},
    Check{"mpi", "Software", mpi},          Check{"compiler", "Software", compiler},
    Check{"libraries", "Build", libraries}, Check{"build", "Build", build}};

}  // namespace

std::span<const Check> software_checks() { return checks; }

}  // namespace perflab

#include "driver/doctor/facts.h"

#include <algorithm>

#include "base/check.h"
#include "base/process.h"
#include "bench/build_info.h"
#include "bench/preflight.h"
#include "bench/sha256.h"
#include "device/runtime.h"
#include "driver/campaign.h"
#include "driver/labs.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool is_source(const fs::path& file) {
  const std::string name = file.filename().string();
  const bool compiled = name.ends_with(".cpp") || name.ends_with(".h") || name.ends_with(".cu") ||
                        name.ends_with(".cmake") || name == "CMakeLists.txt" || name.ends_with(".in");
  return compiled && !name.ends_with("_test.cpp");
}

// The newest source file that is younger than the last command of the build; "" if none is.
std::string newer_than_build(const BuildInfo& build, bool& known) {
  std::error_code error;
  const auto built = fs::last_write_time(build.binary_dir / ".ninja_log", error);
  known = !error && fs::is_directory(build.source_dir / "core", error);
  if (!known) return "";
  std::string newest;
  auto latest = built;
  const auto look_at = [&](const fs::path& file) {
    const auto written = fs::last_write_time(file, error);
    if (error || written <= latest || !is_source(file)) return;
    latest = written;
    newest = file.lexically_relative(build.source_dir).generic_string();
  };
  look_at(build.source_dir / "CMakeLists.txt");
  for (const char* folder : {"core", "labs", "cmake"})
    for (fs::recursive_directory_iterator entry(build.source_dir / folder, error), end;
         !error && entry != end; entry.increment(error))
      look_at(entry->path());
  return newest;
}

BuildState build_state() {
  const BuildInfo& build = build_info();
  BuildState state;
  state.newer_source = newer_than_build(build, state.known);
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "--no-optional-locks", "-C", build.source_dir.string()});
    return capture(words);
  };
  // A tree inside somebody else's repository has a prefix there, and that commit says nothing about it.
  if (const Captured prefix = git({"rev-parse", "--show-prefix"});
      prefix.ok && first_line(prefix.output).empty())
    state.commit = first_line(git({"rev-parse", "--short=12", "HEAD"}).output);
  if (!state.commit.empty()) state.dirty = !git({"status", "--porcelain"}).output.empty();
  for (const auto& [name, version] : build.libraries)
    if (!version.empty()) state.libraries.emplace_back(name, version);
  state.libraries.emplace_back("OpenSSL", first_version(sha256_library()));
  return state;
}

void read_labs(DoctorFacts& facts) {
  try {
    for (const Lab& lab : find_labs(labs_folder()))
      for (const Json& claim : lab.description.at("claims").array()) {
        const ClaimNeed need{lab.id, claim.at("claim_id").text(), claim.text_or("needs_hw", "")};
        const bool known = std::any_of(facts.claims.begin(), facts.claims.end(), [&](const ClaimNeed& one) {
          return one.claim == need.claim && one.needs == need.needs;
        });
        if (!known) facts.claims.push_back(need);  // a claim's parts are one claim
      }
    if (facts.claims.empty()) facts.labs_problem = "no lab is built in " + labs_folder().string();
  } catch (const Error& error) {
    facts.labs_problem = error.what();
  }
}

}  // namespace

const Json* Items::value(std::string_view name) const {
  const Json* item = items_.find(name);
  const Json* value = item == nullptr ? nullptr : item->find("value");
  return value == nullptr || value->is_null() ? nullptr : value;
}

namespace {

template <typename T>
std::optional<T> held(const Json* value) {
  std::optional<T> found;
  if (value != nullptr)
    value->visit([&](const auto& one) {
      if constexpr (std::is_same_v<std::decay_t<decltype(one)>, T>) found = one;
    });
  return found;
}

}  // namespace

std::optional<double> Items::number(std::string_view name) const { return held<double>(value(name)); }
std::optional<bool> Items::flag(std::string_view name) const { return held<bool>(value(name)); }
std::string Items::text(std::string_view name) const { return held<std::string>(value(name)).value_or(""); }

bool Items::warns(std::string_view name) const {
  const Json* item = items_.find(name);
  return item != nullptr && item->text_or("status", "") == "WARN";
}

bool DoctorFacts::in_container() const {
  const std::string container = environment.text("container");
  return !container.empty() && container != "none found";
}

fs::path nearest_existing(const fs::path& folder) {
  std::error_code error;
  fs::path at = fs::absolute(folder, error).lexically_normal();
  while (!fs::exists(at, error) && at.has_relative_path()) at = at.parent_path();
  return at;
}

ResultsFolder try_results(const fs::path& out, double expected_bytes) {
  ResultsFolder results{.folder = out, .wanted_bytes = double(free_space_factor) * expected_bytes};
  try {
    // Where it is yet to be made, in the folder that it would be made in: the doctor leaves nothing behind.
    preflight(nearest_existing(out), std::int64_t(expected_bytes));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::environment) return results;  // the clock's, which has a check of its own
    results.problem = error.what();
    results.full = error.kind() == ErrorKind::io;
  }
  return results;
}

DoctorFacts gather_facts(const fs::path& out) {
  DoctorFacts facts;
  facts.environment = Items(environment_json(read_environment(nearest_existing(out))));
  facts.build = build_state();
  read_labs(facts);
  std::size_t labs = 0;
  std::string last;
  for (const ClaimNeed& claim : facts.claims) {
    labs += claim.lab != last;
    last = claim.lab;
  }
  facts.results = try_results(out, double(bytes_per_lab) * double(std::max<std::size_t>(labs, 1)));
  facts.gpu = probe_gpu("/proc/self/exe");
  std::error_code error;
  facts.wsl_driver = fs::exists("/usr/lib/wsl/lib/libcuda.so.1", error);
  facts.no_cuda_reason = Runtime::current().no_cuda_reason();
  facts.tools = find_tools();
  facts.during = Items(environment_json(read_environment_end(facts.environment.json())));
  return facts;
}

}  // namespace perflab

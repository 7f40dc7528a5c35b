// What differs between two runs apart from their numbers: machine, program, settings, claims, verdicts.

#include <algorithm>
#include <array>
#include <set>

#include "base/check.h"
#include "base/units.h"
#include "bench/comparison_parts.h"

namespace perflab {
namespace {

// Hardware, and how much of it the run might use. Two runs that differ here were made on two machines, as far
// as their times are concerned.
constexpr std::array machine_items = {"cpu_model",      "sockets",        "physical_cores", "logical_cpus",
                                      "effective_cpus", "numa_nodes",     "cache_L1_bytes", "cache_L2_bytes",
                                      "cache_L3_bytes", "host_name_hash", "hosts",          "gpus"};
constexpr std::array environment_items = {"os",
                                          "kernel",
                                          "container",
                                          "wsl",
                                          "microcode",
                                          "memory_bytes",
                                          "clock_source",
                                          "aslr",
                                          "smt_active",
                                          "thread_team",
                                          "cpufreq_governor",
                                          "cpu_boost",
                                          "library_libc",
                                          "variables",
                                          "memory_policy",
                                          "transparent_huge_pages",
                                          "numa_balancing"};
constexpr std::array manifest_items = {"profile",           "seed",          "fault",
                                       "suite_version",     "git_commit",    "git_dirty",
                                       "dirty_diff_sha256", "claims_sha256", "lab_schema_sha256",
                                       "host_alias"};
// Of an imported run these describe the program that imported it, not the one that measured.
const std::set<std::string> of_our_program = {"suite_version",     "git_commit",    "git_dirty",
                                              "dirty_diff_sha256", "claims_sha256", "lab_schema_sha256",
                                              "host_alias",        "seed"};
constexpr std::array build_items = {"compiler", "version", "flags", "type", "lto", "sanitizer"};
constexpr std::array import_items = {
    "kind",        "producer",        "producer_version", "producer_build_type", "perflab_version",
    "perflab_lab", "perflab_profile", "perflab_seed",     "perflab_device",      "perflab_fault"};

struct AsText {
  std::string operator()(std::nullptr_t) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(double value) const { return format_number(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const Json::Array& array) const { return lines(Json(array)); }
  std::string operator()(const Json::Object& object) const { return lines(Json(object)); }

  static std::string lines(const Json& json) {
    std::string text;
    for (const char c : json.dump())
      if (c != '\n') text += c;
    return text;
  }
};

std::string text_of(const Json* json) { return json == nullptr ? "" : json->visit(AsText{}); }

std::string item_of(const Json& environment, const char* name) {
  const Json* item = environment.find(name);
  return item == nullptr ? "" : text_of(item->find("value"));
}

template <typename Names, typename Get>
void add_differences(const Names& names, const std::string& prefix, const Get& get,
                     std::vector<Difference>& differences) {
  for (const auto& name : names) {
    const auto [a, b] = get(name);
    if (a != b) differences.push_back({prefix + std::string(name), a, b});
  }
}

std::vector<std::string> keys_of(const Json* a, const Json* b) {
  std::vector<std::string> keys;
  for (const Json* json : {a, b}) {
    if (json == nullptr) continue;
    for (const auto& [key, value] : json->object())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

}  // namespace

bool is_imported(const ComparedRun& run) { return run.manifest.find("import") != nullptr; }

std::string threaded_time_of(const ComparedRun& run) {
  const Json* import = run.manifest.find("import");
  return import == nullptr ? "" : import->text_or("threaded_real_time", "");
}

std::vector<Difference> machine_differences(const Json& a, const Json& b, bool& known) {
  std::vector<Difference> differences;
  known = false;
  for (const char* name : machine_items) {
    const std::string left = item_of(a, name), right = item_of(b, name);
    known = known || !left.empty() || !right.empty();
    if (left != right) differences.push_back({name, left, right});
  }
  return differences;
}

std::vector<Difference> other_differences(const ComparedRun& a, const ComparedRun& b) {
  std::vector<Difference> differences;
  const auto member = [](const ComparedRun& run, const char* object, std::string_view name) {
    const Json* found = run.manifest.find(object);
    return found == nullptr ? std::string() : text_of(found->find(name));
  };
  const bool imported = is_imported(a) && is_imported(b);
  for (const char* name : manifest_items) {
    if (imported && of_our_program.contains(name)) continue;
    const std::string left = text_of(a.manifest.find(name)), right = text_of(b.manifest.find(name));
    if (left != right) differences.push_back({name, left, right});
  }
  if (!imported) {
    add_differences(
        build_items, "build.",
        [&](const char* name) { return std::pair(member(a, "build", name), member(b, "build", name)); },
        differences);
    add_differences(
        keys_of(a.manifest.find("libs"), b.manifest.find("libs")), "library ",
        [&](const std::string& name) { return std::pair(member(a, "libs", name), member(b, "libs", name)); },
        differences);
  }
  add_differences(
      import_items, "import.",
      [&](const char* name) { return std::pair(member(a, "import", name), member(b, "import", name)); },
      differences);
  add_differences(
      environment_items, "",
      [&](const char* name) { return std::pair(item_of(a.environment, name), item_of(b.environment, name)); },
      differences);
  return differences;
}

void compare_verdicts(const ComparedRun& a, const ComparedRun& b, Comparison& comparison) {
  std::map<std::string, std::string> of_a, of_b;
  for (const auto& [run, all] : {std::pair(&a, &of_a), std::pair(&b, &of_b)})
    for (const ComparedLab& lab : run->labs)
      for (const auto& [claim, verdict] : lab.verdicts) (*all)[lab.lab_id + " " + claim] = verdict;
  for (const auto& [claim, verdict] : of_a) {
    const auto found = of_b.find(claim);
    if (found == of_b.end()) ++comparison.verdicts_one_sided;
    else if (found->second == verdict) ++comparison.verdicts_same;
    else comparison.verdicts.push_back({claim, verdict, found->second});
  }
  for (const auto& [claim, verdict] : of_b) comparison.verdicts_one_sided += !of_a.contains(claim);
}

}  // namespace perflab

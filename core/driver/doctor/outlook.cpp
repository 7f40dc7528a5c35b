// What can and cannot be told here: sentences made of facts.
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "driver/doctor/doctor.h"
#include "driver/doctor/rules.h"

namespace perflab {
namespace {

std::vector<std::string> parts_of(const std::string& needs) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < needs.size();) {
    const std::size_t end = std::min(needs.find(';', at), needs.size());
    parts.push_back(needs.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

int number_after_colon(const std::string& need) {
  return std::atoi(need.c_str() + std::min(need.find(':') + 1, need.size()));
}

// GPUs that the labs of this build can use.
int usable_gpus(const DoctorFacts& facts) {
  return facts.no_cuda_reason.empty() ? int(facts.gpu.devices.size()) : 0;
}

struct Needs {
  std::set<std::string> all, free;                      // claims
  std::map<int, std::set<std::string>> gpus;            // lacking: how many GPUs -> claims
  std::map<int, std::set<std::string>> cores;           // lacking: how many cores -> claims
  std::map<std::string, std::set<std::string>> others;  // only the run can find out -> claims
};

Needs sort_needs(const DoctorFacts& facts) {
  Needs needs;
  for (const ClaimNeed& claim : facts.claims) {
    needs.all.insert(claim.claim);
    bool lacking = false;
    for (const std::string& need : parts_of(claim.needs)) {
      if (lacking) break;  // the first one decides
      const int count = number_after_colon(need);
      if (need.starts_with("gpu:") && count > usable_gpus(facts)) needs.gpus[count].insert(claim.claim);
      else if (need.starts_with("cores:") && count > facts.cpus()) needs.cores[count].insert(claim.claim);
      else if (!need.starts_with("gpu:") && !need.starts_with("cores:"))
        needs.others[need].insert(claim.claim);
      else continue;
      lacking = true;
    }
    if (!lacking) needs.free.insert(claim.claim);
  }
  // A claim's parts may need different things: the one that is surely missing decides.
  const auto remove = [](std::set<std::string>& from, const std::map<int, std::set<std::string>>& lacking) {
    for (const auto& [count, claims] : lacking)
      for (const std::string& claim : claims) from.erase(claim);
  };
  for (auto& [count, claims] : needs.cores) remove(claims, needs.gpus);
  for (auto& [need, claims] : needs.others) {
    remove(claims, needs.gpus);
    remove(claims, needs.cores);
    for (const std::string& claim : claims) needs.free.erase(claim);
  }
  remove(needs.free, needs.gpus);
  remove(needs.free, needs.cores);
  return needs;
}

void add_claims(const DoctorFacts& facts, std::vector<Outlook>& list) {
  if (!facts.labs_problem.empty()) {
    list.push_back({false, "say which claims can be decided: " + facts.labs_problem});
    return;
  }
  const Needs needs = sort_needs(facts);
  list.push_back(
      {true, fmt::format("measure {} of the labs' {} claims: nothing that they need is missing here",
                         needs.free.size(), needs.all.size())});
  std::set<std::string> lacking;
  std::vector<std::string> reasons;
  for (const auto& [count, claims] : needs.gpus) {
    lacking.insert(claims.begin(), claims.end());
    reasons.push_back(fmt::format("{} needs_gpus:{}", claims.size(), count));
  }
  if (!lacking.empty())
    list.push_back({false, fmt::format("measure {} about GPUs: NOT TESTABLE HERE ({})",
                                       counted(double(lacking.size()), "claim"), fmt::join(reasons, ", "))});
  for (const auto& [count, claims] : needs.cores)
    if (!claims.empty())
      list.push_back({false, fmt::format("measure {}: NOT TESTABLE HERE (needs_cores:{}; {} usable)",
                                         counted(double(claims.size()), "claim"), count, facts.cpus())});
  std::vector<std::string> others;
  std::set<std::string> open;
  for (const auto& [need, claims] : needs.others) {
    open.insert(claims.begin(), claims.end());
    if (!claims.empty()) others.push_back(need);
  }
  if (!open.empty())
    list.push_back({false, fmt::format("say beforehand about {}: the run finds out whether there is {}",
                                       counted(double(open.size()), "claim"), fmt::join(others, ", "))});
}

void add_machine(const DoctorFacts& facts, std::vector<Outlook>& list) {
  const Items& env = facts.environment;
  if (const std::string emulator = env.text("emulation"); !emulator.empty() && emulator != "none found")
    list.push_back({false, "say anything about hardware: every time is the emulator's (" + emulator + ")"});
  list.push_back({true, "compare variants: they run in turn, and every ratio has an interval"});
  if (facts.virtual_machine())
    list.push_back(
        {false, "give times that hold for this CPU elsewhere: a virtual machine, whose times vary"});
  if (facts.cpus() < 2)
    list.push_back({false, "show overlap, threads or asynchrony: one CPU does one thing at a time"});
  if (const std::string kinds = env.text("core_kinds"); !kinds.empty() && kinds != "one kind")
    list.push_back({false, "show clean scaling over threads while fast and slow cores are mixed"});
  if (env.number("numa_nodes").value_or(1) <= 1)
    list.push_back({false, "compare local with remote memory: one NUMA node (one_numa_node)"});
  if (storage_of(env.text("results_filesystem")) != Storage::disk)
    list.push_back({false, "say anything about the disk below the results folder"});
  if (env.text("power_supply") == "on battery" || env.warns("load_average_start") ||
      env.warns("swap_used_bytes") || env.number("cgroup_quota_cpus"))
    list.push_back(
        {false, "separate small differences as it is now (see WARN above): expect more INCONCLUSIVE"});
}

}  // namespace

std::vector<Outlook> outlook(const DoctorFacts& facts) {
  std::vector<Outlook> list;
  add_claims(facts, list);
  add_machine(facts, list);
  std::stable_sort(list.begin(), list.end(),
                   [](const Outlook& a, const Outlook& b) { return a.can > b.can; });
  return list;
}

}  // namespace perflab

#pragma once
// DoctorFacts — everything that the doctor's rules look at: env.json's items, what changed while the doctor
// looked, the results folder, the programs and libraries around, the GPU, this build, the labs' claims.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/environment.h"
#include "bench/json.h"
#include "driver/doctor/gpu_probe.h"
#include "driver/doctor/tools.h"

namespace perflab {

// Items by name; a value that is unknown, or of another kind, is absent.
class Items {
 public:
  explicit Items(Json items = Json(Json::Object{})) : items_(std::move(items)) {}
  std::optional<double> number(std::string_view name) const;
  std::optional<bool> flag(std::string_view name) const;
  std::string text(std::string_view name) const;  // "" if absent
  bool warns(std::string_view name) const;        // env.json's own judgement
  const Json& json() const { return items_; }

 private:
  const Json* value(std::string_view name) const;
  Json items_;
};

struct ResultsFolder {
  std::filesystem::path folder;
  std::string problem{};  // why nothing can be written there; "" if it can
  bool full = false;      // the problem is room
  double wanted_bytes = 0;
};

struct BuildState {
  std::string commit;        // of the source tree; "" outside of a checkout
  bool dirty = false;        // it has changes that are not committed
  std::string newer_source;  // a source file changed after the last build; "" if none
  bool known = false;        // whether the two above could be found out
  std::vector<std::pair<std::string, std::string>> libraries;  // name, version
};

// One registered claim: what it needs in the words of claims.csv, "gpu:1;pcie4".
struct ClaimNeed {
  std::string lab, claim, needs;
};

struct DoctorFacts {
  Items environment, during;  // at the start; growth until the end
  ResultsFolder results;
  Tools tools;
  GpuProbe gpu;
  bool wsl_driver = false;     // /usr/lib/wsl/lib/libcuda.so.1 is there
  std::string no_cuda_reason;  // of the Runtime: one line; "" where it has CUDA devices
  BuildState build;
  std::vector<ClaimNeed> claims;
  std::string labs_problem;  // why the labs could not be asked

  bool virtual_machine() const { return environment.flag("hypervisor").value_or(false); }
  bool wsl() const { return environment.flag("wsl").value_or(false); }
  bool in_container() const;
  int cpus() const { return int(environment.number("effective_cpus").value_or(1)); }
};

// Asks the machine: some seconds where the GPU's driver or a library answers slowly, never more than ten.
DoctorFacts gather_facts(const std::filesystem::path& out);

// The first folder on the way up that exists: where a results folder would be made.
std::filesystem::path nearest_existing(const std::filesystem::path& folder);
// Tries it as every run does (preflight), with a probe file that is removed again.
ResultsFolder try_results(const std::filesystem::path& out, double expected_bytes);

}  // namespace perflab

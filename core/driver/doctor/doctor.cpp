#include "driver/doctor/doctor.h"

#include <fmt/format.h>

#include "base/check.h"
#include "driver/doctor/rules.h"

namespace perflab {

std::string counted(double count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

const char* health_text(Health health) {
  switch (health) {
    case Health::pass:
      return "PASS";
    case Health::warn:
      return "WARN";
    case Health::unknown:
      return "UNKNOWN";
    case Health::fail:
      break;
  }
  return "FAIL";
}

std::span<const Check> doctor_checks() {
  static const std::vector<Check> checks = [] {
    std::vector<Check> all;
    for (const auto& group : {processor_checks(), machine_checks(), memory_checks(), folder_checks(),
                              software_checks(), gpu_checks()})
      all.insert(all.end(), group.begin(), group.end());
    return all;
  }();
  return checks;
}

std::vector<Judged> judge_all(const DoctorFacts& facts) {
  std::vector<Judged> judged;
  for (const Check& check : doctor_checks()) judged.push_back({&check, check.judge(facts)});
  return judged;
}

int doctor_exit_code(const DoctorFacts& facts, const std::vector<Judged>& judged) {
  for (const Judged& one : judged)
    if (one.finding.health == Health::fail)
      return facts.results.full ? exit_codes::io : exit_codes::environment;
  return exit_codes::ok;
}

}  // namespace perflab

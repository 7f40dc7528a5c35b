#include <cstdio>

#include "base/check.h"
#include "base/stop.h"
#include "driver/doctor/doctor.h"
#include "driver/verbs.h"

namespace perflab {

int doctor_verb(const Options& options) {
  const DoctorFacts facts = gather_facts(options.out);
  if (stop_requested()) return exit_codes::interrupted;
  const std::vector<Judged> judged = judge_all(facts);
  fmt::print("{}", options.json ? doctor_json(facts, judged).dump() : doctor_text(facts, judged));
  return doctor_exit_code(facts, judged);
}

}  // namespace perflab

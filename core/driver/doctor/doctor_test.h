#pragma once
// Facts of a made-up machine, for tests of the doctor's rules.

#include <gtest/gtest.h>

#include <string>

#include "base/check.h"
#include "bench/environment_test.h"
#include "driver/doctor/doctor.h"

namespace perflab {

class DoctorTest : public MadeUpMachine {
 protected:
  // Whatever the made-up tree says, with everything else well and without a GPU.
  DoctorFacts facts(const std::filesystem::path& results = "/results") const {
    DoctorFacts facts;
    facts.environment = Items(read(results));
    facts.during = Items(environment_json(read_environment_end(facts.environment.json(), root_)));
    facts.results.folder = results;
    facts.gpu.searched = {"/lib/x86_64-linux-gnu"};
    facts.no_cuda_reason = "no CUDA: libperflab_cuda.so is not built";
    facts.tools.charts.program = "/usr/bin/python3";
    facts.tools.charts.versions = {
        {"python", "3.11.2"}, {"numpy", "1.24.2"}, {"matplotlib", "3.6.3"}, {"jinja2", "3.1.2"}};
    facts.tools.numpy.identity = {
        .library = "NumPy", .version = "1.24.2", .blas = "OpenBLAS 0.3.21", .blas_threads = 1};
    facts.tools.torch.identity = {.library = "PyTorch", .version = "1.13.1", .runtime = "Python 3.11.2"};
    facts.tools.torch_cpp.identity = {.library = "PyTorch", .version = "1.13.1"};
    facts.tools.mpi = "4.1.4";
    facts.tools.compiler = "12.2.0";
    facts.build = {.commit = "0123456789ab",
                   .dirty = false,
                   .newer_source = "",
                   .known = true,
                   .libraries = {{"fmt", "9.1.0"}, {"OpenSSL", "3.0.11"}}};
    facts.claims = {
        {"04_fake", "free", ""}, {"04_fake", "one-gpu", "gpu:1;pcie4"}, {"04_fake", "two-gpus", "gpu:2"}};
    return facts;
  }
  static Finding judge(const char* id, const DoctorFacts& facts) {
    for (const Check& check : doctor_checks())
      if (std::string_view(check.id) == id) return check.judge(facts);
    fail(ErrorKind::check, "doctor: there is no check '{}'", id);
  }
  Finding judge(const char* id) const { return judge(id, facts()); }
  std::string health(const char* id) const { return health_text(judge(id).health); }

  void put_virtual_machine() {
    put("/proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Imaginary 9000\nflags\t\t: fpu "
        "hypervisor\n");
  }
};

inline bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace perflab

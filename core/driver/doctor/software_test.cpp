#include <gtest/gtest.h>

#include "bench/build_info.h"
#include "driver/doctor/doctor_test.h"
#include "driver/python.h"

namespace perflab {
namespace {

using Software = DoctorTest;

}  // namespace

TEST_F(Software, VersionsAreReadFromWhatProgramsPrint) {
  EXPECT_EQ(first_version("mpirun (Open MPI) 4.1.4\n\nReport bugs"), "4.1.4");
  EXPECT_EQ(first_version("c++ (Debian 12.2.0-14) 12.2.0\n"), "12.2.0");
  EXPECT_EQ(first_version("OpenSSL 3.0.11 19 Sep 2023"), "3.0.11");
  EXPECT_EQ(first_version("no number\n1.2"), "");
  EXPECT_EQ(nvcc_release("Cuda compilation tools, release 13.0, V13.0.48\n"), "13.0");
  EXPECT_EQ(nvcc_release("nvcc: not found"), "");
}

TEST_F(Software, VersionsCompareNumberByNumber) {
  EXPECT_TRUE(is_older("9.1.0", "10"));
  EXPECT_TRUE(is_older("1.9", "1.24"));
  EXPECT_FALSE(is_older("1.24.2", "1.24"));
  EXPECT_FALSE(is_older("3.6.3+dfsg", "3.6"));
}

TEST_F(Software, FoundAndLeastVersionsStandSideBySide) {
  EXPECT_EQ(judge("libraries").value, "fmt 9.1.0 (>= 9.0), OpenSSL 3.0.11 (>= 3.0)");
  EXPECT_EQ(health("libraries"), "PASS");
  EXPECT_TRUE(holds(judge("python").value, "numpy 1.24.2 (>= 1.24)"));
  DoctorFacts seen = facts();
  seen.build.libraries = {{"fmt", "8.1.1"}};
  seen.tools.charts.versions = {{"python", "3.11.2"}, {"matplotlib", "3.5.1"}};
  EXPECT_EQ(judge("libraries", seen).fix, "bring fmt up to date and build again");
  EXPECT_EQ(judge("python", seen).fix, "bring matplotlib up to date");
}

TEST_F(Software, AnInterpreterThatIsAskedForAndCannotBeUsedIsNamed) {
  DoctorFacts seen = facts();
  seen.tools.charts.passed_over = "PERFLAB_PYTHON is '/no/such/python', which cannot be started";
  EXPECT_EQ(judge("python", seen).value, seen.tools.charts.passed_over);
  EXPECT_EQ(judge("python", seen).health, Health::warn);
}

TEST_F(Software, WithoutPythonOnlyChartsAreMissing) {
  DoctorFacts seen = facts();
  seen.tools.charts = {.program = "", .versions = {}, .tried = "python3, /usr/bin/python3"};
  EXPECT_EQ(judge("python", seen).value,
            "none of python3, /usr/bin/python3 has numpy, matplotlib and jinja2");
  EXPECT_TRUE(holds(judge("python", seen).fix, "python3-matplotlib"));
  EXPECT_EQ(doctor_exit_code(seen, judge_all(seen)), 0);
}

TEST_F(Software, MoreThreadsOfABlasThanProcessorsIsAWarning) {
  put_cpus(64);
  put("/proc/self/cgroup", "0::/job\n");
  put("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  DoctorFacts seen = facts();
  seen.tools.numpy.identity.blas_threads = 2;
  EXPECT_EQ(judge("blas", seen).value,
            "NumPy 1.24.2 on OpenBLAS 0.3.21: 2 threads by default, 2 CPUs usable");
  EXPECT_EQ(judge("blas", seen).health, Health::pass);
  seen.tools.numpy.identity.blas_threads = 64;
  EXPECT_EQ(judge("blas", seen).health, Health::warn);
  EXPECT_TRUE(holds(judge("blas", seen).fix, "OPENBLAS_NUM_THREADS=2"));
}

TEST_F(Software, ACompilerThatIsTooOldForLabsThatCompileIsAWarning) {
  DoctorFacts seen = facts();
  EXPECT_EQ(judge("compiler", seen).health, Health::pass);
  if (build_info().compiler != "GNU") GTEST_SKIP() << "versions of GCC say nothing of this build's compiler";
  seen.tools.compiler = "11.4.0";
  EXPECT_EQ(judge("compiler", seen).health, Health::warn);
}

TEST_F(Software, WhatIsMissingIsNamedWithItsPackageAndStopsNothing) {
  DoctorFacts seen = facts();
  seen.tools = Tools{};
  seen.tools.numpy.absent = seen.tools.torch.absent = seen.tools.torch_cpp.absent = "not installed";
  for (const auto& [id, package] : {std::pair{"blas", "python3-numpy"},
                                    {"torch", "python3-torch"},
                                    {"libtorch", "libtorch-dev"},
                                    {"mpi", "openmpi-bin"},
                                    {"compiler", "g++"}}) {
    EXPECT_EQ(judge(id, seen).health, Health::warn) << id;
    EXPECT_TRUE(holds(judge(id, seen).fix, package)) << id;
  }
  EXPECT_EQ(doctor_exit_code(seen, judge_all(seen)), 0);
}

TEST_F(Software, ASourceThatWasChangedAfterTheBuildIsNamed) {
  DoctorFacts seen = facts();
  EXPECT_TRUE(holds(judge("build", seen).value, "source at 0123456789ab"));
  seen.build.newer_source = "core/base/clock.cpp";
  seen.build.dirty = true;
  EXPECT_TRUE(holds(judge("build", seen).value,
                    "0123456789ab with changes, core/base/clock.cpp was changed after the build"));
  EXPECT_EQ(judge("build", seen).fix, "./perflab build");
  EXPECT_EQ(judge("build", seen).health, Health::warn);
}

}  // namespace perflab

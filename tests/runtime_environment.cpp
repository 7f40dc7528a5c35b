// The Runtime of a test program, as main owns one elsewhere. Tests that need other devices make a second one
// inside.

#include <gtest/gtest.h>

#include <memory>

#include "device/runtime.h"

namespace perflab {

std::unique_ptr<Runtime>& test_runtime() {
  static std::unique_ptr<Runtime> runtime;
  return runtime;
}

namespace {

struct RuntimeEnvironment : testing::Environment {
  void SetUp() override { test_runtime() = std::make_unique<Runtime>(); }
  void TearDown() override { test_runtime().reset(); }
};

[[maybe_unused]] const auto* const environment =
    testing::AddGlobalTestEnvironment(std::make_unique<RuntimeEnvironment>().release());

}  // namespace
}  // namespace perflab

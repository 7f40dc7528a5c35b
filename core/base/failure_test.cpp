#include "base/failure.h"

#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "base/check.h"

namespace perflab {
namespace {

std::pair<int, std::string> explained(const std::function<void()>& fails) {
  testing::internal::CaptureStderr();
  int code = 0;
  try {
    fails();
  } catch (...) {
    code = explain_failure("lab");
  }
  return {code, testing::internal::GetCapturedStderr()};
}

}  // namespace

TEST(Failure, BecomesOneSentenceAndItsKindsExitCode) {
  const auto of_error = explained([] { fail(ErrorKind::data, "x.csv: line 3"); });
  EXPECT_EQ(of_error, (std::pair<int, std::string>{exit_codes::data, "lab: x.csv: line 3\n"}));
  const auto strange = explained([] { throw std::runtime_error("odd"); });
  EXPECT_EQ(strange, (std::pair<int, std::string>{exit_codes::wrong, "lab: unexpected: odd\n"}));
  EXPECT_EQ(explained([] { throw 3; }).first, exit_codes::wrong);
}

TEST(Failure, MemoryAndThreadsThatAreNotToBeHadAreTheEnvironments) {
  const auto memory = explained([] { throw std::bad_alloc(); });
  EXPECT_EQ(memory.first, exit_codes::environment);
  EXPECT_NE(memory.second.find("not enough memory"), std::string::npos);
  const auto thread = explained([] {
    throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again), "thread");
  });
  EXPECT_EQ(thread.first, exit_codes::environment);
  EXPECT_NE(thread.second.find("no thread can be started"), std::string::npos);
  EXPECT_EQ(explained([] { throw std::system_error(std::make_error_code(std::errc::io_error)); }).first,
            exit_codes::wrong);
}

}  // namespace perflab

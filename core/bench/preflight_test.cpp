#include "bench/preflight.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"

namespace perflab {
namespace {

class Preflight : public testing::Test {
 protected:
  ErrorKind kind_of_failure(const std::filesystem::path& out, std::int64_t bytes,
                            Clock& clock = steady_clock()) {
    try {
      preflight(out, bytes, clock);
    } catch (const Error& error) {
      text_ = error.what();
      return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::check;
  }

  const TestFolder owner_;
  const std::filesystem::path base_ = owner_.path();
  std::string text_;
};

}  // namespace

TEST_F(Preflight, MakesTheFolderAndLeavesItEmpty) {
  const auto out = base_ / "a" / "b \xC3\xA9 (1)";
  const PreflightReport report = preflight(out, 1);
  EXPECT_TRUE(std::filesystem::is_directory(out));
  EXPECT_TRUE(std::filesystem::is_empty(out));
  EXPECT_GT(report.free_bytes, 20);
  EXPECT_GT(report.clock.resolution_ns, 0);
}

TEST_F(Preflight, AFolderBelowAFileIsAUsageErrorThatNamesIt) {
  write_file_atomically(base_ / "file", "x");
  EXPECT_EQ(kind_of_failure(base_ / "file" / "results", 1), ErrorKind::usage);
  EXPECT_NE(text_.find((base_ / "file" / "results").string()), std::string::npos);
  EXPECT_NE(text_.find("--out"), std::string::npos);
  EXPECT_EQ(kind_of_failure(base_ / "file", 1), ErrorKind::usage);
  EXPECT_EQ(kind_of_failure("/dev/full", 1), ErrorKind::usage);
}

TEST_F(Preflight, AFolderThatTakesNoFilesIsAUsageErrorEvenForRoot) {
  EXPECT_EQ(kind_of_failure("/proc", 1), ErrorKind::usage);
}

TEST_F(Preflight, TooLittleSpaceIsAnIoErrorAndLeavesNothingBehind) {
  const auto out = base_ / "x" / "y";
  EXPECT_EQ(kind_of_failure(out, std::int64_t(1) << 58), ErrorKind::io);
  EXPECT_NE(text_.find("free"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(base_));
}

TEST_F(Preflight, TooLittleAddressSpaceIsSaidBeforeALibraryCrashesOfIt) {
  EXPECT_EQ(address_space_problem(std::uint64_t(1) << 30), "");
  const std::string text = address_space_problem(100'000 * 1024);
  EXPECT_NE(text.find("102 MB of memory (ulimit -v)"), std::string::npos) << text;
}

TEST_F(Preflight, AFrozenClockIsRefused) {
  FakeClock frozen;
  EXPECT_EQ(kind_of_failure(base_ / "z", 1, frozen), ErrorKind::environment);
  EXPECT_TRUE(std::filesystem::is_empty(base_));
}

}  // namespace perflab

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace perflab {
namespace {

TEST(TemporaryFolder, IsThisProcessesOwnAndStartsEmpty) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(folder.filename().string().rfind("perflab-test-", 0), 0u);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_TRUE(std::filesystem::equivalent(folder, testing::TempDir()));
}

}  // namespace
}  // namespace perflab

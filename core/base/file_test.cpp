#include "base/file.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/test_folder.h"

namespace perflab {
namespace {

class FileTest : public ::testing::Test {
 protected:
  const TestFolder owner_;
  const std::filesystem::path folder_ = owner_.path();
};

TEST_F(FileTest, IsAPartUntilFinished) {
  const std::filesystem::path path = folder_ / "a b.csv";
  {
    AppendFile file(path);
    file.append("one\n");
    file.flush();
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(read_file(file.part_path()), "one\n");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  AppendFile file(path);  // continues the part
  file.append("two\n");
  file.finish();
  EXPECT_EQ(read_file(path), "one\ntwo\n");
  EXPECT_FALSE(std::filesystem::exists(file.part_path()));
}

TEST_F(FileTest, AFullDiskIsAnIoErrorThatNamesThePath) {
  std::filesystem::create_symlink("/dev/full", folder_ / "full.part");
  AppendFile file(folder_ / "full");
  file.append("x\n");
  try {
    file.flush();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_NE(std::string(error.what()).find("full.part"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("B are free there; free some space"), std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "full"));
}

TEST_F(FileTest, AtomicWritesReplaceTheWholeFileAndIgnoreADeadWritersPart) {
  const std::filesystem::path path = folder_ / "manifest.json";
  {
    AppendFile dead(path);
    dead.append("half");
  }
  write_file_atomically(path, "{}\n");
  write_file_atomically(path, "{\"a\": 1}\n");
  EXPECT_EQ(read_file(path), "{\"a\": 1}\n");
}

TEST_F(FileTest, MissingFilesAndFoldersAreIoErrors) {
  EXPECT_THROW(read_file(folder_ / "none"), Error);
  EXPECT_THROW(AppendFile(folder_ / "none" / "a.csv"), Error);
  EXPECT_THROW(read_file(folder_), Error);
}

}  // namespace
}  // namespace perflab

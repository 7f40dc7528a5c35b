#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iterator>
#include <vector>

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

TEST_F(FileTest, ProcessesThatWriteOneNameAtOnceAllSucceedAndLeaveOneWholeText) {
  const std::filesystem::path path = folder_ / "latest";
  std::vector<pid_t> writers;
  for (int writer = 0; writer < 4; ++writer) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        for (int i = 0; i < 200; ++i) write_file_atomically(path, std::string(9, char('a' + writer)));
      } catch (const Error&) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    writers.push_back(child);
  }
  for (const pid_t writer : writers) {
    int status = 0;
    ASSERT_EQ(::waitpid(writer, &status, 0), writer);
    EXPECT_EQ(status, 0);
  }
  const std::string text = read_file(path);
  EXPECT_EQ(text, std::string(9, text[0]));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);  // no .part is left
}

TEST_F(FileTest, MissingFilesAndFoldersAreIoErrors) {
  EXPECT_THROW(read_file(folder_ / "none"), Error);
  EXPECT_THROW(AppendFile(folder_ / "none" / "a.csv"), Error);
  EXPECT_THROW(read_file(folder_), Error);
}

}  // namespace
}  // namespace perflab

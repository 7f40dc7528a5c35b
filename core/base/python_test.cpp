#include "base/python.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/test_folder.h"

namespace perflab {
namespace {

class PythonTest : public testing::Test {
 protected:
  // An "interpreter" that has the given module alone.
  std::string interpreter(const std::string& name, const std::string& module) {
    const std::filesystem::path file = folder_ / name;
    write_file_atomically(file, fmt::format("#!/bin/sh\n"
                                            "[ \"$3\" = {0} ] || exit 1\n"
                                            "echo \"$0\"; echo python 3.99; echo {0} 1.5 rc1; echo garbage\n",
                                            module));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }
  void TearDown() override { ::unsetenv("PERFLAB_PYTHON"); }
  TestFolder folder_;
};

}  // namespace

TEST_F(PythonTest, TakesTheOneThatIsAskedForIfItHasTheModule) {
  const std::string wanted = interpreter("python", "rare_module");
  ::setenv("PERFLAB_PYTHON", wanted.c_str(), 1);
  const Python python = find_python({"rare_module"});
  EXPECT_EQ(python.program, wanted);
  EXPECT_EQ(python.version("python"), "3.99");
  EXPECT_EQ(python.version("rare_module"), "1.5 rc1");
  EXPECT_EQ(python.version("garbage"), "");
}

TEST_F(PythonTest, TriesTheOthersAndTellsWhichWhenNoneHasIt) {
  const std::string wanted = interpreter("python", "rare_module");
  ::setenv("PERFLAB_PYTHON", wanted.c_str(), 1);
  const Python python = find_python({"no_module_of_this_name"});
  EXPECT_EQ(python.program, "");
  EXPECT_EQ(python.tried, wanted + ", python3, /usr/bin/python3");
  ::setenv("PERFLAB_PYTHON", "", 1);
  EXPECT_EQ(find_python({"no_module_of_this_name"}).tried, "python3, /usr/bin/python3");
}

}  // namespace perflab

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

TEST_F(PythonTest, OneThatIsAskedForAndNotUsedIsNamedWithTheReason) {
  const std::string other = interpreter("other", "rare_module");
  const auto passed_over = [&](const std::string& wanted) {
    ::setenv("PERFLAB_PYTHON", wanted.c_str(), 1);
    const Python python = find_python({"rare_module"}, {wanted, other});
    EXPECT_EQ(python.program, other);
    return python.passed_over;
  };
  EXPECT_EQ(passed_over("/no/such/python"),
            fmt::format("PERFLAB_PYTHON is '/no/such/python', which cannot be "
                        "started; {} is used instead",
                        other));
  const std::string poor = interpreter("poor", "another_module");
  EXPECT_NE(passed_over(poor).find("which has not all of rare_module; "), std::string::npos);
  const std::filesystem::path odd = folder_ / "odd";
  write_file_atomically(odd, "#!/bin/sh\nexit 7\n");
  std::filesystem::permissions(odd, std::filesystem::perms::owner_all);
  EXPECT_NE(passed_over(odd.string()).find("which ended with exit code 7; "), std::string::npos);

  ::setenv("PERFLAB_PYTHON", other.c_str(), 1);
  EXPECT_EQ(find_python({"rare_module"}).passed_over, "");
  ::setenv("PERFLAB_PYTHON", poor.c_str(), 1);
  EXPECT_NE(find_python({"no_module_of_this_name"}).passed_over.find("no other python3 can stand in"),
            std::string::npos);
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

// main of every test program. Each process gets a temporary folder of its own, because ctest runs the tests
// of one program side by side and a second checkout may run them too: a fixed name below testing::TempDir()
// is then no trap.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string folder = (std::filesystem::temp_directory_path() / "perflab-test-XXXXXX").string();
  if (!mkdtemp(folder.data()) || setenv("TMPDIR", folder.c_str(), 1) != 0 ||
      setenv("TEST_TMPDIR", folder.c_str(), 1) != 0) {
    std::fprintf(stderr, "tests: cannot make a folder like %s\n", folder.c_str());
    return 1;
  }
  const int result = RUN_ALL_TESTS();
  std::error_code ignored;  // what a test left locked is the system's to clear away
  std::filesystem::remove_all(folder, ignored);
  return result;
}

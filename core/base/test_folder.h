#pragma once
// TestFolder — a new, empty folder for one test, gone again at its end. Its name has a space, parentheses and
// a non-ASCII letter, as users' folders do. Tests may run side by side.

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/check.h"

namespace perflab {

class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "perflab \xC3\xBC (test) XXXXXX").string();
    PL_CHECK(mkdtemp(name.data()) != nullptr, "test folder: cannot make '{}'", name);
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace perflab

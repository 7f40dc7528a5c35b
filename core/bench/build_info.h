#pragma once
// BuildInfo — what this build is made of: constants that CMake writes into the generated build_info.cpp.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace perflab {

struct BuildInfo {
  std::string suite_version, compiler, compiler_version, flags, type, sanitizer;
  bool lto;
  std::filesystem::path source_dir, binary_dir;
  std::vector<std::pair<std::string, std::string>>
      libraries;  // name, version; empty version: not in this build, or unknown
};

const BuildInfo& build_info();

}  // namespace perflab

#pragma once
// Profile — how much patience a run has: which axis values, warm-up, blocks, caps. A profile *is*
// experiments/NAME.toml.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perflab {

struct Profile {
  std::string name;         // of the file; goes into cases.csv and the manifest
  std::string axis_values;  // smoke | quick | article | reproduce
  int launches = 1;
  int warmup_calls = 3;
  std::int64_t warmup_min_ns = 0, warmup_cap_ns = 0;
  bool warmup_until_steady = true;  // two windows of 5 within 2 %
  int min_blocks = 10, max_blocks = 30;
  double target_half_width = 0.05;               // of the log ratio; 0 = blocks are fixed
  std::int64_t case_cap_ns = 0, lab_cap_ns = 0;  // 0 = none
  bool verdicts = true;                          // smoke: never a verdict
  // Axis overrides: lab glob -> axis -> values as text.
  std::map<std::string, std::map<std::string, std::vector<std::string>>> overrides;
};

// NAME of a file in experiments/, or a path that ends in .toml. Error(usage) names the nearest valid name; an
// unknown key is an error that names the key and the file.
Profile load_profile(std::string_view name_or_file);
std::vector<std::string> profile_names();

}  // namespace perflab

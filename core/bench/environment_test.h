#pragma once
// MadeUpMachine — files of a machine below a fresh folder, for tests of what is read from /proc and /sys.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/test_folder.h"
#include "bench/environment.h"

namespace perflab {

class MadeUpMachine : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ / path.substr(1);
    std::filesystem::create_directories(file.parent_path());
    write_file_atomically(file, text);
  }
  Json read(const std::filesystem::path& results = "/results") const {
    return environment_json(read_environment(results, root_));
  }
  // Processors that share no core.
  void put_cpus(int count) {
    put("/sys/devices/system/cpu/online", count == 1 ? "0\n" : "0-" + std::to_string(count - 1) + "\n");
    put("/proc/self/status", "Cpus_allowed_list:\t" + read_file(root_ / "sys/devices/system/cpu/online"));
    for (int cpu = 0; cpu < count; ++cpu)
      put("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
          std::to_string(cpu) + "\n");
  }

  const TestFolder owner_;
  const std::filesystem::path root_ = owner_.path();
};

inline std::string status(const Json& environment, std::string_view item) {
  return environment.at(item).at("status").text();
}
inline std::string text(const Json& environment, std::string_view item) {
  return environment.at(item).at("value").text();
}

}  // namespace perflab

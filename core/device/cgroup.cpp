#include "device/cgroup.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace perflab {
namespace {

namespace fs = std::filesystem;

bool names(std::string_view controllers, std::string_view wanted) {
  while (!controllers.empty()) {
    const std::string_view one = controllers.substr(0, controllers.find(','));
    if (one == wanted) return true;
    controllers.remove_prefix(std::min(one.size() + 1, controllers.size()));
  }
  return false;
}

// From the group up to the mount's root. A folder may be reached by two names: "cpu" is a link to
// "cpu,cpuacct".
void add_with_ancestors(const fs::path& mount, const std::string& group, std::vector<fs::path>& folders) {
  for (fs::path at = fs::path(group).relative_path();; at = at.parent_path()) {
    std::error_code error;
    const fs::path folder = fs::canonical(mount / at, error);
    if (!error && std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
    if (at.empty()) return;
  }
}

}  // namespace

std::vector<fs::path> cgroup_folders(std::string_view controller, const fs::path& root) {
  std::vector<fs::path> folders;
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");  // lines "4:cpu,cpuacct:/a/b"; no controller: version 2
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      group = line.substr(second + 1);
    if (controllers.empty()) {
      add_with_ancestors(mounts, group, folders);
      add_with_ancestors(mounts / "unified", group, folders);  // where both versions are mounted
    } else if (names(controllers, controller)) {
      add_with_ancestors(mounts / controllers, group, folders);
      add_with_ancestors(mounts / controller, group, folders);
    }
  }
  return folders;
}

std::vector<fs::path> throttling_files(const fs::path& root) {
  std::vector<fs::path> files;
  for (const fs::path& folder : cgroup_folders("cpu", root))
    if (counted_in({folder / "cpu.stat"}, "nr_throttled")) files.push_back(folder / "cpu.stat");
  return files;
}

std::optional<std::int64_t> counted_in(const std::vector<fs::path>& files, std::string_view name) {
  std::optional<std::int64_t> sum;
  for (const fs::path& path : files) {
    std::ifstream file(path);
    std::string key;
    for (std::int64_t value = 0; file >> key >> value;)
      if (key == name) sum = sum.value_or(0) + value;
  }
  return sum;
}

}  // namespace perflab

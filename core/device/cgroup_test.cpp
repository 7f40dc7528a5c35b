#include "device/cgroup.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/test_folder.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

class Cgroup : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    write_file_atomically(root_ / path, text);
  }
  const TestFolder owner_;
  const fs::path root_ = fs::canonical(owner_.path());
  const fs::path mount_ = root_ / "sys/fs/cgroup";
};

}  // namespace

TEST_F(Cgroup, GroupsAboveCountToo) {
  put("proc/self/cgroup", "0::/box/job\n");
  put("sys/fs/cgroup/box/job/cpu.stat", "usage_usec 5\nnr_throttled 0\n");
  put("sys/fs/cgroup/box/cpu.stat", "usage_usec 9\nnr_periods 8\nnr_throttled 7\n");
  put("sys/fs/cgroup/cpu.stat", "usage_usec 90\n");  // the root of a machine has no limit and counts none
  EXPECT_EQ(cgroup_folders("cpu", root_), (std::vector{mount_ / "box/job", mount_ / "box", mount_}));
  EXPECT_EQ(throttling_files(root_), (std::vector{mount_ / "box/job/cpu.stat", mount_ / "box/cpu.stat"}));
  EXPECT_EQ(counted_in(throttling_files(root_), "nr_throttled"), 7);
  EXPECT_EQ(counted_in(throttling_files(root_), "throttled_usec"), std::nullopt);
}

TEST_F(Cgroup, AContainerSeesItsOwnGroupAtTheRoot) {
  put("proc/self/cgroup", "0::/../not/visible\n");
  put("sys/fs/cgroup/cpu.stat", "nr_throttled 3\n");
  EXPECT_EQ(counted_in(throttling_files(root_), "nr_throttled"), 3);
}

TEST_F(Cgroup, OfTheFirstVersionOnlyTheControllersOwnHierarchyIsReadAndALinkCountsOnce) {
  put("proc/self/cgroup", "4:cpuset:/pinned\n3:cpu,cpuacct:/job\n2:memory:/m\n");
  put("sys/fs/cgroup/cpu,cpuacct/job/cpu.stat", "nr_throttled 7\n");
  put("sys/fs/cgroup/cpu,cpuacct/pinned/cpu.stat", "nr_throttled 100\n");
  fs::create_directory_symlink("cpu,cpuacct", mount_ / "cpu");
  EXPECT_EQ(counted_in(throttling_files(root_), "nr_throttled"), 7);
  EXPECT_EQ(cgroup_folders("memory", root_), std::vector<fs::path>{});  // its folder does not exist
}

TEST_F(Cgroup, AnEmptyTreeHasNone) { EXPECT_TRUE(throttling_files(root_).empty()); }

}  // namespace perflab

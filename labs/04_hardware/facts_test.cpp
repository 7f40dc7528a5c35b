// Facts that are read from the system, and the nameless file on disk.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/check.h"
#include "base/test_folder.h"
#include "machine_facts.h"
#include "test_file.h"

namespace perflab::hardware {
namespace {

namespace fs = std::filesystem;

class Root {
 public:
  void file(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  void module(int slot, char type, char size_low) const {
    std::string raw(0x28, '\0');
    raw[0x0c] = size_low;
    raw[0x12] = type;
    file("sys/firmware/dmi/entries/17-" + std::to_string(slot) + "/raw", raw);
  }
  const fs::path& path() const { return path_; }

 private:
  const TestFolder owner_;
  const fs::path path_ = owner_.path();
};

int entries_in(const fs::path& folder) {
  return int(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST(DdrGeneration, IsWhatEveryFittedModuleReports) {
  const Root root;
  EXPECT_EQ(ddr_generation(root.path()), std::nullopt);
  root.module(0, 0x1a, 16);
  root.module(1, 0x00, 0);  // an empty slot says nothing
  EXPECT_EQ(ddr_generation(root.path()), 4);
  root.module(2, 0x22, 16);
  EXPECT_EQ(ddr_generation(root.path()), std::nullopt);  // mixed: impossible, so not believed
}

TEST(DdrGeneration, IsUnknownForAVirtualMachinesPlainRam) {
  const Root root;
  root.module(0, 0x07, 16);
  EXPECT_EQ(ddr_generation(root.path()), std::nullopt);
}

TEST(NicLineRate, IsTheFastestPhysicalAdapterWithALink) {
  const Root root;
  EXPECT_EQ(nic_line_rate_GBps(root.path()), std::nullopt);
  root.file("sys/class/net/lo/speed", "100000\n");  // no hardware behind it
  root.file("sys/class/net/eth0/device/vendor", "0x1\n");
  root.file("sys/class/net/eth0/speed", "-1\n");  // no link
  EXPECT_EQ(nic_line_rate_GBps(root.path()), std::nullopt);
  root.file("sys/class/net/eth1/device/vendor", "0x1\n");
  root.file("sys/class/net/eth1/speed", "25000\n");
  root.file("sys/class/net/eth2/device/vendor", "0x1\n");
  root.file("sys/class/net/eth2/speed", "1000\n");
  EXPECT_DOUBLE_EQ(nic_line_rate_GBps(root.path()).value(), 3.125);
}

TEST(TestFile, HoldsWhatWasWrittenAndNoticesAnythingElse) {
  const Root root;
  TestFile file(root.path(), 2 << 20, 11);
  for (const std::int64_t offset : {0, 4096, 1 << 20, (2 << 20) - 4096}) {
    file.read(offset, 4096);
    EXPECT_TRUE(file.holds(offset, 4096));
    EXPECT_FALSE(file.holds(offset == 0 ? 4096 : 0, 4096));
  }
  file.read(1 << 20, 1 << 20);
  EXPECT_TRUE(file.holds(1 << 20, 1 << 20));
  EXPECT_THROW(file.read(100, 4096), Error);
  EXPECT_THROW(file.read(2 << 20, 4096), Error);
}

TEST(TestFile, LeavesNoNameBehindEvenWhileItIsOpen) {
  const Root root;
  const TestFile file(root.path(), 1 << 20, 11);
  EXPECT_EQ(entries_in(root.path()), 0);
}

TEST(TestFile, SaysWhereItCouldNotBeMade) {
  try {
    const TestFile file("/nonexistent-folder", 1 << 20, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_NE(std::string(error.what()).find("/nonexistent-folder"), std::string::npos);
  }
}

TEST(NotADisk, RefusesMemoryAndUnreadableFolders) {
  EXPECT_EQ(not_a_disk("/nonexistent-folder"), "unreadable");
  if (fs::exists("/dev/shm")) {
    EXPECT_EQ(not_a_disk("/dev/shm"), "memory_filesystem");
  }
  const fs::path chosen = disk_folder();
  if (!chosen.empty()) {
    EXPECT_EQ(not_a_disk(chosen), "");
  }
}

}  // namespace perflab::hardware

#include "bench/ceilings.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"

namespace perflab {
namespace {

class CeilingsTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file(const std::string& text) const {
    write_file_atomically(folder_ / "c.csv", text);
    return folder_ / "c.csv";
  }
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "perflab_ceilings_test";
  const std::string header_ = "level,pattern,threads,rate,unit,run_id\n";
};

TEST_F(CeilingsTest, KeepTheLargerAndReadBackSorted) {
  Ceilings ceilings;
  EXPECT_TRUE(ceilings.raise({"L1", "read", 1, 100, "run1"}));
  EXPECT_TRUE(ceilings.raise({"DRAM", "triad", 2, 20, "run1"}));
  EXPECT_TRUE(ceilings.raise({"compute", "fma", 1, 60.5, "run1"}));
  EXPECT_FALSE(ceilings.raise({"DRAM", "triad", 2, 19, "run2"}));
  EXPECT_TRUE(ceilings.raise({"DRAM", "triad", 2, 21.25, "run2"}));
  ceilings.write(folder_ / "c.csv");
  EXPECT_EQ(
      read_file(folder_ / "c.csv"),
      header_ + "DRAM,triad,2,21.25,GBps,run2\nL1,read,1,100,GBps,run1\ncompute,fma,1,60.5,GFLOPS,run1\n");
  const Ceilings again = Ceilings::read(folder_ / "c.csv");
  ASSERT_EQ(again.rows().size(), 3u);
  EXPECT_EQ(again.find("DRAM", "triad", 2)->rate, 21.25);
  EXPECT_FALSE(again.find("DRAM", "triad", 1));
}

TEST_F(CeilingsTest, RoofIsTheHighestAtTheLevelWithNoMoreThreads) {
  Ceilings ceilings;
  ceilings.raise({"DRAM", "read", 1, 10, "r"});
  ceilings.raise({"DRAM", "copy_nt", 2, 30, "r"});
  ceilings.raise({"L1", "read", 1, 200, "r"});
  EXPECT_EQ(ceilings.roof("DRAM", 1), 10);
  EXPECT_EQ(ceilings.roof("DRAM", 2), 30);
  EXPECT_FALSE(ceilings.roof("DRAM", 4)) << "four threads may be faster than two";
  EXPECT_FALSE(ceilings.roof("L2", 2));
}

TEST_F(CeilingsTest, OfAMissingFileAreNone) { EXPECT_TRUE(Ceilings::read(folder_ / "absent.csv").empty()); }

TEST_F(CeilingsTest, RefuseEveryBrokenRow) {
  for (const char* row :
       {",read,1,2,GBps,r\n", "L1,,1,2,GBps,r\n", "L1,read,0,2,GBps,r\n", "L1,read,x,2,GBps,r\n",
        "L1,read,1,,GBps,r\n", "L1,read,1,-2,GBps,r\n", "L1,read,1,nan,GBps,r\n", "L1,read,1,2,GFLOPS,r\n",
        "compute,fma,1,2,GBps,r\n", "L1,read,1,2,GBps,r\nL1,read,1,3,GBps,r\n", "L1,read,1,2,GBps,r"})
    EXPECT_THROW(Ceilings::read(file(header_ + row)), Error) << row;
  EXPECT_THROW(Ceilings::read(file("level,pattern\n")), Error);
  EXPECT_NO_THROW(Ceilings::read(file(header_ + "L1,read,1,2,GBps,r\n")));
}

}  // namespace
}  // namespace perflab

#include "bench/ceilings_store.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"
#include "bench/ceilings.h"

namespace perflab {
namespace {

class CeilingsStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(first_);
    std::filesystem::create_directories(second_);
    machine_.cpu_model = "a made-up machine";
  }

  void write(const std::filesystem::path& run, double rate) {
    Ceilings ceilings;
    ceilings.raise({"DRAM", "copy", 2, rate, run.filename().string()});
    ceilings.write(run / "ceilings.csv");
  }
  double rate_in(const std::filesystem::path& file) {
    return Ceilings::read(file).find("DRAM", "copy", 2)->rate;
  }

  const TestFolder owner_;
  const std::filesystem::path out_ = owner_.path();
  std::filesystem::path first_ = out_ / "first", second_ = out_ / "second";
  Topology machine_;
};

TEST_F(CeilingsStoreTest, TheLargestRateOfAllRunsIsWhatTheNextRunBeginsWith) {
  take_ceilings(first_, machine_);
  EXPECT_FALSE(std::filesystem::exists(first_ / "ceilings.csv")) << "nothing is stored yet";
  write(first_, 50);
  keep_ceilings(first_, machine_);
  take_ceilings(second_, machine_);
  EXPECT_EQ(rate_in(second_ / "ceilings.csv"), 50);
  write(second_, 39);  // a busy day
  keep_ceilings(second_, machine_);
  EXPECT_EQ(rate_in(stored_ceilings(second_, machine_)), 50);
}

TEST_F(CeilingsStoreTest, ARunThatTakesThemAgainKeepsWhatItRaisedItself) {
  write(first_, 50);
  keep_ceilings(first_, machine_);
  write(second_, 60);
  take_ceilings(second_, machine_);
  EXPECT_EQ(rate_in(second_ / "ceilings.csv"), 60);
  write(first_, 70);
  keep_ceilings(first_, machine_);
  take_ceilings(second_, machine_);
  EXPECT_EQ(rate_in(second_ / "ceilings.csv"), 70);
}

TEST_F(CeilingsStoreTest, ALabRunAloneRaisesAStoreButNeverBeginsOne) {
  write(first_, 50);
  raise_stored_ceilings(first_, machine_);
  EXPECT_FALSE(std::filesystem::exists(stored_ceilings(first_, machine_)));
  keep_ceilings(first_, machine_);
  write(second_, 60);
  raise_stored_ceilings(second_, machine_);
  EXPECT_EQ(rate_in(stored_ceilings(second_, machine_)), 60);
}

TEST_F(CeilingsStoreTest, AnotherMachineHasAStoreOfItsOwn) {
  write(first_, 50);
  keep_ceilings(first_, machine_);
  Topology other = machine_;
  other.physical_cores = 64;
  take_ceilings(second_, other);
  EXPECT_FALSE(std::filesystem::exists(second_ / "ceilings.csv"));
}

TEST_F(CeilingsStoreTest, ABrokenStoreIsADataErrorThatNamesTheFile) {
  const auto store = stored_ceilings(first_, machine_);
  std::filesystem::create_directories(store.parent_path());
  write_file_atomically(store, "level,pattern\n");
  try {
    take_ceilings(first_, machine_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find(store.filename().string()), std::string::npos);
  }
}

}  // namespace
}  // namespace perflab

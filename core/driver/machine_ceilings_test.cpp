#include "driver/machine_ceilings.h"

#include <gtest/gtest.h>

#include "base/test_folder.h"
#include "bench/ceilings.h"
#include "bench/ceilings_store.h"

namespace perflab {
namespace {

Ceilings with_rate(double rate) {
  Ceilings ceilings;
  ceilings.raise({"DRAM", "copy", 1, rate, "some run"});
  return ceilings;
}

}  // namespace

TEST(MachineCeilings, ARunRaisesAStoreButNeverBeginsOne) {
  const TestFolder out;
  std::filesystem::create_directories(out / "run");
  std::filesystem::create_directories(out / "ceilings");
  const auto store = stored_ceilings(out / "run", this_machine());
  with_rate(20).write(out / "run" / "ceilings.csv");
  raise_stored_ceilings(out / "run");
  EXPECT_FALSE(std::filesystem::exists(store));

  with_rate(10).write(store);
  raise_stored_ceilings(out / "run");
  EXPECT_DOUBLE_EQ(Ceilings::read(store).find("DRAM", "copy", 1)->rate, 20);
  EXPECT_TRUE(ensure_ceilings(out.path(), {}, {}));
}

}  // namespace perflab

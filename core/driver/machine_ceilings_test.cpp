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

TEST(MachineCeilings, AStoreThatExistsIsNotMeasuredAgainAndNoLabMeansNoStore) {
  const TestFolder out;
  EXPECT_TRUE(ensure_ceilings(out.path(), {}, {}));
  const auto store = stored_ceilings(out / "run", this_machine());
  EXPECT_FALSE(std::filesystem::exists(store));
  std::filesystem::create_directories(store.parent_path());
  with_rate(10).write(store);
  Lab broken;  // asking it for its experiments would throw
  EXPECT_TRUE(ensure_ceilings(out.path(), {broken}, {}));
  EXPECT_DOUBLE_EQ(Ceilings::read(store).find("DRAM", "copy", 1)->rate, 10);
}

}  // namespace perflab

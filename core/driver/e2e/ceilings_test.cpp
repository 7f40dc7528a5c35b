// A run that seems faster than this machine can be: its ceilings may only be old.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "bench/ceilings.h"
#include "bench/ceilings_store.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

class DriverCeilings : public Installation {
 protected:
  void SetUp() override {
    add_lab("06_other", true);
    Ceilings ceilings;
    ceilings.raise({"DRAM", "copy", 1, 10, "an earlier run"});
    const auto store = stored_ceilings(out_ / "run", this_machine());
    std::filesystem::create_directories(store.parent_path());
    ceilings.write(store);
  }

  Outcome run_with(const char* behaviour) {
    behave("06_other", behaviour);
    return perflab({"run", "06", "--profile", "quick", "--out", out_, "--no-plots"});
  }
  int times_measured() const {
    const std::string text = calls("06_other"), words = "--experiment ceilings";
    int times = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++times;
    return times;
  }
};

TEST_F(DriverCeilings, AreMeasuredOnceMoreBeforeARunIsHeldToBeImpossible) {
  const Outcome outcome = run_with("too_fast");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "faster than any before")) << outcome.text;
  EXPECT_EQ(times_measured(), 1);
}

TEST_F(DriverCeilings, ThatStayLowAreBelieved) {
  const Outcome outcome = run_with("too_fast_always");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_EQ(times_measured(), 1);
}

TEST_F(DriverCeilings, AreNotMeasuredAgainWhereNothingBrokeOne) {
  EXPECT_EQ(run_with("ok").exit_code, 0);
  EXPECT_EQ(run_with("exit_1").exit_code, 1);
  EXPECT_EQ(times_measured(), 0);
}

}  // namespace
}  // namespace perflab

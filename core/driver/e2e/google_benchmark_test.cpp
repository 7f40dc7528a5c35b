#include "base/check.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

using UnderGoogleBenchmark = Installation;

}  // namespace

TEST_F(UnderGoogleBenchmark, OneLabGetsTheFlagsAndNoRunIsMade) {
  const Outcome outcome = perflab({"run", "fake", "--profile", "smoke", "--seed", "9", "--set", "threads=2",
                                   "--fault", "1", "--", "--benchmark_filter=x y"});
  EXPECT_EQ(outcome.exit_code, 1) << "the lab's own: " << outcome.text;
  EXPECT_EQ(outcome.text, "benchmarks of 04_fake\n") << "nothing but what the lab prints";
  EXPECT_EQ(calls("04_fake"),
            "--profile smoke --seed 9 --devices cpu:0 --set threads=2 --fault 1 --benchmark_filter=x y\n");
  EXPECT_TRUE(runs().empty());
}

TEST_F(UnderGoogleBenchmark, SeveralLabsAndOptionsOfAStoredRunAreRefused) {
  add_lab("05_other");
  const std::string flag = "--benchmark_list_tests=true";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "--", flag},
                                                {"run", "04", "--out", out_, "--", flag},
                                                {"run", "04", "--resume", "latest", "--", flag},
                                                {"run", "04", "--set", "treads=1", "--", flag}}) {
    const Outcome outcome = perflab(words);
    EXPECT_EQ(outcome.exit_code, exit_codes::usage) << outcome.text;
  }
  EXPECT_EQ(calls("04_fake"), "");
  EXPECT_TRUE(runs().empty());
}

}  // namespace perflab

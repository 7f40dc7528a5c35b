#include "base/nearest.h"

#include <gtest/gtest.h>

namespace perflab {

TEST(Nearest, DistanceCountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("quick", "quik"), 1);
  EXPECT_EQ(edit_distance("smoke", "somke"), 1);
  EXPECT_EQ(edit_distance("smoke", "smake"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("DRAM", "dram"), 0);
}

TEST(Nearest, NamesTheClosestFirstAndDropsStrangers) {
  const std::vector<std::string> profiles = {"article", "quick", "reproduce", "smoke"};
  EXPECT_EQ(nearest("quik", profiles), (std::vector<std::string>{"quick"}));
  EXPECT_EQ(nearest("somke", profiles).front(), "smoke");
}

TEST(Nearest, TakesAPartOfAWordAsClose) {
  const std::vector<std::string> labs = {"01_imperative_vs_compiled", "04_hardware"};
  EXPECT_EQ(nearest("hard", labs), (std::vector<std::string>{"04_hardware"}));
  EXPECT_EQ(nearest("04_hardware_lab", labs), (std::vector<std::string>{"04_hardware"}));
}

TEST(Nearest, GivesTheFirstOnesWhenNothingIsClose) {
  const std::vector<std::string> axes = {"level", "threads", "pattern", "bytes"};
  EXPECT_EQ(nearest("zzzzzzzzzzzz", axes, 2), (std::vector<std::string>{"level", "threads"}));
  EXPECT_TRUE(nearest("x", {}).empty());
}

TEST(Nearest, TextSaysWhatIsUnknownAndWhatIsMeant) {
  EXPECT_EQ(unknown_text("profile", "quik", {"quick", "smoke"}),
            "unknown profile 'quik'; did you mean quick?");
  EXPECT_EQ(unknown_text("lab", "04", {}), "unknown lab '04'; there is no lab here");
}

}  // namespace perflab

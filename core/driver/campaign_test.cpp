#include "driver/campaign.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"
#include "driver/child.h"
#include "driver/verbs.h"

namespace perflab {

TEST(Campaign, TheMostImportantExitCodeWins) {
  const std::vector<int> order = {130, 5, 7, 1, 4, 3, 6, 2, 0};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = i; k < order.size(); ++k) {
      EXPECT_EQ(join_exit_codes(order[i], order[k]), order[i]);
      EXPECT_EQ(join_exit_codes(order[k], order[i]), order[i]);
    }
  EXPECT_EQ(join_exit_codes(77, 0), 0);  // a skipped lab
  EXPECT_EQ(join_exit_codes(0, 99), 1);  // a code that no lab should give
}

TEST(Campaign, VerdictsAreTheLabsOneAfterTheOther) {
  const TestFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  for (const char* lab : {"a", "b", "c"}) std::filesystem::create_directories(folder / lab);
  write_file_atomically(folder / "a" / "verdicts.csv", "claim_id,text\nc1,\"x, y\"\n");
  write_file_atomically(folder / "c" / "verdicts.csv", "claim_id,text\nc2,\nc3,z\n");
  join_verdicts(folder, {"a", "b", "c"});
  EXPECT_EQ(read_file(folder / "verdicts.csv"), "claim_id,text\nc1,\"x, y\"\nc2,\nc3,z\n");
  write_file_atomically(folder / "b" / "verdicts.csv", "claim_id\nc9\n");
  EXPECT_THROW(join_verdicts(folder, {"a", "b", "c"}), Error);
}

TEST(VerdictTable, ShowsObservedBesideClaimed) {
  const TestFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  write_file_atomically(folder / "verdicts.csv",
                        "claim_id,verdict,reason_code,observed,ci_lo,ci_hi,unit,claimed,claimed_text\n"
                        "c1,DIRECTION HOLDS,,1.83456,1.79,1.8812,ratio,47,47\xC3\x97\n"
                        "c2,NOT TESTABLE HERE,needs_gpus:1,,,,us,10,\n");
  const std::string table = verdict_table(folder);
  EXPECT_NE(table.find("1.83 [1.79, 1.88] ratio"), std::string::npos) << table;
  EXPECT_NE(table.find("47\xC3\x97"), std::string::npos) << table;
  EXPECT_NE(table.find("NOT TESTABLE HERE (needs_gpus:1)"), std::string::npos) << table;
  EXPECT_NE(table.find("10 us"), std::string::npos) << table;
  EXPECT_EQ(verdict_table(folder / "none"), "");
}

TEST(Child, GivesItsExitCodeAndItsSignal) {
  EXPECT_EQ(run_child({"/bin/sh", "-c", "exit 7"}).exit_code, 7);
  EXPECT_EQ(run_child({"/no/such/program"}).exit_code, 127);
  const ChildEnd killed = run_child({"/bin/sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(killed.signal, 11);
  EXPECT_EQ(
      run_child({"/bin/sh", "-c", "test \"$PERFLAB_X\" = 'a b' && exit 3"}, {{"PERFLAB_X", "a b"}}).exit_code,
      3);
  EXPECT_EQ(run_child({"/bin/sh", "-c", "read line || exit 4"}).exit_code, 4);  // no input to wait for
}

}  // namespace perflab

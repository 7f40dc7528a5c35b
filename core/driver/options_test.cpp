#include "driver/options.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace perflab {
namespace {

ParsedOptions parse(std::vector<const char*> words) {
  words.insert(words.begin(), "perflab");
  return parse_options(int(words.size()), words.data());
}

// Exit code and what was said on stderr.
std::pair<int, std::string> refused(const std::vector<const char*>& words) {
  testing::internal::CaptureStderr();
  const ParsedOptions parsed = parse(words);
  return {parsed.exit_code.value_or(-1), testing::internal::GetCapturedStderr()};
}

}  // namespace

TEST(Options, RunHasDefaultsForEverything) {
  const ParsedOptions parsed = parse({"run"});
  ASSERT_FALSE(parsed.exit_code);
  EXPECT_EQ(parsed.options.verb, "run");
  EXPECT_EQ(parsed.options.profile, "quick");
  EXPECT_EQ(parsed.options.seed, 1u);
  EXPECT_TRUE(parsed.options.plots);
  EXPECT_TRUE(parsed.options.labs.empty());
  EXPECT_TRUE(parsed.options.run_choices.empty());
  EXPECT_FALSE(parsed.options.out.empty());
}

TEST(Options, SetTakesOneValueAndLeavesTheLabsAfterIt) {
  const Options options =
      parse({"run", "--set", "n=1,2", "04", "--set", "level=DRAM", "05", "--no-plots"}).options;
  EXPECT_EQ(options.set, (std::vector<std::string>{"n=1,2", "level=DRAM"}));
  EXPECT_EQ(options.labs, (std::vector<std::string>{"04", "05"}));
  EXPECT_FALSE(options.plots);
}

TEST(Options, WhatFollowsTheDashesGoesToTheLab) {
  const Options options = parse({"run", "04", "--", "--benchmark_filter=x", "05"}).options;
  EXPECT_EQ(options.labs, std::vector<std::string>{"04"});
  EXPECT_EQ(options.lab_flags, (std::vector<std::string>{"--benchmark_filter=x", "05"}));
  EXPECT_EQ(refused({"list", "--", "x"}).first, exit_codes::usage);
}

TEST(Options, NotesWhatAResumedRunMayNotChange) {
  EXPECT_EQ(parse({"run", "--resume", "latest", "--seed", "4"}).options.run_choices,
            std::vector<std::string>{"--seed"});
  EXPECT_TRUE(parse({"run", "--resume", "latest", "--no-plots", "--out", "x"}).options.run_choices.empty());
}

TEST(Options, MistakesAreUsageErrorsThatNameTheNearestWord) {
  auto [code, text] = refused({"rnu"});
  EXPECT_EQ(code, exit_codes::usage);
  EXPECT_NE(text.find("run"), std::string::npos) << text;
  std::tie(code, text) = refused({"run", "--profle", "quick"});
  EXPECT_EQ(code, exit_codes::usage);
  EXPECT_NE(text.find("--profile"), std::string::npos) << text;
  EXPECT_EQ(refused({"run", "--seed", "x"}).first, exit_codes::usage);
  EXPECT_EQ(refused({"run", "--seed", "-1"}).first, exit_codes::usage);
  EXPECT_EQ(refused({"run", "--seed", "9007199254740992"}).first, exit_codes::usage);
  EXPECT_EQ(refused({"run", "--fault", "-1"}).first, exit_codes::usage);
  EXPECT_EQ(refused({"run", "--set"}).first, exit_codes::usage);
  EXPECT_EQ(refused({"report", "a", "b"}).first, exit_codes::usage);
  EXPECT_EQ(refused({}).first, exit_codes::usage);
}

TEST(Options, HelpAndVersionEndWell) {
  for (const std::vector<const char*>& words : {std::vector<const char*>{"--help"},
                                                {"--version"},
                                                {"run", "--help"},
                                                {"list", "--help"},
                                                {"report", "--help"}}) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(parse(words).exit_code, 0);
    EXPECT_FALSE(testing::internal::GetCapturedStdout().empty());
  }
}

TEST(Options, StoredRunsDefaultToTheLatest) {
  EXPECT_EQ(parse({"report"}).options.run, "latest");
  EXPECT_EQ(parse({"plot", "20260101T000000Z-abcdef", "--out", "/x"}).options.run, "20260101T000000Z-abcdef");
}

}  // namespace perflab

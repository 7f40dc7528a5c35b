#include "bench/profile.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/check.h"
#include "base/test_folder.h"

namespace perflab {
namespace {

// Writes `text` to a file of its own and reads it as a profile.
Profile from_text(const std::string& text) {
  const TestFolder folder;
  const std::filesystem::path file = folder / "mine.toml";
  std::ofstream(file) << text;
  return load_profile(file.string());
}

std::string error_of(const std::string& text) {
  try {
    from_text(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Profile, TheShippedOnesKeepTheProtocolsNumbers) {
  const Profile smoke = load_profile("smoke"), quick = load_profile("quick"),
                article = load_profile("article"), reproduce = load_profile("reproduce");
  EXPECT_FALSE(smoke.verdicts);
  EXPECT_EQ(smoke.min_blocks, 6);
  EXPECT_EQ(smoke.max_blocks, 6);
  EXPECT_EQ(quick.lab_cap_ns, 25'000'000'000);
  EXPECT_EQ(quick.case_cap_ns, 2'000'000'000);
  EXPECT_EQ(quick.target_half_width, 0.05);
  EXPECT_TRUE(quick.verdicts);
  EXPECT_EQ(article.axis_values, "article");
  EXPECT_EQ(article.max_blocks, 60);
  EXPECT_EQ(reproduce.launches, 6);
  EXPECT_EQ(reproduce.target_half_width, 0.02);
  EXPECT_EQ(reproduce.warmup_min_ns, 200'000'000);
}

TEST(Profile, AFileOfTheUsersOwnMayOverrideAxesOfLabsByGlob) {
  const Profile profile =
      from_text("[run]\naxis_values = \"smoke\"\n[\"*_ring\"]\nranks = [2, 4]\nmode = \"sync\"\n");
  EXPECT_EQ(profile.axis_values, "smoke");
  EXPECT_EQ(profile.overrides.at("*_ring").at("ranks"), (std::vector<std::string>{"2", "4"}));
  EXPECT_EQ(profile.overrides.at("*_ring").at("mode"), (std::vector<std::string>{"sync"}));
}

TEST(Profile, MistakesNameTheFileTheKeyAndWhatIsValid) {
  EXPECT_NE(error_of("[run]\nlaunchs = 3\n").find("'launchs'"), std::string::npos);
  EXPECT_NE(error_of("[run]\nlaunches = \"three\"\n").find("want a number"), std::string::npos);
  EXPECT_NE(error_of("[run]\nlaunches = 0\n").find("1..100"), std::string::npos);
  EXPECT_NE(error_of("[run]\naxis_values = \"fast\"\n").find("want smoke"), std::string::npos);
  EXPECT_NE(error_of("[blocks]\nmin = 3\n").find("no interval exists below 6"), std::string::npos);
  EXPECT_NE(error_of("[cap]\nlab_s = -1\n").find("lab_s"), std::string::npos);
  EXPECT_NE(error_of("lab_s = 1\n").find("'lab_s'"), std::string::npos);
  EXPECT_NE(error_of("[run\n").find("line 1"), std::string::npos);
  EXPECT_NE(error_of("[\"04_*\"]\nthreads = []\n").find("at least one"), std::string::npos);
}

TEST(Profile, AnUnknownNameNamesTheNearestAndAMissingFileItsPath) {
  try {
    load_profile("quik");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("quick"), std::string::npos);
  }
  try {
    load_profile("/nonexistent/mine.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("mine.toml"), std::string::npos);
  }
}

}  // namespace
}  // namespace perflab

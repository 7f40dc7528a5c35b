#include "driver/labs.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"
#include "driver/check_request.h"

namespace perflab {
namespace {

constexpr const char* description = R"({"lab_id": "04_hardware", "question": "What?",
  "experiments": [
    {"name": "stream", "question": "How fast?", "hidden": false, "defines_ceilings": false,
     "axes": [{"name": "level", "smoke": ["L1"], "quick": ["L1", "DRAM"], "article": [], "reproduce": []},
              {"name": "threads", "smoke": [], "quick": [1, 2], "article": [], "reproduce": []}]},
    {"name": "ceilings", "question": "How fast at most?", "hidden": true, "defines_ceilings": true, "axes": []}],
  "faults": ["hot cache called DRAM", "serial first touch"], "claims": []})";

Lab lab(const std::string& id) { return {id, "/nowhere/" + id, Json::parse(description, "test")}; }

std::vector<std::string> ids(const std::vector<Lab>& labs) {
  std::vector<std::string> result;
  for (const Lab& one : labs) result.push_back(one.id);
  return result;
}

const std::vector<Lab> three = {lab("01_sync"), lab("04_hardware"), lab("12_hardware_mpi")};

const Options anything;  // named: GCC 12 takes parts of a temporary one for uninitialised
Options with(const std::vector<std::string>& set, int fault = 0, const std::string& devices = "cpu:0") {
  Options options;
  options.set = set;
  options.fault = fault;
  options.devices = devices;
  return options;
}

std::string usage_error(const Options& options, const Profile& profile = {}) {
  try {
    check_request(options, profile, {lab("04_hardware")});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

}  // namespace

TEST(Labs, AreNamedByNumberNameIdAndGlob) {
  for (const char* word : {"04", "4", "04_hardware", "hardware"})
    EXPECT_EQ(ids(choose_labs(three, {word})), std::vector<std::string>{"04_hardware"}) << word;
  EXPECT_EQ(ids(choose_labs(three, {"*hardware*"})),
            (std::vector<std::string>{"04_hardware", "12_hardware_mpi"}));
  EXPECT_EQ(ids(choose_labs(three, {"0*"})), (std::vector<std::string>{"01_sync", "04_hardware"}));
}

TEST(Labs, ComeOnceAndInOrderHoweverOftenTheyAreNamed) {
  EXPECT_EQ(ids(choose_labs(three, {"12", "04", "hardware", "4"})),
            (std::vector<std::string>{"04_hardware", "12_hardware_mpi"}));
  EXPECT_EQ(choose_labs(three, {}).size(), 3u);
}

TEST(Labs, AnUnknownOneNamesTheNearest) {
  try {
    choose_labs(three, {"hardwear"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_TRUE(has(error.what(), "04_hardware")) << error.what();
  }
  EXPECT_THROW(choose_labs(three, {"5"}), Error);
  EXPECT_THROW(choose_labs(three, {""}), Error);
}

TEST(Labs, AreFoundAsProgramsWithANumber) {
  const TestFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  std::filesystem::create_directories(folder / "09_folder");
  const auto program = [&](const std::string& name, bool executable) {
    write_file_atomically(folder / name, "#!/bin/sh\ncat <<'END'\n" + std::string(description) + "\nEND\n");
    if (executable) std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  };
  program("05_second", true);
  program("04_hardware", true);
  program("04_hardware_test", true);
  program("06_no_program", false);
  program("libx", true);
  write_file_atomically(folder / "05_second.json", R"({"lab_id": "from the file"})");
  const std::vector<Lab> labs = find_labs(folder);
  ASSERT_EQ(ids(labs), (std::vector<std::string>{"04_hardware", "05_second"}));
  EXPECT_EQ(labs[0].description.text_or("lab_id", ""), "04_hardware");  // asked
  EXPECT_EQ(labs[1].description.text_or("lab_id", ""), "from the file");

  const auto written = std::filesystem::last_write_time(folder / "05_second.json");
  std::filesystem::last_write_time(folder / "05_second", written + std::chrono::seconds(1));  // rebuilt since
  EXPECT_EQ(find_labs(folder)[1].description.text_or("lab_id", ""), "04_hardware");

  write_file_atomically(folder / "07_broken", "#!/bin/sh\nexit 1\n");
  std::filesystem::permissions(folder / "07_broken", std::filesystem::perms::owner_all);
  EXPECT_THROW(find_labs(folder), Error);
  EXPECT_TRUE(find_labs(folder / "none").empty());
}

TEST(Labs, TellTheirAxesFaultsAndCeilings) {
  EXPECT_EQ(axis_names(three[1]), (std::vector<std::string>{"level", "threads"}));
  EXPECT_EQ(fault_texts(three[1]).size(), 2u);
  EXPECT_EQ(ceilings_experiment(three[1]), "ceilings");
}

TEST(Labs, TheirQuestionIsOneSentence) {
  const auto asked = [](const char* text) {
    return question_of({"04_x", "", Json(Json::Object{{"question", text}})});
  };
  EXPECT_EQ(asked("What costs 1.5 ns? Everything."), "What costs 1.5 ns?");
  EXPECT_EQ(asked("What?"), "What?");
  EXPECT_EQ(asked(""), "");
}

TEST(CheckRequest, TakesWhatTheLabKnows) {
  EXPECT_NO_THROW(check_request(with({"level=DRAM", "threads=1,4K,0.5"}, 2), {}, {lab("04_hardware")}));
}

TEST(CheckRequest, NamesTheNearestAxisValueAndFault) {
  EXPECT_TRUE(has(usage_error(with({"treads=1"})), "threads"));
  EXPECT_TRUE(has(usage_error(with({"level=DRAMM"})), "DRAM"));
  EXPECT_TRUE(has(usage_error(with({"threads=many"})), "number"));
  EXPECT_TRUE(has(usage_error(with({"threads"})), "axis=value"));
  EXPECT_TRUE(has(usage_error(with({"threads="})), "axis=value"));
  EXPECT_TRUE(has(usage_error(with({}, 3)), "serial first touch"));
  EXPECT_TRUE(has(usage_error(with({}, 0, "gpu:9")), "gpu:9"));
}

TEST(CheckRequest, HoldsAProfilesAxesAgainstTheLabsItMeets) {
  Profile profile;
  profile.overrides["04_*"]["treads"] = {"1"};
  EXPECT_TRUE(has(usage_error(anything, profile), "threads"));
  profile.overrides.clear();
  profile.overrides["*_ring"]["ranks"] = {"2"};  // labs that this run does not include
  EXPECT_NO_THROW(check_request(anything, profile, {lab("04_hardware")}));
  profile.overrides["wramup"]["calls"] = {"3"};
  EXPECT_TRUE(has(usage_error(anything, profile), "warmup"));
}

TEST(CheckRequest, NoLabAtAllIsAMatterOfTheBuild) {
  try {
    check_request(anything, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
  }
}

TEST(CheckRequest, ALabGetsOnlyTheAxesItHas) {
  EXPECT_EQ(sets_for(three[1], {"threads=1", "ranks=2", "level=L1"}),
            (std::vector<std::string>{"threads=1", "level=L1"}));
}

}  // namespace perflab

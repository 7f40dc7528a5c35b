#include "bench/plan.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace perflab {
namespace {

std::deque<Experiment> lab() {
  std::deque<Experiment> experiments;
  experiments.emplace_back("stream")
      .axis("level", {.smoke = {"L1"}, .quick = {"L1", "DRAM"}})
      .axis("threads", {.smoke = {std::int64_t{1}},
                        .quick = {std::int64_t{1}, std::int64_t{2}},
                        .article = {std::int64_t{8}}})
      .variants({"plain", "nt"}, "plain")
      .faults({"hot cache called DRAM", "serial first touch"});
  experiments.emplace_back("chase")
      .axis("bytes", {.quick = pow2(12, 14)})
      .sweep("random")
      .faults({"lost hop"});
  experiments.emplace_back("secret").hidden().sweep("one");
  return experiments;
}

Profile profile_of(const std::string& axis_values) {
  Profile profile;
  profile.axis_values = axis_values;
  return profile;
}

std::vector<std::string> ids(const std::vector<PlannedPoint>& plan) {
  std::vector<std::string> result;
  for (const PlannedPoint& planned : plan)
    result.push_back(case_id(planned.experiment->name(), planned.point));
  return result;
}

std::string usage_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Plan, IsTheCrossProductOfTheProfilesValuesWithoutHiddenExperiments) {
  const auto experiments = lab();
  EXPECT_EQ(
      ids(make_plan(experiments, profile_of("smoke"), {.lab_id = "99_x", .experiments = {}, .set = {}})),
      (std::vector<std::string>{"stream/level=L1/threads=1", "chase/bytes=4096", "chase/bytes=8192",
                                "chase/bytes=16384"}));
  EXPECT_EQ(
      make_plan(experiments, profile_of("quick"), {.lab_id = "99_x", .experiments = {}, .set = {}}).size(),
      7u);
  EXPECT_EQ(ids(make_plan(experiments, profile_of("article"),
                          {.lab_id = "99_x", .experiments = {"stream"}, .set = {}})),
            (std::vector<std::string>{"stream/level=L1/threads=8", "stream/level=DRAM/threads=8"}));
  EXPECT_EQ(ids(make_plan(experiments, profile_of("quick"),
                          {.lab_id = "99_x", .experiments = {"secret"}, .set = {}})),
            (std::vector<std::string>{"secret"}));
}

TEST(Plan, ASweepCarriesItsCopyAtOnePointAComparisonEverywhere) {
  const auto experiments = lab();
  int with_aa = 0;
  for (const PlannedPoint& planned :
       make_plan(experiments, profile_of("quick"), {.lab_id = "99_x", .experiments = {}, .set = {}}))
    with_aa += planned.with_aa;
  EXPECT_EQ(with_aa, 4 + 1);
}

TEST(Plan, OverridesComeFromTheProfileByGlobAndFromSetWhichWins) {
  const auto experiments = lab();
  Profile profile = profile_of("quick");
  profile.overrides["99_*"] = {{"threads", {"4"}}, {"bytes", {"1K"}}};
  profile.overrides["01_*"] = {{"threads", {"16"}}};
  EXPECT_EQ(
      ids(make_plan(
          experiments, profile,
          {.lab_id = "99_x", .experiments = {}, .set = {{"level", {"DRAM"}}, {"bytes", {"2K", "4K"}}}})),
      (std::vector<std::string>{"stream/level=DRAM/threads=4", "chase/bytes=2048", "chase/bytes=4096"}));
}

TEST(Plan, AProfilesTableMeansLabsAsTheCommandLineDoesAndSkipsAxesThatALabLacks) {
  const auto experiments = lab();
  for (const char* word : {"99", "x", "99_x", "*", "9*"}) {
    Profile profile = profile_of("smoke");
    profile.overrides[word] = {{"threads", {"4"}}, {"ranks", {"2"}}};
    EXPECT_EQ(ids(make_plan(experiments, profile, {.lab_id = "99_x", .experiments = {"stream"}, .set = {}})),
              (std::vector<std::string>{"stream/level=L1/threads=4"}))
        << word;
  }
}

TEST(Plan, FiltersDropPointsOfTheCrossProduct) {
  auto experiments = lab();
  experiments[0].only_if([](const Point& point) { return axis_text(value_of(point, "level")) != "DRAM"; });
  EXPECT_EQ(
      make_plan(experiments, profile_of("quick"), {.lab_id = "99_x", .experiments = {"stream"}, .set = {}})
          .size(),
      2u);
}

TEST(Plan, WhatDoesNotExistNamesTheNearest) {
  const auto experiments = lab();
  const auto plan_with = [&](PlanRequest request) {
    return usage_error([&] { make_plan(experiments, profile_of("quick"), request); });
  };
  EXPECT_NE(plan_with({.lab_id = "99_x", .experiments = {"steam"}, .set = {}}).find("stream"),
            std::string::npos);
  EXPECT_NE(plan_with({.lab_id = "99_x", .experiments = {}, .set = {{"thread", {"1"}}}}).find("threads"),
            std::string::npos);
  EXPECT_NE(plan_with({.lab_id = "99_x", .experiments = {}, .set = {{"level", {"DRAMM"}}}}).find("DRAM"),
            std::string::npos);
  EXPECT_NE(plan_with({.lab_id = "99_x", .experiments = {}, .set = {{"threads", {"two"}}}}).find("'two'"),
            std::string::npos);
}

TEST(Plan, AValueGivenTwiceOrNotAboveZeroIsAMistakeOfTheUser) {
  const auto experiments = lab();
  const auto message = [&](std::vector<std::string> values) {
    return usage_error([&] {
      make_plan(experiments, profile_of("quick"),
                {.lab_id = "99_x", .experiments = {}, .set = {{"threads", std::move(values)}}});
    });
  };
  EXPECT_NE(message({"1", "1"}).find("1 is given twice"), std::string::npos);
  EXPECT_NE(message({"0"}).find("0 is not above zero"), std::string::npos);
  EXPECT_NE(message({"-1"}).find("-1 is not above zero"), std::string::npos);
}

TEST(Plan, AnAxisThatNoMeasuredExperimentHasIsIdle) {
  const auto experiments = lab();
  PlanRequest request{
      .lab_id = "99_x", .experiments = {"chase"}, .set = {{"level", {"L1"}}, {"bytes", {"2K"}}}};
  const auto idle = [&] { return idle_axes(make_plan(experiments, profile_of("quick"), request), request); };
  EXPECT_EQ(idle(), std::vector<std::string>{"level"});
  request.experiments = {};
  EXPECT_EQ(idle(), std::vector<std::string>{});
}

TEST(Plan, SetTakesAxisAndValues) {
  EXPECT_EQ(parse_set("threads=1,2"),
            (std::pair<std::string, std::vector<std::string>>{"threads", {"1", "2"}}));
  for (const char* text : {"threads", "threads=", "=1", "threads=1,,2", ""})
    EXPECT_NE(usage_error([&] { parse_set(text); }).find("want axis=value"), std::string::npos) << text;
}

TEST(Plan, FaultsCountOverTheWholeLab) {
  const auto experiments = lab();
  EXPECT_EQ(choose_fault(experiments, 0).experiment, nullptr);
  EXPECT_EQ(choose_fault(experiments, 2).number, 2);
  EXPECT_EQ(choose_fault(experiments, 3).experiment, &experiments[1]);
  EXPECT_EQ(choose_fault(experiments, 3).number, 1);
  EXPECT_NE(usage_error([&] { choose_fault(experiments, 4); }).find("3 lost hop"), std::string::npos);
}

}  // namespace
}  // namespace perflab

#include "driver/compare_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/csv.h"
#include "bench/testing.h"

namespace perflab {
namespace {

ComparedRun run_of(const ConstructedRun& constructed, const std::string& id) {
  ComparedRun run;
  run.id = id;
  run.status = "complete";
  run.manifest = Json::Object{{"profile", "quick"}};
  run.environment = Json::Object{{"cpu_model", Json::Object{{"value", "Model X"}}}};
  run.labs.push_back({"00_constructed", constructed.samples, constructed.cases, {{"c1", "REPRODUCED"}}});
  return run;
}

ComparedRun sweep(int cases, double ns, const std::string& id) {
  ConstructedRun run("sweep");
  for (int i = 0; i < cases; ++i) run.point({{"n", fmt::format("{}", i)}}, {{"only", steady(ns)}});
  return run_of(run, id);
}

std::string text_of(const ComparedRun& a, const ComparedRun& b) {
  return comparison_text(compare_runs(a, b), a, b);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int lines_with(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

TEST(CompareText, SaysWhatWasComparedAndHowItEnded) {
  const std::string text = text_of(sweep(3, 1e6, "run-a"), sweep(3, 1.2e6, "run-b"));
  for (const char* part :
       {"A: run-a (quick, complete)", "1.200  [1.200, 1.200]  slower  1.00 ms    1.20 ms    20, 20",
        "cases compared: 3; 3 slower, 0 faster, 0 same, 0 undecided", "no verdict changed (1 are the same)",
        "two moments of the machine", "3 slower: the whole interval lies above 1.05 (exit code 1)"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  for (const char c : text)
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << text;  // any terminal shows it
}

TEST(CompareText, ShowsTwentyCasesAndCountsTheRest) {
  const ComparedRun a = sweep(25, 1e6, "a"), b = sweep(25, 1e6, "b");
  const std::string text = text_of(a, b);
  EXPECT_EQ(lines_with(text, "sweep/n="), 20);
  EXPECT_TRUE(has(text, "... and 5 more; --csv shows all")) << text;
  const CsvTable all = parse_csv(comparison_csv(compare_runs(a, b)), "csv");
  EXPECT_EQ(all.rows.size(), 25u);
  EXPECT_EQ(all.header, comparison_header());
}

TEST(CompareText, SaysSoWhereFewValuesDoNotReachTheLevel) {
  const auto level_line = [](int cases, int blocks) {
    ConstructedRun run("sweep");
    for (int i = 0; i < cases; ++i) run.point({{"n", fmt::format("{}", i)}}, {{"only", steady(1e6, blocks)}});
    const std::string text = text_of(run_of(run, "a"), run_of(run, "b"));
    const std::size_t at = text.find("each interval is at");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(level_line(100, 20), "each interval is at 99.95 %, so that all of them together hold at 95 %");
  // Two of the C(12, 6) = 924 orders lie outside, a hundred times: 1 - 200/924.
  const std::string few = level_line(100, 6);
  EXPECT_TRUE(has(few, "together hold at 78.4 % only")) << few;
  EXPECT_EQ(level_line(3, 3), "");  // no interval at all
}

TEST(CompareText, NamesDifferencesCasesOfOneSideAndChangedVerdicts) {
  const ComparedRun a = sweep(2, 1e6, "a");
  ComparedRun b = sweep(3, 1e6, "b");
  b.environment = Json::Object{{"cpu_model", Json::Object{{"value", "Model Y"}}}};
  b.manifest.set("git_commit", std::string(60, 'f'));
  b.labs.front().verdicts["c1"] = "INCONCLUSIVE (drift)";
  const std::string text = text_of(a, b);
  for (const char* part :
       {"another machine:\n  cpu_model  Model X  ->  Model Y", "git_commit  unknown  ->  fff",
        "only in B: 1\n  00_constructed/sweep/n=2 only",
        "verdicts that changed:", "00_constructed c1  REPRODUCED  ->  INCONCLUSIVE (drift)",
        "a gate needs one machine", "(exit code 3)"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

}  // namespace perflab

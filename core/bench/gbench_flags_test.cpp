#include "bench/gbench_flags.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/test_folder.h"

namespace perflab {
namespace {

using Words = std::vector<std::string>;

std::string refusal(const Words& flags) {
  try {
    check_benchmark_flags(flags);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(BenchmarkFlags, ThePrefixTellsThemFromOursInAnyOrder) {
  const SplitWords words = split_benchmark_flags(
      {"lab", "--benchmark_filter=x", "--set", "n=1", "--benchmark_list_tests", "--bench"});
  EXPECT_EQ(words.ours, (Words{"lab", "--set", "n=1", "--bench"}));
  EXPECT_EQ(words.benchmark, (Words{"--benchmark_filter=x", "--benchmark_list_tests"}));
}

TEST(BenchmarkFlags, TheLastFlagWinsAndTheEnvironmentStandsIn) {
  EXPECT_EQ(benchmark_flag({"--benchmark_out=a", "--benchmark_out_format=csv", "--benchmark_out=b=c"}, "out"),
            "b=c");
  unsetenv("BENCHMARK_OUT_FORMAT");
  EXPECT_EQ(benchmark_flag({"--benchmark_out=a"}, "out_format"), "");
  setenv("BENCHMARK_OUT_FORMAT", "console", 1);
  EXPECT_EQ(benchmark_flag({"--benchmark_out=a"}, "out_format"), "console");
  EXPECT_EQ(benchmark_flag({"--benchmark_out_format=json"}, "out_format"), "json");
  unsetenv("BENCHMARK_OUT_FORMAT");
}

TEST(BenchmarkFlags, ValuesAtWhichTheLibraryWouldAbortOrRunForNothingAreRefused) {
  for (const char* good :
       {"min_time=0.01", "min_time=0.01s", "min_time=2e-3", "min_time=10x", "min_time=0", "repetitions=1",
        "format=csv", "out_format=console", "time_unit=us", "filter=", "v=x"})
    EXPECT_EQ(refusal({std::string("--benchmark_") + good}), "") << good;
  for (const char* bad : {"min_time=long", "min_time=1 s", "min_time=-1", "min_time=0x", "min_time=1.5x",
                          "min_time=s", "repetitions=0", "repetitions=-2", "repetitions=3.5",
                          "repetitions=99999999999", "format=xml", "out_format=JSON", "time_unit=h"}) {
    const std::string text = refusal({std::string("--benchmark_") + bad});
    EXPECT_NE(text.find(bad), std::string::npos) << bad << ": " << text;
    EXPECT_NE(text.find("want"), std::string::npos) << text;
  }
}

TEST(BenchmarkFlags, AFileThatCannotBeWrittenIsRefusedBeforeAnythingRuns) {
  const TestFolder folder;
  EXPECT_EQ(refusal({"--benchmark_out=" + (folder / "new.json").string()}), "");
  const std::string text = refusal({"--benchmark_out=" + (folder / "none/new.json").string()});
  EXPECT_NE(text.find("No such file or directory"), std::string::npos) << text;
  EXPECT_NE(refusal({"--benchmark_out=" + folder.path().string()}), "");
}

TEST(BenchmarkFlags, AnUnknownFlagIsNamedWithTheNearestOne) {
  EXPECT_EQ(unknown_benchmark_flag("--benchmark_fliter=x", "1.7.1"),
            "unknown flag --benchmark_fliter; did you mean --benchmark_filter?");
  const std::string text = unknown_benchmark_flag("--benchmark_dry_run=true", "1.7.1");
  EXPECT_NE(text.find("--benchmark_dry_run=true: the installed Google Benchmark 1.7.1"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace perflab

#include "bench/import_nccl.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/file.h"
#include "base/random.h"

namespace perflab {
namespace {

std::string corpus(const std::string& name) {
  return read_file(std::filesystem::path(PERFLAB_SOURCE_DIR) / "core/bench/corpus" / name);
}

std::string refusal(const std::string& text) {
  try {
    parse_nccl(text, "n.txt");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> column(const Imported& imported, const std::string& name) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < imported.collectives_header.size(); ++i)
    if (imported.collectives_header[i] == name)
      for (const auto& row : imported.collectives) cells.push_back(row[i]);
  return cells;
}

using Cells = std::vector<std::string>;
const Cells no_cells;

}  // namespace

// Twelve outputs: exact rows, or an error that names the line. What is expected stands here, not in the
// files.
TEST(NcclImport, EachFileOfTheCorpusGivesExactRowsOrANamedError) {
  struct Expected {
    const char* file;
    std::size_t rows;  // 0: refused
    const char* message;
  };
  for (const Expected& expected :
       {Expected{"nccl_01_all_reduce.txt", 12, ""},
        {"nccl_02_not_checked.txt", 12, ""},
        {"nccl_03_one_half.txt", 6, ""},
        {"nccl_04_row_with_one_half.txt", 0, "line 20: no whole row: 9 fields; want 13"},
        {"nccl_05_per_iteration.txt", 12, ""},
        {"nccl_06_timestamps.txt", 12, ""},
        {"nccl_07_log_between_rows.txt", 12, ""},
        {"nccl_08_log_inside_a_row.txt", 0, "line 21: no whole row: "},
        {"nccl_09_log_in_front_of_a_row.txt", 0, "line 21: a row stands behind a log line"},
        {"nccl_10_old_form.txt", 12, ""},
        {"nccl_11_two_programs_and_cycles.txt", 24, ""},
        {"nccl_12_cut_off.txt", 0, "line 23: no whole row: 12 fields"}}) {
    const std::string text = corpus(expected.file);
    ASSERT_TRUE(looks_like_nccl(text)) << expected.file;
    const std::string message = refusal(text);
    if (expected.rows == 0) {
      EXPECT_TRUE(has(message, expected.message)) << expected.file << ": " << message;
      continue;
    }
    ASSERT_EQ(message, "") << expected.file;
    const Imported imported = parse_nccl(text, expected.file);
    EXPECT_EQ(imported.collectives.size(), expected.rows) << expected.file;
    EXPECT_EQ(imported.samples.size(), expected.rows) << expected.file;
    EXPECT_TRUE(imported.complete) << expected.file;
    std::set<Cells> keys;  // p_op .. p_cycle
    for (const Cells& row : imported.collectives)
      EXPECT_TRUE(keys.emplace(row.begin(), row.begin() + 8).second) << expected.file;
  }
}

TEST(NcclImport, ARowIsReadFieldByField) {
  const Imported imported = parse_nccl(corpus("nccl_01_all_reduce.txt"), "f");
  EXPECT_EQ(imported.collectives[6], (Cells{"all_reduce", "1048576", "float", "sum", "-1", "0", "8", "0",
                                            "262144", "38.05", "27.56", "48.23", "0", "", "", "", "", ""}));
  EXPECT_EQ(imported.collectives[7], (Cells{"all_reduce", "1048576", "float", "sum", "-1", "1", "8", "0",
                                            "262144", "37.61", "27.88", "48.79", "0", "", "", "", "", ""}));
  const Sample& sample = imported.samples[6];
  EXPECT_EQ(sample.case_id, "all_reduce/size_bytes=1048576/dtype=float/redop=sum/root=-1/ranks=8");
  EXPECT_EQ(sample.variant, "out_of_place");
  EXPECT_DOUBLE_EQ(*sample.finish_ns, 38050);
  EXPECT_EQ(sample.inner_iters, 20);
  EXPECT_EQ(imported.facts.at("producer_version").text(), "2.17.6");
  EXPECT_EQ(imported.environment[1].name, "gpus");
  EXPECT_EQ(imported.environment[1].value.text(), "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(imported.environment[0].value.text().find("node01"), std::string::npos);
}

TEST(NcclImport, WhatWasNotCheckedIsEmptyAndNotZero) {
  const Imported imported = parse_nccl(corpus("nccl_02_not_checked.txt"), "f");
  EXPECT_EQ(column(imported, "n_wrong"), Cells(12, ""));
  EXPECT_EQ(imported.cases.front().gate, "none");
  EXPECT_EQ(column(parse_nccl(corpus("nccl_01_all_reduce.txt"), "f"), "n_wrong"), Cells(12, "0"));
}

TEST(NcclImport, OneHalfIsTheOneThatTheHeaderNames) {
  std::string text = corpus("nccl_03_one_half.txt");
  EXPECT_EQ(column(parse_nccl(text, "f"), "p_in_place"), Cells(6, "0"));
  text.replace(text.find("out-of-place"), 12, "    in-place");
  EXPECT_EQ(column(parse_nccl(text, "f"), "p_in_place"), Cells(6, "1"));
  text.replace(text.find("    in-place"), 12, std::string(12, ' '));
  EXPECT_TRUE(has(refusal(text), "which is in place")) << refusal(text);
}

TEST(NcclImport, ExtraColumnsAndTimestampsHaveColumnsOfTheirOwn) {
  const Imported iterations = parse_nccl(corpus("nccl_05_per_iteration.txt"), "f");
  EXPECT_EQ(column(iterations, "i_min_us").front(), "13.5");
  EXPECT_EQ(column(iterations, "i_cv_pct").back(), "4.2");
  EXPECT_EQ(column(iterations, "time_us")[1], "13.98");  // in place: behind the first half's extra columns
  const Imported stamped = parse_nccl(corpus("nccl_06_timestamps.txt"), "f");
  EXPECT_EQ(column(stamped, "timestamp_local")[10], "2026-03-06 12:00:05");
}

TEST(NcclImport, AnOldFormSaysWhatItDoesNotKnow) {
  const Imported imported = parse_nccl(corpus("nccl_10_old_form.txt"), "f");
  EXPECT_EQ(column(imported, "p_op"), Cells(12, ""));
  EXPECT_EQ(column(imported, "n_wrong"), Cells(12, ""));  // 2e-07 is a deviation
  EXPECT_EQ(column(imported, "p_ranks"), Cells(12, "4"));
  EXPECT_EQ(imported.notes.size(), 2u);
}

TEST(NcclImport, CyclesAreSamplesAndAWrongResultIsAFailedCase) {
  const Imported imported = parse_nccl(corpus("nccl_11_two_programs_and_cycles.txt"), "f");
  const Cells cycles = column(imported, "p_cycle");
  EXPECT_EQ(Cells(cycles.begin(), cycles.begin() + 8), (Cells{"0", "0", "0", "0", "0", "0", "1", "1"}));
  int failed = 0;
  for (const CaseRow& row : imported.cases) {
    if (row.status != "failed") continue;
    ++failed;
    EXPECT_EQ(row.status_text, "3 wrong elements");
  }
  EXPECT_EQ(failed, 1);
}

TEST(NcclImport, WithOneRankThereIsNoBusBandwidth) {
  std::string text = corpus("nccl_01_all_reduce.txt");
  for (int rank = 1; rank < 8; ++rank) {
    const std::size_t at = text.find(fmt::format("#  Rank  {}", rank));
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  for (const char* busbw : {"  0.13", "  0.49"})
    for (std::size_t at = 0; (at = text.find(busbw, at)) != std::string::npos;) text.replace(at, 6, "  0.00");
  const Imported imported = parse_nccl(text, "f");
  EXPECT_EQ(column(imported, "busbw_GBps")[0], "");
  EXPECT_EQ(column(imported, "algbw_GBps")[0], "0.07");
}

TEST(NcclImport, AFileThatEndsEarlySaysSo) {
  std::string text = corpus("nccl_01_all_reduce.txt");
  text.resize(text.find("# Out of bounds"));
  const Imported imported = parse_nccl(text, "f");
  EXPECT_FALSE(imported.complete);
  EXPECT_EQ(imported.collectives.size(), 12u);
}

TEST(NcclImport, EachMistakeIsNamedWithItsLine) {
  const std::string whole = corpus("nccl_01_all_reduce.txt");
  const std::size_t first_row = whole.find("        1024  ");
  const std::string row = whole.substr(first_row, whole.find('\n', first_row) - first_row);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  const std::pair<std::string, const char*> broken[] = {
      {with("14.21", "14,21"), "line 18: no whole row: '14,21' is no value of column time"},
      {with("   38.05", "  138.05"), "line 21: algbw 27.56 is not size 1048576 over time 138.05 us"},
      {with("  -1    14.21", " -17   14.21"), "'-17' is no value of column root"},
      {with("    sum      -1    14.21", "     -1     sum    14.21"), "'-1' is no value of column redop"},
      {with("14.21", "  nan"), "'nan' is no value of column time"},
      {with("time   algbw", "cputime algbw"), "line 16: the times are CPU times"},
      {with("busbw", "busBW"), "column 'busBW' is not known"},
      {with("#  Rank  3", "#  Rank  2"), "rank 2 stands twice"},
      {with("all_reduce_perf", "all-reduce"), "'all-reduce' is no name of an operation"},
      {with("        4096          1024", "Error: out of memory\n        4096          1024"),
       "line 19: neither a row, nor a comment"},
      {with("# Avg bus bandwidth    : 41.7 ", row), "a row outside of a table"},
      {refusal("# size count type\n1 2 float\n"), "no row below a header"}};
  for (const auto& [message, expected] : broken)
    EXPECT_TRUE(has(message, expected)) << message << "\n" << expected;
}

// A log line put anywhere into the output: the rows stay the same, or the file is refused.
TEST(NcclImport, ALogLineAnywhereNeverShiftsAColumn) {
  const std::string whole = corpus("nccl_01_all_reduce.txt");
  const std::vector<Cells> rows = parse_nccl(whole, "f").collectives;
  const Random random(41);
  int refused = 0;
  constexpr std::uint64_t places = 400;
  for (std::uint64_t k = 0; k < places; ++k)
    for (const char* log : {"node01:41:42 [0] NCCL INFO Channel 00/02 : 0 1 2 3\n",
                            "node01:41:42 [0] NCCL WARN x", "12 34\n", "\n"}) {
      std::string text = whole;
      text.insert(random.below(k, whole.size()), log);
      if (!refusal(text).empty()) {
        ++refused;
        continue;
      }
      for (const Cells& row : parse_nccl(text, "f").collectives) {
        const bool known = std::any_of(rows.begin(), rows.end(), [&](const Cells& one) {
          return std::equal(one.begin() + 1, one.begin() + 6, row.begin() + 1) &&
                 std::equal(one.begin() + 8, one.end(), row.begin() + 8);
        });
        EXPECT_TRUE(known) << fmt::format("{}", fmt::join(row, " "));
      }
    }
  EXPECT_GT(refused, int(places));
}

}  // namespace perflab

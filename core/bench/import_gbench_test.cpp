#include "bench/import_gbench.h"

#include <gtest/gtest.h>

#include <set>

#include "base/check.h"
#include "base/file.h"
#include "base/random.h"

namespace perflab {
namespace {

std::string fixture(const std::string& name) {
  return read_file(std::filesystem::path(PERFLAB_SOURCE_DIR) / "core/bench/corpus" / name);
}

std::string document(const std::string& rows, const std::string& context = R"("library_version": "v1.9.1")") {
  return "{\"context\": {" + context + "}, \"benchmarks\": [" + rows + "]}";
}

std::string row(const std::string& more, const std::string& name = "BM_x") {
  return R"({"name": ")" + name + R"(", "run_name": ")" + name +
         R"(", "run_type": "iteration", "repetition_index": 0, "threads": 1, "iterations": 10,)" +
         R"("real_time": 2.0, "cpu_time": 1.0, "time_unit": "us")" + more + "}";
}

std::string refusal(const std::string& text) {
  try {
    parse_gbench(text, "b.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<double> times_of(const Imported& imported, const std::string& case_id,
                             const std::string& variant) {
  std::vector<double> times;
  for (const Sample& sample : imported.samples)
    if (sample.case_id == case_id && sample.variant == variant) times.push_back(*sample.finish_ns);
  return times;
}

const CaseRow& case_of(const Imported& imported, const std::string& case_id) {
  for (const CaseRow& one : imported.cases)
    if (one.case_id == case_id) return one;
  fail(ErrorKind::check, "no case {}", case_id);
}

// What a row says, as text: to find a row in the rows of another file.
std::multiset<std::string> rows_of(const Imported& imported) {
  std::multiset<std::string> rows;
  for (const Sample& sample : imported.samples)
    rows.insert(fmt::format("{}|{}|{}|{}|{}", sample.case_id, sample.variant, sample.block, *sample.finish_ns,
                            sample.inner_iters));
  return rows;
}

}  // namespace

TEST(GbenchImport, ReadsTheFormOf171AndLeavesAggregatesOut) {
  const Imported imported = parse_gbench(fixture("gbench_1_7_1.json"), "f");
  EXPECT_EQ(imported.samples.size(),
            20u);  // repetitions, and single rows; no mean, median, stddev, cv, BigO, RMS
  EXPECT_EQ(imported.cases.size(), 6u);
  EXPECT_EQ(imported.facts.at("aggregates_left_out").number(), 14);
  EXPECT_EQ(times_of(imported, "BM_copy/1024", "benchmark").size(), 6u);
  for (const double time : times_of(imported, "BM_copy/1024", "benchmark")) {
    EXPECT_GT(time, 30.6);  // a cv of 0.0158 or a stddev of 0.49 would be here
    EXPECT_LT(time, 31.9);
  }
  EXPECT_EQ(times_of(imported, "BM_hits", "benchmark"), std::vector<double>{3500});                   // us
  EXPECT_EQ(times_of(imported, "BM_odd", "benchmark"), std::vector<double>{1.5e9});                   // s
  EXPECT_NEAR(times_of(imported, "BM_sleep/real_time/threads:4", "benchmark")[0], 25.1e6 * 0.98, 1);  // ms
  EXPECT_TRUE(imported.facts.at("producer_version").is_null());
  EXPECT_EQ(imported.facts.at("program").text(), "bench");  // without anybody's folders
}

TEST(GbenchImport, ReadsTheFormOf19AndNamesAsOurLabsGiveThem) {
  const Imported imported = parse_gbench(fixture("gbench_1_9.json"), "f");
  EXPECT_EQ(times_of(imported, "loop/n=1000", "sync").size(), 8u);
  EXPECT_EQ(times_of(imported, "loop/n=1000", "async").size(), 8u);
  EXPECT_EQ(case_of(imported, "loop/n=1000").axes.at("n"), "1000");
  EXPECT_EQ(case_of(imported, "loop/n=1000").experiment, "loop");
  EXPECT_EQ(case_of(imported, "BM_gpu").status, "skipped");
  EXPECT_EQ(case_of(imported, "BM_gpu").status_text, "needs a GPU");
  EXPECT_TRUE(times_of(imported, "BM_gpu", "benchmark").empty());
  EXPECT_EQ(imported.facts.at("producer_version").text(), "v1.9.1");
  EXPECT_EQ(imported.facts.at("threaded_real_time").text(), "wall");
  std::vector<std::string> items;
  for (const EnvItem& item : imported.environment) items.push_back(item.name);
  EXPECT_EQ(items, (std::vector<std::string>{"host_name_hash", "logical_cpus", "cpu_now_mhz", "aslr",
                                             "load_average_start", "cache_L1_bytes", "cache_L2_bytes",
                                             "cache_L3_bytes"}));
}

TEST(GbenchImport, NamesAreSplitOnlyWhereTheyAreOurs) {
  const GbenchName ours = split_gbench_name("loop/n=1000/depth=2/sync/manual_time");
  EXPECT_EQ(ours.case_id, "loop/n=1000/depth=2");
  EXPECT_EQ(ours.variant, "sync");
  EXPECT_EQ(split_gbench_name("loop/n=1/sync/manual_time/threads:2").variant, "sync/threads:2");
  for (const char* name :
       {"BM_x", "BM_x/8/64", "BM_x/n:8/k:2", "loop/n=1", "a/=1/b", "a/n=1/n=2/b", "BM_x/8/real_time"}) {
    EXPECT_EQ(split_gbench_name(name).case_id, name);
    EXPECT_EQ(split_gbench_name(name).variant, "benchmark");
  }
}

// A terminal obeys them.
TEST(GbenchImport, ControlCharactersOfNamesAreNotKept) {
  const Imported imported = parse_gbench(
      document(R"({"name": "a\u001b[2J", "run_name": "a\u001b[2J", "run_type": "iteration", "threads": 1,)"
               R"("repetition_index": 0, "error_occurred": true, "error_message": "two\nlines"})"),
      "b.json");
  ASSERT_EQ(imported.cases.size(), 1u);
  EXPECT_EQ(imported.cases[0].case_id, "a?[2J");
  EXPECT_EQ(imported.cases[0].status_text, "two?lines");
  EXPECT_TRUE(has(refusal(document(row(R"(, "a\u0001": 1, "a\u0002": 2)"))), "stands twice"));
}

TEST(GbenchImport, CountersOfOneRowAreColumnsForAll) {
  const Imported imported = parse_gbench(document(row(R"(, "hits": 3, "bytes/s, \"net\"": 1e9)", "BM_a") +
                                                  "," + row(R"(, "misses": 4)", "BM_b")),
                                         "f");
  EXPECT_EQ(imported.schema.metrics, (std::vector<std::string>{"hits", "bytes/s, \"net\"", "misses"}));
  std::string text = csv_line(sample_header(imported.schema));
  for (const Sample& sample : imported.samples) text += csv_line(sample_fields(imported.schema, sample));
  const CsvTable table = parse_csv(text, "t");
  EXPECT_EQ(table.at(0, "m_hits"), "3");
  EXPECT_EQ(table.at(0, "m_misses"), "");
  EXPECT_EQ(table.at(1, "m_hits"), "");
  EXPECT_EQ(table.at(1, "m_misses"), "4");
  EXPECT_EQ(samples_from(table).samples[0].metrics.at("bytes/s, \"net\""), 1e9);
}

TEST(GbenchImport, NumbersThatAreNotFiniteAreEmptyCellsOfCountersAndErrorsOfTimes) {
  const Imported imported = parse_gbench(
      document(row(R"(, "a": NaN, "b": -Infinity, "c": "nan", "d": null, "e": -NaN, "label": "NaN here")")),
      "f");
  EXPECT_TRUE(imported.samples[0].metrics.empty());
  EXPECT_EQ(imported.schema.metrics, (std::vector<std::string>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(imported.notes.size(), 5u);
  EXPECT_TRUE(has(imported.notes[0], "counter 'a' is no finite number"));
  std::string text = document(row(""));
  text.replace(text.find("2.0"), 3, "NaN");
  EXPECT_TRUE(has(refusal(text), "'real_time' is NaN or infinite")) << refusal(text);
  text.replace(text.find("NaN"), 3, "\"inf\"");
  EXPECT_TRUE(has(refusal(text), "'real_time' is NaN or infinite"));
}

TEST(GbenchImport, FailedAndSkippedRowsKeepTheirMessageAndNoNumber) {
  const Imported imported = parse_gbench(fixture("gbench_1_7_1.json"), "f");
  EXPECT_EQ(case_of(imported, "BM_broken").status, "failed");
  EXPECT_EQ(case_of(imported, "BM_broken").status_text, "no device");
  EXPECT_TRUE(times_of(imported, "BM_broken", "benchmark").empty());
}

TEST(GbenchImport, ACaseWithoutAValidSampleIsNotOk) {
  std::string zero = row("", "BM_zero");
  zero.replace(zero.find("\"real_time\": 2.0"), 16, "\"real_time\": 0.0");
  const Imported imported = parse_gbench(document(zero + "," + row("")), "f");
  EXPECT_EQ(case_of(imported, "BM_zero").status, "failed");
  EXPECT_EQ(case_of(imported, "BM_zero").status_reason, "no_valid_samples");
  EXPECT_EQ(case_of(imported, "BM_x").status, "ok");
}

TEST(GbenchImport, EachMistakeIsNamedWithItsRow) {
  const std::pair<std::string, std::string> broken[] = {
      {document(R"({"name": "x", "run_name": "x", "run_type": "complexity"})"), "run_type 'complexity'"},
      {document(R"({"name": "x"})"), "it has no 'run_type'"},
      {document(R"({"name": "", "run_type": "iteration"})"), "its name is empty"},
      {document(R"({"name": 3})"), "'name' is no text"},
      {document("7"), "it has no 'name'"},
      {document(row("") + "," + row("")), "benchmark 2 ('BM_x'): it stands twice with repetition_index 0"},
      {document(row(R"(, "real_time": 3.0)")), "member 'real_time' stands twice"},
      {document(R"({"name": "a", "run_name": "b", "run_type": "iteration"})"), "its run_name is 'b'"},
      {document(""), "no single measurements, 0 aggregates"},
      {document(R"({"name": "a_mean", "run_type": "aggregate"})"), "1 aggregates"},
      {R"({"benchmarks": []})", "not of Google Benchmark"},
      {R"({"context": {}, "benchmarks": {}})", "'benchmarks' is no list"},
      {"[1, 2]", "not of Google Benchmark"}};
  for (const auto& [text, message] : broken)
    EXPECT_TRUE(has(refusal(text), message)) << text << "\n" << refusal(text);
  for (const auto& [from, to] : {std::pair("\"us\"", "\"fs\""), std::pair("2.0", "-2.0"),
                                 std::pair(": 10,", ": 1.5,"), std::pair(": 10,", ": 0,")}) {
    std::string text = document(row(""));
    text.replace(text.find(from), std::string_view(from).size(), to);
    EXPECT_TRUE(has(refusal(text), "b.json: benchmark 1 ('BM_x')")) << text;
  }
}

TEST(GbenchImport, FieldsThatAreNotKnownAreLeftOutByName) {
  const Imported imported = parse_gbench(document(row(R"(, "new_field": "x", "flag": true)")), "f");
  EXPECT_TRUE(imported.samples[0].metrics.empty());
  EXPECT_EQ(imported.notes, (std::vector<std::string>{"field 'new_field' is not known and was left out",
                                                      "field 'flag' is not known and was left out"}));
}

TEST(GbenchImport, VersionsSayWhatATimeWithThreadsMeans) {
  for (const char* version : {"v1.9.0", "1.9.1", "v1.10.0", "2.0.0", "v1.9.0-12-gabcdef", "v1.9.4"})
    EXPECT_EQ(threaded_real_time(version), "wall") << version;
  for (const char* version : {"v1.8.5", "1.7.1", "v1.8.99"})
    EXPECT_EQ(threaded_real_time(version), "divided");
  for (const char* version : {"", "v0.0.0", "0.0.0", "v1.8.5-30-gabcdef", "1.9", "main", "v1.-1.0"})
    EXPECT_EQ(threaded_real_time(version), "") << version;
  const Imported unknown = parse_gbench(fixture("gbench_1_7_1.json"), "f");
  EXPECT_TRUE(unknown.facts.at("threaded_real_time").is_null());
  EXPECT_TRUE(has(unknown.notes.back(), "names no library_version")) << unknown.notes.back();
  EXPECT_TRUE(has(unknown.notes.back(), "the 6 rows with threads"));
}

TEST(GbenchImport, FilesOfOurLabsSayMoreThanTheLibraryDoes) {
  const std::string rows = row(R"(, "label": "modelled, link modelled")", "a/n=1/x") + "," +
                           row(R"(, "label": "thread_mismatch")", "a/n=1/y");
  const Imported ours = parse_gbench(
      document(rows,
               R"("perflab_version": "0.1.0", "perflab_google_benchmark": "1.7.1", "perflab_fault": "2")"),
      "f");
  EXPECT_EQ(ours.facts.at("threaded_real_time").text(), "divided");
  EXPECT_EQ(ours.facts.at("perflab_fault").text(), "2");
  EXPECT_EQ(ours.samples[0].evidence, "modelled");
  EXPECT_EQ(ours.cases[0].link, "modelled");
  EXPECT_EQ(ours.samples[1].invalid_reason, "thread_mismatch");
  EXPECT_FALSE(ours.samples[1].valid);
  const Imported foreign = parse_gbench(document(rows), "f");
  EXPECT_TRUE(foreign.samples[1].valid);
  EXPECT_EQ(foreign.cases[1].status_text, "thread_mismatch");
}

TEST(GbenchImport, AFileCutAtAnyByteIsRefusedWithTheByte) {
  const std::string whole = document(row(R"(, "hits": NaN)"));
  EXPECT_EQ(refusal(whole), "");
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    const std::string message = refusal(whole.substr(0, cut));
    ASSERT_TRUE(has(message, "b.json: byte ")) << cut << ": " << message;
  }
}

TEST(GbenchImport, ACorruptedFileIsRefusedOrGivesRowsOfTheOriginal) {
  const std::string whole = fixture("gbench_1_9.json");
  const std::multiset<std::string> original = rows_of(parse_gbench(whole, "f"));
  const Random random(37);
  int refused = 0;
  constexpr int places = 60;
  for (std::uint64_t k = 0; k < places; ++k) {
    const std::size_t at = random.below(2 * k, whole.size());
    EXPECT_TRUE(has(refusal(whole.substr(0, at)), "b.json: byte ")) << at;
    for (const char byte : {'\0', '\xff', '"', '{', ']'}) {
      std::string damaged = whole;
      if (damaged[at] == byte) continue;
      damaged[at] = byte;
      const std::string message = refusal(damaged);
      if (!message.empty()) {
        ++refused;
        EXPECT_TRUE(has(message, "b.json: ")) << message;
        continue;
      }
      for (const std::string& one : rows_of(parse_gbench(damaged, "f")))
        EXPECT_TRUE(original.contains(one)) << "byte " << at << ": " << one;
    }
  }
  EXPECT_GT(refused, 4 * places);
}

}  // namespace perflab

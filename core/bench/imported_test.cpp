#include "bench/imported.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "base/process.h"
#include "base/stop.h"
#include "base/test_folder.h"
#include "bench/comparison.h"
#include "bench/csv.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

fs::path corpus(const std::string& name) { return fs::path(PERFLAB_SOURCE_DIR) / "core/bench/corpus" / name; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

class Import : public testing::Test {
 protected:
  // As the verb does it, of a text under any name.
  perflab::Run import(const std::string& text, const std::string& name = "some file.txt") {
    const fs::path file = folder_ / name;
    write_file_atomically(file, text);
    return write_import(read_import(file), out_, {"perflab", "import", name});
  }
  ComparedRun compared(const std::string& text) { return read_compared_run(import(text)); }

  const TestFolder folder_;
  const fs::path out_ = folder_ / "results";
};

}  // namespace

TEST_F(Import, MakesACompleteRunOfItsOwnAndIsNotTheLatest) {
  const std::string text = read_file(corpus("gbench_1_9.json"));
  const perflab::Run run = import(text, "was named.txt");
  EXPECT_EQ(run.status(), "complete");
  EXPECT_FALSE(fs::exists(out_ / "latest"));
  EXPECT_EQ(read_file(folder_ / "was named.txt"), text);
  const Json facts = perflab::Run::open(run.folder()).manifest().at("import");
  EXPECT_EQ(facts.at("file").text(), "was named.txt");
  EXPECT_EQ(facts.at("bytes").number(), double(text.size()));
  EXPECT_EQ(facts.at("sha256").text(), sha256_hex(text));
  EXPECT_EQ(facts.at("producer").text(), "Google Benchmark");
  EXPECT_EQ(facts.at("samples").number(), 25);
  EXPECT_NO_THROW(run.verify_outputs());
  EXPECT_EQ(read_samples(run.folder() / "gbench").samples.size(), 25u);
  // Nothing of this machine may pass for the one that measured.
  const Json environment = Json::parse(read_file(run.folder() / "env.json"), "env");
  EXPECT_EQ(environment.at("logical_cpus").at("value").number(), 2);
  EXPECT_EQ(environment.find("cpu_model"), nullptr);
  EXPECT_EQ(environment.find("load_average_end"), nullptr);
}

TEST_F(Import, CollectivesAreALongTableWithAKey) {
  const perflab::Run run = import(read_file(corpus("nccl_11_two_programs_and_cycles.txt")), "data.json");
  const CsvTable table = read_csv(run.folder() / "nccl_tests/collectives.csv");
  EXPECT_EQ(table.rows.size(), 24u);
  EXPECT_EQ(table.at(0, "p_op"), "all_reduce");
  EXPECT_EQ(table.at(0, "run_id"), run.id());
  EXPECT_EQ(read_samples(run.folder() / "nccl_tests").samples.size(), 24u);
}

TEST_F(Import, AFileThatEndsEarlyMakesAPartialRun) {
  std::string text = read_file(corpus("nccl_01_all_reduce.txt"));
  text.resize(text.find("# Out of bounds"));
  EXPECT_EQ(import(text).status(), "partial");
}

TEST_F(Import, OfABrokenFileNothingIsLeft) {
  const std::string whole = read_file(corpus("gbench_1_9.json"));
  for (const std::string& text :
       {whole.substr(0, whole.size() / 2), std::string(), std::string("name,iterations,real_time\n"),
        "\xEF\xBB\xBF" + whole, read_file(corpus("nccl_08_log_inside_a_row.txt"))}) {
    try {
      import(text);
      FAIL() << text.substr(0, 40);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_TRUE(has(error.what(), "some file.txt")) << error.what();
    }
  }
  EXPECT_FALSE(fs::exists(out_));
  EXPECT_THROW(read_import(folder_ / "none"), Error);
}

TEST_F(Import, OfAStoppedOneNothingIsLeft) {
  request_stop();
  try {
    import(read_file(corpus("gbench_1_9.json")));
    ADD_FAILURE() << "not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(exit_code(error.kind()), exit_codes::interrupted);
  }
  request_stop(false);
  EXPECT_TRUE(fs::is_empty(out_));
}

// What a stranger's CSV reader sees: every row as long as the header, which is the first line.
TEST_F(Import, PythonReadsTheTablesWithOneFieldCount) {
  if (!capture({"python3", "-c", ""}).ok) GTEST_SKIP() << "no python3";
  for (const char* name : {"gbench_1_7_1.json", "gbench_1_9.json", "nccl_05_per_iteration.txt"}) {
    const perflab::Run run = import(read_file(corpus(name)));
    const fs::path folder = run.lab_folder(run.manifest().at("labs").array()[0].text());
    for (const auto& entry : fs::directory_iterator(folder)) {
      const Captured counted =
          capture({"python3", "-c",
                   "import csv, sys\n"
                   "rows = list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))\n"
                   "print(rows[0][0], len(rows) - 1, len({len(row) for row in rows}))",
                   entry.path().string()},
                  20'000);
      const std::size_t rows = read_csv(entry.path()).rows.size();
      EXPECT_EQ(counted.output, fmt::format("schema_version {} 1\n", rows)) << entry.path();
      EXPECT_GT(rows, 0u);
    }
  }
}

TEST_F(Import, TwoImportsAreComparedAsAnyOtherRuns) {
  const std::string text = read_file(corpus("gbench_1_9.json"));
  const ComparedRun before = compared(text);
  Comparison comparison = compare_runs(before, compared(text));
  EXPECT_EQ(comparison.exit_code(), 0) << comparison.verdict();
  EXPECT_EQ(comparison.count(Change::same), 3);  // the two variants of loop, and the row with threads
  for (const ComparedCase& one : comparison.cases) EXPECT_EQ(one.ratio.median, 1);
  EXPECT_EQ(comparison.empty_in_both, 1);  // BM_gpu was skipped

  // Ten times slower: e+03 reads e+04 in every time of one variant.
  std::string slower = text;
  const std::string name = "\"name\": \"loop/n=1000/sync/manual_time\"";
  for (std::size_t at = 0; (at = slower.find(name, at)) != std::string::npos; ++at) {
    const std::size_t time = slower.find("e+03", slower.find("\"real_time\"", at));
    slower.replace(time, 4, "e+04");
  }
  comparison = compare_runs(before, compared(slower));
  EXPECT_EQ(comparison.exit_code(), 1);
  EXPECT_EQ(comparison.cases.front().variant, "sync");
  EXPECT_NEAR(comparison.cases.front().ratio.median, 10, 1e-9);

  comparison = compare_runs(before, compared(replaced(text, "node01", "node02")));
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_EQ(comparison.machine.front().what, "host_name_hash");
}

TEST_F(Import, RowsWithThreadsAreNotComparedAcrossTheChangeOfTheirMeaning) {
  const std::string of_191 = read_file(corpus("gbench_1_9.json"));
  const std::string of_171 = read_file(corpus("gbench_1_7_1.json"));  // names no version
  const auto reason = [&](const std::string& a, const std::string& b) {
    const Comparison comparison = compare_runs(compared(a), compared(b));
    for (const auto& [name, why] : comparison.left_out)
      if (has(name, "threads:4")) return why;
    return std::string("compared");
  };
  const auto version = [&](const char* text) { return replaced(of_191, "v1.9.1", text); };
  EXPECT_EQ(reason(of_191, version("v1.9.4")), "compared");
  EXPECT_TRUE(has(reason(of_191, version("v1.8.5")), "on either side of it"));
  EXPECT_TRUE(has(reason(of_191, version("v0.0.0")), "run B does not say which version"));
  EXPECT_TRUE(has(reason(of_171, of_191), "run A does not say which version"));
  EXPECT_TRUE(has(reason(of_171, of_171), "run A does not say which version"));
  EXPECT_EQ(reason(version("v1.8.3"), version("v1.8.5")), "compared");
}

TEST_F(Import, ARunOfOurOwnAndAnImportedOneShareNothing) {
  ComparedRun ours;
  ours.status = "complete";
  ours.manifest = Json::Object{};
  ours.environment = Json::Object{};
  const Comparison comparison = compare_runs(ours, compared(read_file(corpus("gbench_1_9.json"))));
  EXPECT_EQ(comparison.exit_code(), 3);
  EXPECT_EQ(comparison.only_b.size(), 5u);
}

}  // namespace perflab

#include "bench/record_csv.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/check.h"
#include "base/random.h"

namespace perflab {
namespace {

const LabSchema schema{
    "20260101T000000Z-abcdef", "99_test", {"level", "threads"}, {"lines_count", "messages_count"}};

Sample some_sample(int index) {
  Sample s;
  s.experiment = "stream";
  s.case_id = "stream/level=L1/threads=2";
  s.variant = index % 2 ? "nt" : "plain, \"quoted\"\nü";
  s.axes = {{"level", "L1"}, {"threads", "2"}};
  s.device = "cpu:0";
  s.evidence = "measured";
  s.link = "none";
  s.invocation = 0;
  s.block = index;
  s.inner_iters = 1 << index;
  s.t_start_ns = 123456789012345 + index;
  s.submit_ns = 0.1 + index;
  s.finish_ns = 1.0 / 3;
  if (index != 1) s.verified_ns = 5e-324;
  s.threads_seen = 2;
  s.metrics = {{"lines_count", 64.0}};
  if (index == 2) s.metrics["messages_count"] = 0;
  s.major_faults = 0;
  s.checksum = "00ff00ff00ff00ff";
  s.valid = index != 2;
  s.invalid_reason = index == 2 ? "clock_unstable" : "";
  return s;
}

std::string some_text() {
  std::string text = csv_line(sample_header(schema));
  for (int index = 0; index < 4; ++index) text += csv_line(sample_fields(schema, some_sample(index)));
  return text;
}

std::vector<std::vector<std::string>> fields_of(const std::vector<Sample>& samples) {
  std::vector<std::vector<std::string>> rows;
  for (const Sample& sample : samples) rows.push_back(sample_fields(schema, sample));
  return rows;
}

TEST(RecordCsv, SamplesRoundTripWithoutLoss) {
  const SampleFile file = samples_from(parse_csv(some_text(), "samples.csv"));
  ASSERT_EQ(file.samples.size(), 4u);
  EXPECT_EQ(file.run_id, schema.run_id);
  for (int index = 0; index < 4; ++index)
    EXPECT_EQ(sample_fields(schema, file.samples[std::size_t(index)]),
              sample_fields(schema, some_sample(index)));
  EXPECT_FALSE(file.samples[1].verified_ns.has_value());
  EXPECT_EQ(file.samples[2].metrics.count("messages_count"), 1u);
  EXPECT_EQ(file.samples[0].metrics.count("messages_count"), 0u);
}

TEST(RecordCsv, CaseRowsRoundTripWithoutLoss) {
  CaseRow row;
  row.experiment = "stream";
  row.case_id = "stream/level=L1/threads=2";
  row.variant = row.baseline = "plain";
  row.axes = {{"level", "L1"}, {"threads", "2"}};
  row.profile = "quick";
  row.cost = {.flops = 2e9, .bytes_read = 0.5, .bytes_written = 1e15};
  row.level = "L1";
  row.working_set_bytes = 16384;
  row.first_call_ns = 17;
  row.status = "failed";
  row.status_text = "value 3 is 1, want 2";
  const std::string text = csv_line(case_header(schema)) + csv_line(case_fields(schema, row));
  const CaseFile file = cases_from(parse_csv(text, "cases.csv"));
  ASSERT_EQ(file.cases.size(), 1u);
  EXPECT_EQ(case_fields(schema, file.cases[0]), case_fields(schema, row));
}

TEST(RecordCsv, CutAtEveryByteGivesExactLeadingRowsOrIsRefused) {
  const std::string text = some_text();
  const auto whole = fields_of(samples_from(parse_csv(text, "s")).samples);
  const std::size_t header_bytes = text.find('\n') + 1;
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    if (cut < header_bytes) {
      EXPECT_THROW(parse_csv(std::string_view(text).substr(0, cut), "s"), Error) << cut;
      continue;
    }
    const SampleFile file = samples_from(parse_csv(std::string_view(text).substr(0, cut), "s"));
    const auto rows = fields_of(file.samples);
    ASSERT_TRUE(std::equal(rows.begin(), rows.end(), whole.begin())) << cut;
    ASSERT_TRUE(file.partial || text[cut - 1] == '\n') << cut;
    ASSERT_LT(rows.size(), whole.size()) << cut;
  }
}

TEST(RecordCsv, ShuffledAndExtraColumnsReadTheSame) {
  const CsvTable table = parse_csv(some_text(), "s");
  std::vector<std::uint32_t> order = Random(5).permutation(std::uint32_t(table.header.size()));
  const auto shuffled = [&](const std::vector<std::string>& row, const char* extra) {
    std::vector<std::string> fields{extra};
    for (const std::uint32_t column : order) fields.push_back(row[column]);
    return csv_line(fields);
  };
  std::string text = shuffled(table.header, "a_new_column");
  for (const auto& row : table.rows) text += shuffled(row, "x");
  EXPECT_EQ(fields_of(samples_from(parse_csv(text, "s")).samples), fields_of(samples_from(table).samples));
}

TEST(RecordCsv, DamageIsADataErrorThatNamesFileRowAndColumn) {
  const auto with = [](const char* column, const char* value) {
    CsvTable table = parse_csv(some_text(), "samples.csv");
    table.rows[1][table.column(column)] = value;
    return table;
  };
  const std::pair<const char*, const char*> damaged[] = {
      {"finish_ns", "nan"}, {"finish_ns", "1,5"}, {"block", "one"},         {"block", "1.5"},
      {"valid", "yes"},     {"phase", "judged"},  {"schema_version", "99"}, {"m_lines_count", "inf"},
      {"t_start_ns", ""},   {"block", "0"}};
  for (const auto& [column, value] : damaged) {
    CsvTable table = with(column, value);
    if (std::string_view(value) == "0") table.rows[1] = table.rows[0];  // the same key twice
    try {
      samples_from(table);
      FAIL() << column << " = " << value;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_EQ(std::string(error.what()).rfind("samples.csv", 0), 0u) << error.what();
    }
  }
  CsvTable missing = parse_csv(some_text(), "samples.csv");
  missing.header[missing.column("finish_ns")] = "finish_us";
  EXPECT_THROW(samples_from(missing), Error);
}

TEST(RecordCsv, AnUndeclaredMetricOrAxisIsAnErrorThatNamesIt) {
  Sample sample = some_sample(0);
  sample.metrics["bytes"] = 1;
  EXPECT_THROW(sample_fields(schema, sample), Error);
  sample = some_sample(0);
  sample.axes["stride"] = "8";
  EXPECT_THROW(sample_fields(schema, sample), Error);
}

}  // namespace
}  // namespace perflab

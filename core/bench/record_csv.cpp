#include "bench/record_csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include "base/check.h"
#include "base/units.h"
#include "bench/experiment.h"

namespace perflab {
namespace {

constexpr std::array<std::string_view, 3> phase_names{"first", "warmup", "timed"};

// ---- values to text and back; empty is "missing" ----

std::string to_text(const std::string& value) { return value; }
std::string to_text(bool value) { return value ? "1" : "0"; }
std::string to_text(int value) { return fmt::format("{}", value); }
std::string to_text(std::int64_t value) { return fmt::format("{}", value); }
std::string to_text(double value) { return format_number(value); }
std::string to_text(Phase value) { return std::string(phase_names[std::size_t(value)]); }
template <typename T>
std::string to_text(const std::optional<T>& value) {
  return value ? to_text(*value) : std::string();
}

template <typename Integer>
void parse_integer(std::string_view text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    fail(ErrorKind::data, "'{}' is no whole number", text);
}
void from_text(const std::string& text, std::string& value) { value = text; }
void from_text(const std::string& text, int& value) { parse_integer(text, value); }
void from_text(const std::string& text, std::int64_t& value) { parse_integer(text, value); }
void from_text(const std::string& text, double& value) { value = parse_number(text); }
void from_text(const std::string& text, bool& value) {
  if (text != "0" && text != "1") fail(ErrorKind::data, "'{}' is neither 0 nor 1", text);
  value = text == "1";
}
void from_text(const std::string& text, Phase& value) {
  const auto found = std::find(phase_names.begin(), phase_names.end(), text);
  if (found == phase_names.end())
    fail(ErrorKind::data, "'{}' is no phase; want first, warmup or timed", text);
  value = Phase(found - phase_names.begin());
}
template <typename T>
void from_text(const std::string& text, std::optional<T>& value) {
  if (text.empty()) return value.reset();
  from_text(text, value.emplace());
}

// ---- one list of columns per record, used for the header, for writing and for reading ----

// Visits the fixed columns of a sample in file order; "p_" and "m_" mark where the lab's own columns stand.
template <typename S, typename Visit>
void sample_columns(S& s, Visit&& visit) {
  visit("experiment", s.experiment);
  visit("case_id", s.case_id);
  visit("variant", s.variant);
  visit.axes(s.axes);
  visit("device", s.device);
  visit("evidence", s.evidence);
  visit("link", s.link);
  visit("logical", s.logical);
  visit("fault", s.fault);
  visit("phase", s.phase);
  visit("invocation", s.invocation);
  visit("block", s.block);
  visit("order_in_block", s.order_in_block);
  visit("sample", s.sample);
  visit("inner_iters", s.inner_iters);
  visit("t_start_ns", s.t_start_ns);
  visit("submit_ns", s.submit_ns);
  visit("finish_ns", s.finish_ns);
  visit("verified_ns", s.verified_ns);
  visit("device_ns", s.device_ns);
  visit("proc_cpu_ns_per_iter", s.proc_cpu_ns_per_iter);
  visit("threads_seen", s.threads_seen);
  visit.metrics(s.metrics);
  visit("cpu_mhz", s.cpu_mhz);
  visit("temp_c", s.temp_c);
  visit("cfs_throttled_delta", s.cfs_throttled_delta);
  visit("core_throttle_delta", s.core_throttle_delta);
  visit("invol_ctx_switches", s.invol_ctx_switches);
  visit("major_faults", s.major_faults);
  visit("checksum", s.checksum);
  visit("valid", s.valid);
  visit("invalid_reason", s.invalid_reason);
}

template <typename C, typename Visit>
void case_columns(C& c, Visit&& visit) {
  visit("experiment", c.experiment);
  visit("case_id", c.case_id);
  visit("variant", c.variant);
  visit("baseline", c.baseline);
  visit.axes(c.axes);
  visit("invocation", c.invocation);
  visit("profile", c.profile);
  visit("decides", c.decides);
  visit("fault", c.fault);
  visit("device", c.device);
  visit("evidence", c.evidence);
  visit("subject", c.subject);
  visit("link", c.link);
  visit("cache_state", c.cache_state);
  visit("flops_per_iter", c.cost.flops);
  visit("bytes_read_per_iter", c.cost.bytes_read);
  visit("bytes_written_per_iter", c.cost.bytes_written);
  visit("level", c.level);
  visit("pattern", c.pattern);
  visit("threads", c.threads);
  visit("working_set_bytes", c.working_set_bytes);
  visit("gate", c.gate);
  visit("first_call_ns", c.first_call_ns);
  visit("warmup_state", c.warmup_state);
  visit("warmup_calls", c.warmup_calls);
  visit("inner_iters", c.inner_iters);
  visit("blocks", c.blocks);
  visit("others_cpu_share", c.others_cpu_share);
  visit("stop_reason", c.stop_reason);
  visit("status", c.status);
  visit("status_reason", c.status_reason);
  visit("status_text", c.status_text);
}

struct HeaderVisitor {
  const LabSchema& schema;
  std::vector<std::string> names{"schema_version", "run_id", "lab_id"};
  template <typename T>
  void operator()(const char* name, const T&) {
    names.emplace_back(name);
  }
  void axes(const std::map<std::string, std::string>&) {
    for (const std::string& axis : schema.axes) names.push_back("p_" + axis);
  }
  void metrics(const std::map<std::string, double>&) {
    for (const std::string& metric : schema.metrics) names.push_back("m_" + metric);
  }
};

struct WriteVisitor {
  const LabSchema& schema;
  std::vector<std::string> fields{fmt::format("{}", schema_version), schema.run_id, schema.lab_id};
  template <typename T>
  void operator()(const char*, const T& value) {
    fields.push_back(to_text(value));
  }
  void axes(const std::map<std::string, std::string>& values) { own(schema.axes, values, "axis"); }
  void metrics(const std::map<std::string, double>& values) { own(schema.metrics, values, "metric"); }
  template <typename T>
  void own(const std::vector<std::string>& declared, const std::map<std::string, T>& values,
           const char* what) {
    for (const auto& [name, value] : values)
      PL_CHECK(std::find(declared.begin(), declared.end(), name) != declared.end(),
               "record: {} '{}' is not declared by {}", what, name, schema.lab_id);
    for (const std::string& name : declared) {
      const auto found = values.find(name);
      fields.push_back(found == values.end() ? std::string() : to_text(found->second));
    }
  }
};

struct ReadVisitor {
  const CsvTable& table;
  std::size_t row;
  template <typename T>
  void operator()(const char* name, T& value) {
    read(table.column(name), value);
  }
  void axes(std::map<std::string, std::string>& values) { own("p_", values); }
  void metrics(std::map<std::string, double>& values) { own("m_", values); }
  template <typename T>
  void own(std::string_view prefix, std::map<std::string, T>& values) {
    for (std::size_t column = 0; column < table.header.size(); ++column) {
      const std::string& name = table.header[column];
      if (name.starts_with(prefix) && !table.rows[row][column].empty())
        read(column, values[name.substr(prefix.size())]);
    }
  }
  template <typename T>
  void read(std::size_t column, T& value) {
    try {
      from_text(table.rows[row][column], value);
    } catch (const Error& error) {
      fail(ErrorKind::data, "{}: row {}, column {}: {}", table.source, row + 1, table.header[column],
           error.what());
    }
  }
};

void check_version(const CsvTable& table) {
  const std::size_t column = table.column("schema_version");
  for (const auto& fields : table.rows)
    if (fields[column] != fmt::format("{}", schema_version))
      fail(ErrorKind::data, "{}: schema_version '{}'; this build reads {}", table.source, fields[column],
           schema_version);
}

template <typename Read>
auto read_part_or_whole(const std::filesystem::path& whole, Read&& read) {
  std::filesystem::path part = whole;
  part += ".part";
  return read(read_csv(std::filesystem::exists(whole) || !std::filesystem::exists(part) ? whole : part));
}

}  // namespace

LabSchema lab_schema(const std::deque<Experiment>& experiments, std::string run_id, std::string lab_id) {
  LabSchema schema{std::move(run_id), std::move(lab_id), {}, {}};
  const auto add = [](std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  for (const Experiment& experiment : experiments) {
    for (const Axis& axis : experiment.axes()) add(schema.axes, axis.name);
    for (const std::string& metric : experiment.metric_names()) add(schema.metrics, metric);
  }
  return schema;
}

std::vector<std::string> sample_header(const LabSchema& schema) {
  HeaderVisitor visitor{schema};
  const Sample sample;
  sample_columns(sample, visitor);
  return visitor.names;
}

std::vector<std::string> sample_fields(const LabSchema& schema, const Sample& sample) {
  WriteVisitor visitor{schema};
  sample_columns(sample, visitor);
  return visitor.fields;
}

std::vector<std::string> case_header(const LabSchema& schema) {
  HeaderVisitor visitor{schema};
  const CaseRow row;
  case_columns(row, visitor);
  return visitor.names;
}

std::vector<std::string> case_fields(const LabSchema& schema, const CaseRow& row) {
  WriteVisitor visitor{schema};
  case_columns(row, visitor);
  return visitor.fields;
}

SampleFile samples_from(const CsvTable& table) {
  check_version(table);
  SampleFile file;
  file.partial = table.partial;
  std::set<std::string> keys;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    Sample sample;
    sample_columns(sample, ReadVisitor{table, row});
    const std::string key = fmt::format("{}\n{}\n{}/{}/{}/{}", sample.case_id, sample.variant,
                                        sample.invocation, sample.block, sample.sample, int(sample.phase));
    if (!keys.insert(key).second)
      fail(ErrorKind::data, "{}: row {}: a second row for {}, variant {}, block {}", table.source, row + 1,
           sample.case_id, sample.variant, sample.block);
    const std::string &run_id = table.at(row, "run_id"), &lab_id = table.at(row, "lab_id");
    if (row > 0 && (run_id != file.run_id || lab_id != file.lab_id))
      fail(ErrorKind::data, "{}: row {} is of run {}, lab {}; the rows before are of run {}, lab {}",
           table.source, row + 1, run_id, lab_id, file.run_id, file.lab_id);
    file.run_id = run_id;
    file.lab_id = lab_id;
    file.samples.push_back(std::move(sample));
  }
  return file;
}

CaseFile cases_from(const CsvTable& table) {
  check_version(table);
  CaseFile file;
  file.partial = table.partial;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    case_columns(file.cases.emplace_back(), ReadVisitor{table, row});
  return file;
}

SampleFile read_samples(const std::filesystem::path& folder) {
  return read_part_or_whole(folder / "samples.csv", samples_from);
}
CaseFile read_cases(const std::filesystem::path& folder) {
  return read_part_or_whole(folder / "cases.csv", cases_from);
}

}  // namespace perflab

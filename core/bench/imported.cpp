#include "bench/imported.h"

#include <system_error>

#include "base/check.h"
#include "base/file.h"
#include "base/stop.h"
#include "bench/import_gbench.h"
#include "bench/import_nccl.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

// What was written so far goes away with the run's folder.
void end_if_stopped() {
  if (stop_requested()) fail(ErrorKind::interrupted, "stopped; nothing was imported");
}

template <typename Record, typename Fields>
void write_table(const fs::path& file, std::vector<std::string> header, const std::vector<Record>& records,
                 const Fields& fields) {
  CsvWriter writer(file, std::move(header));
  for (const Record& record : records) {
    end_if_stopped();
    writer.row(fields(record));
  }
  writer.finish();
}

void write_tables(const Imported& imported, const fs::path& folder) {
  const LabSchema& schema = imported.schema;
  write_table(folder / "samples.csv", sample_header(schema), imported.samples,
              [&](const Sample& sample) { return sample_fields(schema, sample); });
  write_table(folder / "cases.csv", case_header(schema), imported.cases,
              [&](const CaseRow& row) { return case_fields(schema, row); });
  if (imported.collectives_header.empty()) return;
  const auto with_run = [](std::vector<std::string> front, const std::vector<std::string>& rest) {
    front.insert(front.end(), rest.begin(), rest.end());
    return front;
  };
  write_table(folder / "collectives.csv",
              with_run({"schema_version", "run_id", "lab_id"}, imported.collectives_header),
              imported.collectives, [&](const std::vector<std::string>& row) {
                return with_run({fmt::format("{}", schema_version), schema.run_id, schema.lab_id}, row);
              });
}

}  // namespace

Imported parse_import(std::string_view text, const std::string& source) {
  constexpr const char* wanted =
      "want the JSON of Google Benchmark (--benchmark_out=FILE --benchmark_out_format=json) or the whole "
      "text "
      "that nccl-tests printed";
  if (text.starts_with("\xEF\xBB\xBF"))
    fail(ErrorKind::data, "{}: starts with a byte-order mark; want the file as it was written", source);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) fail(ErrorKind::data, "{}: byte 0: it is empty; {}", source, wanted);
  if (text[first] == '{' || text[first] == '[') return parse_gbench(text, source);
  if (looks_like_nccl(text)) return parse_nccl(text, source);
  fail(ErrorKind::data, "{}: byte {}: neither of the two kinds of file that are understood; {}", source,
       first, wanted);
}

Imported read_import(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    fail(ErrorKind::usage, "'{}' is no file; want what the other program wrote", file.string());
  const std::string text = read_file(file);
  Imported imported = parse_import(text, file.string());
  imported.facts.set("file", file.filename().string());
  imported.facts.set("bytes", double(text.size()));
  imported.facts.set("sha256", sha256_hex(text));
  imported.facts.set("samples", double(imported.samples.size()));
  imported.facts.set("cases", double(imported.cases.size()));
  imported.facts.set("notes", Json::Array(imported.notes.begin(), imported.notes.end()));
  return imported;
}

Run write_import(Imported imported, const fs::path& out, const std::vector<std::string>& argv) {
  RunRequest request;
  request.out = out;
  request.argv = argv;
  request.profile = "imported";
  request.labs = {imported.schema.lab_id};
  request.is_latest = false;
  request.expected_bytes = std::int64_t(imported.facts.at("bytes").number());
  request.environment = environment_json(imported.environment);
  Run run = Run::create(request);
  try {
    imported.schema.run_id = run.id();
    run.set("import", imported.facts);
    write_tables(imported, run.lab_folder(imported.schema.lab_id));
    end_if_stopped();
    run.finish(imported.complete ? "complete" : "partial", exit_codes::ok);
  } catch (...) {
    std::error_code error;
    fs::remove_all(run.folder(), error);
    throw;
  }
  return run;
}

bool is_imported(const Run& run) { return run.manifest().find("import") != nullptr; }

}  // namespace perflab

#pragma once
// Imported — what another program measured, as a run of its own: samples, cases and, for collectives, a long
// table, with what its file says about the machine. results/README.md has the files.
//
// The parsers are pure functions of a text: they give all rows of the file or an Error(data) that says where
// it is broken, never some of them. write_import() makes the run once that is known; the file is only read.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/environment.h"
#include "bench/record_csv.h"
#include "bench/run.h"

namespace perflab {

struct Imported {
  LabSchema schema;  // lab_id, and the axes and counters that occur; run_id is filled in when written
  std::vector<Sample> samples;
  std::vector<CaseRow> cases;
  std::vector<std::string> collectives_header;  // empty: there is no such table
  std::vector<std::vector<std::string>> collectives;
  std::vector<EnvItem> environment;  // of the machine that measured, as far as the file tells
  Json facts = Json::Object{};       // manifest.import: kind, producer, producer_version ...
  std::vector<std::string> notes;    // what was left out and why, in sentences
  bool complete = true;              // false: the file says by itself that it ends early
};

// By its content: JSON of Google Benchmark, or text of nccl-tests. Error(data) for anything else.
Imported parse_import(std::string_view text, const std::string& source);

// parse_import() of a file, with its name, size and hash among the facts. Error(usage) if it is none.
Imported read_import(const std::filesystem::path& file);

// A run under `out`. Nothing is left of it if that fails, or if a stop is requested: Error(interrupted).
Run write_import(Imported imported, const std::filesystem::path& out, const std::vector<std::string>& argv);

bool is_imported(const Run& run);

}  // namespace perflab

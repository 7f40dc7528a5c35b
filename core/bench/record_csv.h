#pragma once
// record_csv — samples.csv and cases.csv: Sample and CaseRow to rows and back, without loss. Strict in both
// directions.
//
// The p_ and m_ columns are the lab's: the union over its experiments, in declaration order, from LabSchema.

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/csv.h"
#include "bench/sample.h"

namespace perflab {

class Experiment;

struct LabSchema {
  std::string run_id, lab_id;
  std::vector<std::string> axes, metrics;  // without the prefixes
};
LabSchema lab_schema(const std::deque<Experiment>& experiments, std::string run_id, std::string lab_id);

std::vector<std::string> sample_header(const LabSchema& schema);
std::vector<std::string> sample_fields(const LabSchema& schema,
                                       const Sample& sample);  // Error(check): undeclared axis or metric
std::vector<std::string> case_header(const LabSchema& schema);
std::vector<std::string> case_fields(const LabSchema& schema, const CaseRow& row);

struct SampleFile {
  std::vector<Sample> samples;
  std::string run_id, lab_id;
  bool partial = false;  // the last line was cut off and dropped
};
struct CaseFile {
  std::vector<CaseRow> cases;
  bool partial = false;
};
// Error(data) names file, line and column of the first field that cannot be read back; columns in any order,
// extra ones ignored.
SampleFile samples_from(const CsvTable& table);
CaseFile cases_from(const CsvTable& table);
// FOLDER/samples.csv, or samples.csv.part of an unfinished run.
SampleFile read_samples(const std::filesystem::path& folder);
CaseFile read_cases(const std::filesystem::path& folder);

}  // namespace perflab

#pragma once
// planned.csv — the cases that each launch set out to measure, written before the first of them.
//
// A file of results without a case looks as whole as one with it. So the judge holds cases.csv against this
// list before it calls anything complete.

#include <filesystem>
#include <string>
#include <vector>

#include "bench/sample.h"

namespace perflab {

// Adds the launch's cases to the lab folder's planned.csv, each once: a resumed launch plans them again.
void note_planned(const std::filesystem::path& lab_folder, int invocation,
                  const std::vector<std::string>& case_ids);

struct Planned {
  int cases = 0;                     // over all launches; 0 if there is no planned.csv
  std::vector<std::string> missing;  // "stream/n=2 (launch 0)": those without a row
};
Planned hold_against_plan(const std::filesystem::path& lab_folder, const std::vector<CaseRow>& rows);

}  // namespace perflab

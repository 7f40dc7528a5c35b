#pragma once
// Options — what the user typed, parsed but not yet held against the labs. options.cpp is the driver's only
// file that knows the command-line library.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/device_flags.h"

namespace perflab {

struct Options {
  std::string verb;               // list | doctor | run | predict | tour | plot | report | compare | import
  std::vector<std::string> argv;  // as typed, for the manifest
  std::string out;                // parent of run folders
  // list, doctor
  bool json = false;
  // run
  std::vector<std::string> labs;  // ids, numbers, names or globs; empty = all
  std::string profile = "quick";  // name or FILE.toml
  std::string resume;             // run id, path or "latest"; empty = a new run
  std::string devices = "cpu:0";
  DeviceFlags device_flags;
  std::uint64_t seed = 1;
  std::vector<std::string> set;  // "axis=v1,v2"
  int fault = 0;
  bool plots = true;
  std::vector<std::string> lab_flags;  // what follows --
  std::vector<std::string>
      run_choices;  // options that say what to measure, as typed: a resumed run takes none
  // predict, tour
  std::string lab;                   // predict: one lab, as in labs
  std::vector<std::string> answers;  // predict: "question=answer", instead of a terminal
  bool ask = true;                   // false: --no-predict
  bool ceilings = true;              // false, for the tour: those that are stored will do
  // plot, report
  std::string run = "latest";
  // compare
  std::string run_a, run_b;
  double slower_than = 1.05;  // ratio b/a of times above which a case counts as slower
  bool csv = false;           // all cases as CSV on stdout
  // import
  std::string file;
};

struct ParsedOptions {
  std::optional<int> exit_code;  // help or version was printed, or the mistake was explained
  Options options;
};
ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace perflab

#pragma once
// Python — draws charts and the report. Everything measured and judged is safe before it starts, so a missing
// or broken Python costs pictures and nothing else.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace perflab {

struct Python {
  std::string program;                                        // empty: none found that has what charts need
  std::vector<std::pair<std::string, std::string>> versions;  // python, numpy, matplotlib, jinja2
  std::string tried;                                          // for the message
};

// The first of $PERFLAB_PYTHON, python3 on the PATH and /usr/bin/python3 that can import numpy, matplotlib
// and jinja2.
Python find_python();

// One sentence on stderr when something is missing afterwards, and false.
bool draw_charts(const Python& python, const std::filesystem::path& run_folder);
bool write_report(const Python& python, const std::filesystem::path& run_folder);  // charts first

}  // namespace perflab

#pragma once
// Charts — Python draws them and the report. Everything measured and judged is safe before it starts, so a
// missing or broken Python costs pictures and nothing else.

#include <filesystem>
#include <string>
#include <vector>

#include "base/python.h"

namespace perflab {

std::vector<std::string> chart_modules();  // numpy, matplotlib, jinja2
Python python_for_charts();                // one that has them all
// Why `python` has not all of these modules: "/x/python cannot be started", "/x/python lacks numpy, jinja2";
// "" if it has.
std::string python_problem(const std::string& python, const std::vector<std::string>& modules);
// The same of $PERFLAB_PYTHON for charts; "" also where that is not set.
std::string wanted_python_problem();

// One sentence on stderr when something is missing afterwards, and false.
bool draw_charts(const Python& python, const std::filesystem::path& run_folder);
bool write_report(const Python& python, const std::filesystem::path& run_folder);  // charts first

}  // namespace perflab

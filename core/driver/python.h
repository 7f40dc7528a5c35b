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

// One sentence on stderr when something is missing afterwards, and false.
bool draw_charts(const Python& python, const std::filesystem::path& run_folder);
bool write_report(const Python& python, const std::filesystem::path& run_folder);  // charts first

}  // namespace perflab

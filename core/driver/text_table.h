#pragma once
// text_table — lines of cells as text with aligned columns, for a terminal. Pure function.

#include <string>
#include <vector>

namespace perflab {

// Two blanks between columns, none behind the last; widths in characters, not bytes. All lines are as long as
// the first.
std::string aligned(const std::vector<std::vector<std::string>>& lines);

}  // namespace perflab

#pragma once
// printable — text of others for a terminal, which obeys control characters. Pure function.

#include <string>
#include <string_view>

namespace perflab {

// Each control character except those in `kept` becomes '?': U+0000 to U+001F, U+007F, U+0080 to U+009F.
std::string printable(std::string_view text, std::string_view kept = "\t");

}  // namespace perflab

#pragma once
// import_nccl — the text that nccl-tests (and rccl-tests) print, strictly.
//
// The header line names the columns; a row has exactly as many fields, each of its own kind, or it is an
// Error(data) with its line number. Comment lines, and lines of NCCL's own log that stand by themselves, are
// skipped; anything else inside a table is an error, because half a row could hide in it. A size that stands
// several times (run cycles) gives several samples.

#include <string>
#include <string_view>

#include "bench/imported.h"

namespace perflab {

bool looks_like_nccl(std::string_view text);  // a comment line with the table's columns
Imported parse_nccl(std::string_view text, const std::string& source);

}  // namespace perflab

#pragma once
// nearest — "did you mean": the known words closest to a mistyped one. Pure functions.

#include <string>
#include <string_view>
#include <vector>

namespace perflab {

// Insertions, deletions, replacements and swaps of neighbours, each costing one; letters compare without
// case.
int edit_distance(std::string_view a, std::string_view b);

// At most `at_most` of the known words, closest first, ties in the order given. A word that contains `given`,
// or the other way round, counts as close. Words that share nothing worth naming are left out, unless that
// leaves nothing: then the first ones.
std::vector<std::string> nearest(std::string_view given, const std::vector<std::string>& known,
                                 std::size_t at_most = 3);

// "unknown lab '05'; did you mean 04_hardware?" — or "; there is no lab" when nothing is known.
std::string unknown_text(std::string_view what, std::string_view given,
                         const std::vector<std::string>& known);

}  // namespace perflab

#pragma once
// The table of nccl-tests: which columns the header names, and one row under them. Internal to core/bench.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perflab {

// One half of a row: what was measured out of place, or in place.
struct NcclHalf {
  bool in_place = false;
  double time_us = 0;
  std::optional<double> algbw_GBps{}, busbw_GBps{};  // none: printed as nan or inf
  std::optional<std::int64_t> n_wrong{};             // none: N/A, not checked
  std::map<std::string, double> per_iteration{};     // i_min_us, i_max_us, i_p99_us, i_cv_pct
};

struct NcclRow {
  std::int64_t size_bytes = 0, count = 0;
  std::string dtype, redop, root, timestamp;
  std::vector<NcclHalf> halves;
};

class NcclColumns {
 public:
  // `words` of the header line, `halves` the comment line above it that says which half is which. Error(data)
  // for a column that is not known, ends with `where`.
  NcclColumns(const std::vector<std::string_view>& words, std::string_view halves, const std::string& where);

  // Nothing unless every field is of its column's kind; then `problem` says which one is not.
  std::optional<NcclRow> row(const std::vector<std::string_view>& words, std::string& problem) const;
  // A row whose first field was glued to something else, or to nothing, stands at the end of a longer line.
  bool ends_as_a_row(const std::vector<std::string_view>& words) const;

 private:
  std::vector<std::string> names_;  // one per field: a timestamp is two
  std::vector<bool> in_place_;      // of the halves, in order
};

std::vector<std::string_view> words_of_line(std::string_view line);  // separated by blanks and tabs

// Whether algbw is size / time, as far as the printed digits tell: a digit that got lost or was added is
// seen.
bool bandwidth_agrees(const NcclRow& row, const NcclHalf& half);

}  // namespace perflab

#include "bench/planned.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/file.h"
#include "bench/csv.h"

namespace perflab {
namespace {

using Key = std::pair<std::string, std::string>;  // invocation and case_id, as in the file

std::filesystem::path file_in(const std::filesystem::path& lab_folder) { return lab_folder / "planned.csv"; }

std::vector<Key> read_planned(const std::filesystem::path& lab_folder) {
  std::vector<Key> keys;
  std::error_code error;
  if (!std::filesystem::exists(file_in(lab_folder), error)) return keys;
  const CsvTable table = read_csv(file_in(lab_folder));
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    keys.emplace_back(table.at(row, "invocation"), table.at(row, "case_id"));
  return keys;
}

}  // namespace

void note_planned(const std::filesystem::path& lab_folder, int invocation,
                  const std::vector<std::string>& case_ids) {
  std::vector<Key> keys = read_planned(lab_folder);
  std::set<Key> known(keys.begin(), keys.end());
  for (const std::string& id : case_ids)
    if (Key key{fmt::format("{}", invocation), id}; known.insert(key).second) keys.push_back(std::move(key));
  std::string text = csv_line({"invocation", "case_id"});
  for (const auto& [launch, id] : keys) text += csv_line({launch, id});
  write_file_atomically(file_in(lab_folder), text);
}

Planned hold_against_plan(const std::filesystem::path& lab_folder, const std::vector<CaseRow>& rows) {
  std::set<Key> there;
  for (const CaseRow& row : rows) there.insert({fmt::format("{}", row.invocation), row.case_id});
  Planned planned;
  for (const Key& key : read_planned(lab_folder)) {
    ++planned.cases;
    if (!there.contains(key)) planned.missing.push_back(fmt::format("{} (launch {})", key.second, key.first));
  }
  return planned;
}

}  // namespace perflab

#include "bench/registry.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.h"
#include "base/units.h"
#include "bench/claims.h"

namespace perflab {

const std::string& RegistryRow::required(std::string_view column) const {
  if (text(column).empty()) broken(column, "is empty");
  return text(column);
}

std::optional<double> RegistryRow::number(std::string_view column) const {
  if (text(column).empty()) return std::nullopt;
  try {
    return parse_number(text(column));
  } catch (const Error&) {
    broken(column, "is not a number");
  }
}

const std::string& RegistryRow::params(std::string_view column) const {
  try {
    parse_params(text(column));
  } catch (const Error&) {
    broken(column, "want 'axis=value;axis=value'");
  }
  return text(column);
}

const std::string& RegistryRow::quantity(std::string_view column) const {
  if (text(column).find('/') != std::string::npos && !pair_quantity(text(column)))
    broken(column,
           "want 'variant.clock / variant.clock' with clock submit, finish or verified, or a metric's name");
  return text(column);
}

void RegistryRow::broken(std::string_view column, std::string_view what) const {
  fail(ErrorKind::data, "{}: line {}, column '{}': '{}': {}", table_->source, line_, column, text(column),
       what);
}

std::vector<RegistryRow> registry_rows(const CsvTable& table, std::span<const char* const> columns) {
  if (table.partial)
    fail(ErrorKind::data, "{}: the last line does not end in a line feed: is the file whole?", table.source);
  for (const char* name : columns) table.column(name);
  for (const std::string& name : table.header)
    if (std::find(columns.begin(), columns.end(), name) == columns.end())
      fail(ErrorKind::data, "{}: line 1, column '{}': unknown; want {}", table.source, name,
           fmt::join(columns, ", "));
  std::vector<RegistryRow> rows;
  std::size_t line = 2;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    rows.emplace_back(table, i, line++);
    for (const std::string& field : table.rows[i])
      line += std::size_t(std::count(field.begin(), field.end(), '\n'));
  }
  return rows;
}

}  // namespace perflab

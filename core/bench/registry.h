#pragma once
// Registry rows — what claims.csv and questions.csv share: a strict table whose mistakes are named by file,
// line and column. A typing error in a registry must not become a result.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/csv.h"

namespace perflab {

// One row with its place in the file. The table must outlive it.
class RegistryRow {
 public:
  RegistryRow(const CsvTable& table, std::size_t row, std::size_t line)
      : table_(&table), row_(row), line_(line) {}

  const std::string& text(std::string_view column) const { return table_->at(row_, column); }
  const std::string& required(std::string_view column) const;   // not empty
  std::optional<double> number(std::string_view column) const;  // nothing where empty
  const std::string& params(std::string_view column) const;     // 'axis=value;axis=value', or empty
  const std::string& quantity(std::string_view column) const;   // a metric's name or 'a.finish / b.finish'
  [[noreturn]] void broken(std::string_view column, std::string_view what) const;

 private:
  const CsvTable* table_;
  std::size_t row_, line_;
};

// Error(data) if the file ends early, a column is missing, or there is one that is not in the list.
std::vector<RegistryRow> registry_rows(const CsvTable& table, std::span<const char* const> columns);

}  // namespace perflab

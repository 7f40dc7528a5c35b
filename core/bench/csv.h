#pragma once
// CSV — RFC 4180 with LF, UTF-8 without BOM, one header line; every row as long as the header; empty =
// missing.
//
// Reading is strict: a broken file is an Error(data) that names file, line and byte. An unterminated last
// line is dropped and reported as partial (a writer was cut off), never guessed. Writing is checked: see
// AppendFile.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace perflab {

struct CsvTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  bool partial = false;  // the last line had no LF and was dropped
  std::string source;    // file name for messages

  std::size_t column(std::string_view name) const;  // Error(data) if absent
  bool has(std::string_view name) const;
  const std::string& at(std::size_t row, std::string_view name) const;
};

CsvTable parse_csv(std::string_view text, std::string source);
CsvTable read_csv(const std::filesystem::path& path);          // Error(io) if it cannot be read
std::string csv_line(const std::vector<std::string>& fields);  // quoted where needed, with the LF

// A CSV that grows row by row under NAME.csv.part and becomes NAME.csv when finished.
class CsvWriter {
 public:
  // Appends to an existing .part only if its header is the same (else Error(data)) and drops an unterminated
  // last line.
  CsvWriter(const std::filesystem::path& final_path, std::vector<std::string> header);
  void row(const std::vector<std::string>& fields);  // Error(check) if the count differs from the header's
  void flush();                                      // after each block; Error(io) with the path
  void finish();                                     // fsync, close, rename

 private:
  std::vector<std::string> header_;
  AppendFile file_;
};

}  // namespace perflab

#pragma once
// The parts of import_gbench: NaN in JSON, and one row of the list of benchmarks. Internal to core/bench.

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/json.h"

namespace perflab {

// JSON has no NaN, and the library writes one all the same. Each bare NaN or Infinity becomes a string of as
// many bytes that is_not_finite() knows, so that the byte offsets of all other mistakes stay right.
std::string without_bare_nan(std::string_view text);
bool is_not_finite(const Json& value);  // one of those, or "nan", "inf", "infinity" as text
bool is_number(const Json& value);
Json printable(const Json& value);  // all of its texts and names printable (base/printable.h). Error(data) if
                                    // two names become one

// Read field by field; every mistake is an Error(data) that names file and row.
class GbenchRow {
 public:
  GbenchRow(const Json& json, std::size_t number, const std::string& source);

  const std::string& name() const { return name_; }
  std::string text(const char* field) const;
  std::int64_t whole(const char* field, std::int64_t least) const;
  double finite(const char* field) const;
  bool flag(const char* field) const;       // absent: false
  double time_ns(const char* field) const;  // by the row's time_unit
  [[noreturn]] void broken(const std::string& what) const;

 private:
  const Json& field(const char* name) const;

  const Json& json_;
  std::size_t number_;  // from 1
  const std::string& source_;
  std::string name_ = "?";
};

}  // namespace perflab

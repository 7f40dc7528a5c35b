#pragma once
// Json — the little JSON that perflab needs (manifests, --describe), as a value type. The library behind it
// is in json.cpp.
//
// Objects keep insertion order. Numbers are finite; integers up to 2^53 print without a fraction. Error(data)
// with the byte on bad text, for a member that stands twice, for values that lie too deep.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace perflab {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;  // null
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(int value) : value_(double(value)) {}
  Json(long value) : value_(double(value)) {}
  Json(unsigned long value) : value_(double(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  bool is_null() const { return value_.index() == 0; }
  bool boolean() const;  // Error(data) if it is something else, as all of these
  double number() const;
  const std::string& text() const;
  const Array& array() const;
  const Object& object() const;
  const Json& at(std::string_view key) const;    // Error(data) if absent
  const Json* find(std::string_view key) const;  // nullptr if absent or not an object
  std::string text_or(std::string_view key, std::string_view otherwise) const;
  void set(std::string_view key, Json value);  // on an object (or null, which becomes one)

  static Json parse(std::string_view text, std::string_view source);
  std::string dump() const;  // two spaces of indentation, final LF

  template <typename Visitor>
  auto visit(const Visitor& visitor) const {
    return std::visit(visitor, value_);
  }

 private:
  template <typename T>
  const T& as(std::string_view wanted) const;
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value_ = nullptr;
};

}  // namespace perflab

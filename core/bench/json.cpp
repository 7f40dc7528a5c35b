#include "bench/json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/check.h"

namespace perflab {
namespace {

using Library = nlohmann::ordered_json;

constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53
constexpr int deepest = 200;  // what follows walks a value by recursion: the stack is the limit

Json from_library(const Library& value) {
  switch (value.type()) {
    case Library::value_t::boolean:
      return Json(value.get<bool>());
    case Library::value_t::number_integer:
    case Library::value_t::number_unsigned:
    case Library::value_t::number_float:
      return Json(value.get<double>());
    case Library::value_t::string:
      return Json(value.get<std::string>());
    case Library::value_t::array: {
      Json::Array array;
      for (const Library& element : value) array.push_back(from_library(element));
      return Json(std::move(array));
    }
    case Library::value_t::object: {
      Json::Object object;
      for (const auto& [key, member] : value.items()) object.emplace_back(key, from_library(member));
      return Json(std::move(object));
    }
    default:
      return Json();
  }
}

// Of two members with one name the library would keep the last: a silent choice between two values. Nor would
// it mind how deep they lie.
struct Keys {
  std::string_view source;
  std::vector<std::set<std::string>> open;  // of the objects that are being read

  bool see(int depth, Library::parse_event_t event, const Library& value) {
    if (depth > deepest)
      fail(ErrorKind::data, "{}: not valid JSON: values lie in each other more than {} deep", source,
           deepest);
    if (event == Library::parse_event_t::object_start) open.emplace_back();
    if (event == Library::parse_event_t::object_end) open.pop_back();
    if (event == Library::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
      fail(ErrorKind::data, "{}: not valid JSON: member '{}' stands twice in one object", source,
           value.get<std::string>());
    return true;
  }
};

Library to_library(const Json& value);

struct ToLibrary {
  Library operator()(std::nullptr_t) const { return nullptr; }
  Library operator()(bool value) const { return value; }
  Library operator()(double value) const {
    PL_CHECK(std::isfinite(value), "json: a number is not finite; want null for a missing value");
    if (value == std::floor(value) && std::fabs(value) <= largest_exact_integer) return std::int64_t(value);
    return value;
  }
  Library operator()(const std::string& value) const { return value; }
  Library operator()(const Json::Array& array) const {
    Library result = Library::array();
    for (const Json& element : array) result.push_back(to_library(element));
    return result;
  }
  Library operator()(const Json::Object& object) const {
    Library result = Library::object();
    for (const auto& [key, member] : object) result[key] = to_library(member);
    return result;
  }
};

Library to_library(const Json& value) { return value.visit(ToLibrary{}); }

}  // namespace

template <typename T>
const T& Json::as(std::string_view wanted) const {
  const T* value = std::get_if<T>(&value_);
  if (value == nullptr) fail(ErrorKind::data, "json: a value is not {}", wanted);
  return *value;
}

bool Json::boolean() const { return as<bool>("true or false"); }
double Json::number() const { return as<double>("a number"); }
const std::string& Json::text() const { return as<std::string>("a string"); }
const Json::Array& Json::array() const { return as<Array>("an array"); }
const Json::Object& Json::object() const { return as<Object>("an object"); }

const Json* Json::find(std::string_view key) const {
  const Object* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  for (const auto& [name, member] : *object)
    if (name == key) return &member;
  return nullptr;
}

const Json& Json::at(std::string_view key) const {
  const Json* member = find(key);
  if (member == nullptr) fail(ErrorKind::data, "json: no member '{}'", key);
  return *member;
}

std::string Json::text_or(std::string_view key, std::string_view otherwise) const {
  const Json* member = find(key);
  const std::string* value = member == nullptr ? nullptr : std::get_if<std::string>(&member->value_);
  return value == nullptr ? std::string(otherwise) : *value;
}

void Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = Object{};
  Object* object = std::get_if<Object>(&value_);
  if (object == nullptr) fail(ErrorKind::check, "json: set('{}') on a value that is no object", key);
  for (auto& [name, member] : *object)
    if (name == key) {
      member = std::move(value);
      return;
    }
  object->emplace_back(key, std::move(value));
}

Json Json::parse(std::string_view text, std::string_view source) {
  Keys keys{source, {}};
  try {
    return from_library(Library::parse(text, [&](int depth, Library::parse_event_t event, Library& value) {
      return keys.see(depth, event, value);
    }));
  } catch (const Library::parse_error& error) {
    fail(ErrorKind::data, "{}: byte {}: not valid JSON: {}", source, error.byte, error.what());
  } catch (const Library::exception& error) {
    fail(ErrorKind::data, "{}: not valid JSON: {}", source, error.what());
  }
}

std::string Json::dump() const {
  return to_library(*this).dump(2, ' ', false, Library::error_handler_t::replace) + "\n";
}

}  // namespace perflab

#include "bench/axis.h"

#include "base/check.h"
#include "base/units.h"

namespace perflab {

std::string axis_text(const AxisValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return format_number(*real);
  return std::get<std::string>(value);
}

AxisValue parse_axis_like(std::string_view text, const AxisValue& like) {
  if (std::holds_alternative<std::int64_t>(like)) return parse_count(text);
  if (std::holds_alternative<std::string>(like)) return std::string(text);
  try {
    return parse_number(text);
  } catch (const Error& error) {
    fail(ErrorKind::usage, "{}", error.what());
  }
}

const AxisValue& value_of(const Point& point, std::string_view axis) {
  for (const auto& [name, value] : point)
    if (name == axis) return value;
  std::string known;
  for (const auto& [name, value] : point) known += (known.empty() ? "" : ", ") + name;
  fail(ErrorKind::check, "axis '{}' does not exist; this experiment has {}", axis,
       known.empty() ? "none" : known);
}

std::string case_id(std::string_view experiment, const Point& point) {
  std::string id(experiment);
  for (const auto& [name, value] : point) id += "/" + name + "=" + axis_text(value);
  return id;
}

std::vector<AxisValue> pow2(int from, int to, int step) {
  PL_CHECK(from >= 0 && to < 62 && step >= 1, "pow2({}, {}, {}): want 0 <= from, to < 62, step >= 1", from,
           to, step);
  std::vector<AxisValue> values;
  for (int exponent = from; exponent <= to; exponent += step)
    values.emplace_back(std::int64_t(1) << exponent);
  return values;
}

}  // namespace perflab

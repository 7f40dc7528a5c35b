#pragma once
// Axis — one dimension of an experiment's sweep: a name and the values each profile gives it.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace perflab {

using AxisValue = std::variant<std::int64_t, double, std::string>;

// Values per profile; an empty list means "as quick". The article's list holds exactly the article's sizes.
struct PerProfile {
  std::vector<AxisValue> smoke{}, quick{}, article{}, reproduce{};
};

struct Axis {
  std::string name;  // lower_snake, unit as suffix where it has one
  PerProfile values;
};

// One point of a sweep: axis name -> value, in the order the axes were declared.
using Point = std::vector<std::pair<std::string, AxisValue>>;

std::string axis_text(const AxisValue& value);  // as in the CSV
AxisValue parse_axis_like(std::string_view text,
                          const AxisValue& like);  // same alternative as `like`; Error(usage)
const AxisValue& value_of(const Point& point,
                          std::string_view axis);  // Error(check) names the axes that exist
std::string case_id(std::string_view experiment, const Point& point);  // "stream/level=DRAM/threads=2"

std::vector<AxisValue> pow2(int from, int to, int step = 1);  // 2^from, 2^(from+step) ... <= 2^to

}  // namespace perflab

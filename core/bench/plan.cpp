#include "bench/plan.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/nearest.h"

namespace perflab {
namespace {

using Overrides = std::map<std::string, std::vector<std::string>>;

const std::vector<AxisValue>& values_for(const Axis& axis, const std::string& set) {
  const PerProfile& values = axis.values;
  const std::vector<AxisValue>& wanted = set == "smoke"       ? values.smoke
                                         : set == "article"   ? values.article
                                         : set == "reproduce" ? values.reproduce
                                                              : values.quick;
  return wanted.empty() ? values.quick : wanted;
}

std::vector<std::string> known_texts(const Axis& axis) {
  std::vector<std::string> texts;
  for (const auto* list :
       {&axis.values.quick, &axis.values.smoke, &axis.values.article, &axis.values.reproduce})
    for (const AxisValue& value : *list)
      if (std::find(texts.begin(), texts.end(), axis_text(value)) == texts.end())
        texts.push_back(axis_text(value));
  return texts;
}

bool is_positive(const AxisValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer > 0;
  const auto* real = std::get_if<double>(&value);
  return real == nullptr || *real > 0;
}

std::vector<AxisValue> overridden(const Axis& axis, const std::vector<std::string>& texts) {
  PL_CHECK(!axis.values.quick.empty(), "axis '{}' has no values for the quick profile", axis.name);
  const AxisValue& like = axis.values.quick.front();
  std::vector<AxisValue> values;
  const std::vector<std::string> known = known_texts(axis);
  for (const std::string& text : texts) {
    if (std::holds_alternative<std::string>(like) &&
        std::find(known.begin(), known.end(), text) == known.end())
      fail(ErrorKind::usage, "{}", unknown_text("value of axis " + axis.name, text, known));
    AxisValue value = parse_axis_like(text, like);
    if (is_positive(like) && !is_positive(value))
      fail(ErrorKind::usage, "axis {}: {} is not above zero, as its own values are", axis.name, text);
    if (std::find(values.begin(), values.end(), value) != values.end())
      fail(ErrorKind::usage, "axis {}: {} is given twice", axis.name, text);
    values.push_back(std::move(value));
  }
  return values;
}

std::vector<const Experiment*> chosen(const std::deque<Experiment>& experiments,
                                      const std::vector<std::string>& names) {
  std::vector<const Experiment*> result;
  std::vector<std::string> known;
  for (const Experiment& experiment : experiments) known.push_back(experiment.name());
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(ErrorKind::usage, "{}", unknown_text("experiment", name, known));
  for (const Experiment& experiment : experiments) {
    const bool named = std::find(names.begin(), names.end(), experiment.name()) != names.end();
    if (names.empty() ? !experiment.is_hidden() : named) result.push_back(&experiment);
  }
  return result;
}

std::vector<std::string> axis_names(const std::deque<Experiment>& experiments) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments)
    for (const Axis& axis : experiment.axes())
      if (std::find(names.begin(), names.end(), axis.name) == names.end()) names.push_back(axis.name);
  return names;
}

bool has_axis(const std::deque<Experiment>& experiments, const std::string& axis) {
  const std::vector<std::string> names = axis_names(experiments);
  return std::find(names.begin(), names.end(), axis) != names.end();
}

// The cross product, first axis slowest.
std::vector<Point> cross_product(const Experiment& experiment, const Profile& profile,
                                 const Overrides& overrides) {
  std::vector<Point> points{{}};
  for (const Axis& axis : experiment.axes()) {
    const auto found = overrides.find(axis.name);
    const std::vector<AxisValue> values =
        found == overrides.end() ? values_for(axis, profile.axis_values) : overridden(axis, found->second);
    std::vector<Point> longer;
    for (const Point& point : points)
      for (const AxisValue& value : values) {
        longer.push_back(point);
        longer.back().emplace_back(axis.name, value);
      }
    points = std::move(longer);
  }
  return points;
}

}  // namespace

bool names_lab(const std::string& word, const std::string& lab_id) {
  const std::string name = lab_id.substr(lab_id.find('_') + 1);
  if (word == lab_id || word == name) return true;
  const bool number =
      !word.empty() && word.size() <= 2 && word.find_first_not_of("0123456789") == std::string::npos;
  if (number) return std::stoi(word) == std::stoi(lab_id.substr(0, 2));
  return fnmatch(word.c_str(), lab_id.c_str(), 0) == 0 || fnmatch(word.c_str(), name.c_str(), 0) == 0;
}

std::vector<PlannedPoint> make_plan(const std::deque<Experiment>& experiments, const Profile& profile,
                                    const PlanRequest& request) {
  Overrides overrides;
  for (const auto& [glob, axes] : profile.overrides)
    if (names_lab(glob, request.lab_id))
      for (const auto& [axis, values] : axes)
        if (has_axis(experiments, axis)) overrides[axis] = values;  // the glob may mean other labs' axes
  for (const auto& [axis, values] : request.set) {
    if (!has_axis(experiments, axis))
      fail(ErrorKind::usage, "{}", unknown_text("axis", axis, axis_names(experiments)));
    overrides[axis] = values;
  }

  std::vector<PlannedPoint> plan;
  for (const Experiment* experiment : chosen(experiments, request.experiments)) {
    bool first = true;
    for (Point& point : cross_product(*experiment, profile, overrides)) {
      if (experiment->filter() && !experiment->filter()(point)) continue;
      plan.push_back({experiment, std::move(point), first || !experiment->is_sweep()});
      first = false;
    }
  }
  return plan;
}

std::vector<std::string> idle_axes(const std::vector<PlannedPoint>& plan, const PlanRequest& request) {
  std::vector<std::string> idle;
  for (const auto& [name, values] : request.set)
    if (std::none_of(plan.begin(), plan.end(), [&axis = name](const PlannedPoint& planned) {
          return std::any_of(planned.point.begin(), planned.point.end(),
                             [&](const auto& coordinate) { return coordinate.first == axis; });
        }))
      idle.push_back(name);
  return idle;
}

std::pair<std::string, std::vector<std::string>> parse_set(std::string_view text) {
  const std::size_t equals = text.find('=');
  std::vector<std::string> values;
  if (equals != std::string_view::npos)
    for (std::size_t at = equals + 1; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      values.emplace_back(text.substr(at, comma - at));
      at = comma + 1;
    }
  const bool has_empty = std::find(values.begin(), values.end(), "") != values.end();
  if (equals == 0 || values.empty() || has_empty)
    fail(ErrorKind::usage, "--set '{}': want axis=value or axis=value,value,..., as --set threads=1,2", text);
  return {std::string(text.substr(0, equals)), values};
}

FaultChoice choose_fault(const std::deque<Experiment>& experiments, int fault) {
  if (fault == 0) return {};
  int before = 0;
  std::string known;
  for (const Experiment& experiment : experiments)
    for (std::size_t i = 0; i < experiment.fault_texts().size(); ++i) {
      if (++before == fault) return {&experiment, int(i) + 1};
      known += fmt::format("{}{} {}", known.empty() ? "" : "; ", before, experiment.fault_texts()[i]);
    }
  fail(ErrorKind::usage, "--fault {}: {}", fault,
       known.empty() ? "this lab has no planted faults" : "this lab has " + known);
}

}  // namespace perflab

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

std::vector<AxisValue> overridden(const Axis& axis, const std::vector<std::string>& texts) {
  PL_CHECK(!axis.values.quick.empty(), "axis '{}' has no values for the quick profile", axis.name);
  const AxisValue& like = axis.values.quick.front();
  std::vector<AxisValue> values;
  for (const std::string& text : texts) {
    const std::vector<std::string> known = known_texts(axis);
    if (std::holds_alternative<std::string>(like) &&
        std::find(known.begin(), known.end(), text) == known.end())
      fail(ErrorKind::usage, "{}", unknown_text("value of axis " + axis.name, text, known));
    values.push_back(parse_axis_like(text, like));
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

void check_axes(const std::deque<Experiment>& experiments, const Overrides& overrides) {
  std::vector<std::string> known;
  for (const Experiment& experiment : experiments)
    for (const Axis& axis : experiment.axes())
      if (std::find(known.begin(), known.end(), axis.name) == known.end()) known.push_back(axis.name);
  for (const auto& [axis, values] : overrides)
    if (std::find(known.begin(), known.end(), axis) == known.end())
      fail(ErrorKind::usage, "{}", unknown_text("axis", axis, known));
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

std::vector<PlannedPoint> make_plan(const std::deque<Experiment>& experiments, const Profile& profile,
                                    const PlanRequest& request) {
  Overrides overrides;
  for (const auto& [glob, axes] : profile.overrides)
    if (fnmatch(glob.c_str(), request.lab_id.c_str(), 0) == 0)
      for (const auto& [axis, values] : axes) overrides[axis] = values;
  for (const auto& [axis, values] : request.set) overrides[axis] = values;
  check_axes(experiments, overrides);

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

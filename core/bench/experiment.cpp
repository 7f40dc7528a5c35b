#include "bench/experiment.h"

#include <algorithm>
#include <deque>

#include "base/check.h"

namespace perflab {

Experiment& Experiment::question(std::string text) {
  question_ = std::move(text);
  return *this;
}

Experiment& Experiment::axis(std::string name, PerProfile values) {
  for (const Axis& known : axes_)
    PL_CHECK(known.name != name, "experiment {}: axis '{}' is declared twice", name_, name);
  axes_.push_back({std::move(name), std::move(values)});
  return *this;
}

Experiment& Experiment::only_if(std::function<bool(const Point&)> keep) {
  keep_ = std::move(keep);
  return *this;
}

Experiment& Experiment::metrics(std::vector<std::string> names) {
  metrics_ = std::move(names);
  return *this;
}

Experiment& Experiment::variants(std::vector<std::string> names, std::string baseline) {
  PL_CHECK(std::find(names.begin(), names.end(), baseline) != names.end(),
           "experiment {}: baseline '{}' is none of its variants", name_, baseline);
  PL_CHECK(std::find(names.begin(), names.end(), aa_variant) == names.end(),
           "experiment {}: '{}' is the name of the A/A copy; choose another for the variant", name_,
           aa_variant);
  variants_ = std::move(names);
  baseline_ = std::move(baseline);
  return *this;
}

Experiment& Experiment::sweep(std::string variant) {
  const std::string baseline = variant;
  return variants({std::move(variant)}, baseline);
}

Experiment& Experiment::faults(std::vector<std::string> texts) {
  faults_ = std::move(texts);
  return *this;
}

Experiment& Experiment::derive(std::function<void(const Results&, Derived&)> derive) {
  derive_ = std::move(derive);
  return *this;
}

Experiment& Experiment::defines_ceilings() {
  ceilings_ = true;
  return *this;
}

Experiment& Experiment::hidden() {
  hidden_ = true;
  return *this;
}

Experiment& Experiment::run(std::function<void(Case&)> body) {
  body_ = std::move(body);
  return *this;
}

std::deque<Experiment>& experiments() {
  static std::deque<Experiment> list;
  return list;
}

Experiment& add_experiment(std::string name) { return experiments().emplace_back(std::move(name)); }

}  // namespace perflab

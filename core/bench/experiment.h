#pragma once
// Experiment — one question of a lab: a sweep over axes, variants that are compared, and how their samples
// are judged.
//
// A lab has one or more, each declared with PL_LAB at namespace scope; that only records it. Fluent setters
// return *this. Not thread-safe; filled before main, read afterwards.

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/axis.h"
#include "bench/case.h"
#include "bench/sample.h"

namespace perflab {

class Results;  // results.h
class Derived;

class Experiment {
 public:
  explicit Experiment(std::string name) : name_(std::move(name)) {}

  Experiment& question(std::string text);                 // one sentence; `list` and the report print it
  Experiment& axis(std::string name, PerProfile values);  // Error(check) for a second axis of the same name
  Experiment& only_if(std::function<bool(const Point&)> keep);  // drops points of the cross product
  Experiment& metrics(
      std::vector<std::string> names);  // declared metrics, unit as suffix; an undeclared one is an error
  Experiment& variants(std::vector<std::string> names, std::string baseline);
  // A sweep without a comparison: one variant; its A/A copy runs at the first point only.
  Experiment& sweep(std::string variant);
  Experiment& faults(
      std::vector<std::string> texts);  // --fault N switches texts[N-1] on; bodies ask Case::fault()
  Experiment& derive(
      std::function<void(const Results&, Derived&)> derive);  // fits, orders, shares over all cases
  Experiment& defines_ceilings();  // valid samples of unfaulted runs raise this machine's stored ceilings
  Experiment& hidden();            // runs only when named with --experiment; not part of `run`
  Experiment& run(std::function<void(Case&)> body);

  const std::string& name() const { return name_; }
  const std::string& question() const { return question_; }
  const std::vector<Axis>& axes() const { return axes_; }
  const std::vector<std::string>& metric_names() const { return metrics_; }
  const std::vector<std::string>& variant_names() const { return variants_; }
  const std::string& baseline() const { return baseline_; }
  bool is_sweep() const { return variants_.size() == 1; }
  const std::vector<std::string>& fault_texts() const { return faults_; }
  bool ceilings() const { return ceilings_; }
  bool is_hidden() const { return hidden_; }
  const std::function<void(Case&)>& body() const { return body_; }
  const std::function<void(const Results&, Derived&)>& derivation() const { return derive_; }
  const std::function<bool(const Point&)>& filter() const { return keep_; }

 private:
  std::string name_, question_, baseline_;
  std::vector<Axis> axes_;
  std::vector<std::string> metrics_, variants_, faults_;
  bool ceilings_ = false, hidden_ = false;
  std::function<bool(const Point&)> keep_;
  std::function<void(Case&)> body_;
  std::function<void(const Results&, Derived&)> derive_;
};

// The lab's experiments in declaration order (within one source file; files in link order).
std::deque<Experiment>& experiments();         // a deque: references stay valid while others register
Experiment& add_experiment(std::string name);  // a function-local static list: safe before main

struct Registered {
  Registered(const Experiment&) {}  // NOLINT: turns a fluent expression into a declaration
};

}  // namespace perflab

#define PL_CONCAT_(a, b) a##b
#define PL_CONCAT(a, b) PL_CONCAT_(a, b)
// PL_LAB("chain").axis(...).variants(...).run(body);
#define PL_LAB(name)                                                                 \
  [[maybe_unused]] static const ::perflab::Registered PL_CONCAT(pl_lab_, __LINE__) = \
      ::perflab::add_experiment(name)

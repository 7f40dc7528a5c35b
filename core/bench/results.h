#pragma once
// Results — the samples of one lab run, grouped, as derive() and the judge read them; Derived — what derive()
// adds.
//
// Built from samples.csv and cases.csv alone. Only valid timed samples count. Read-only; references live as
// long as it does.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/blocks.h"
#include "bench/sample.h"
#include "bench/statistics.h"

namespace perflab {

using Match = std::vector<std::pair<std::string, std::string>>;  // axis -> text; every pair must match

// All samples of one variant at one point, in block order.
struct Series {
  CaseRow info;  // of the last invocation; made up from a sample where all launches were interrupted
  std::vector<CaseRow> invocations;
  std::vector<const Sample*> timed;  // valid only
  int n_invalid = 0;
  bool interrupted = false;  // a launch has samples but no finished row

  // A clock (submit, finish, verified, proc_cpu: ns per iteration), a rate from the work model (bandwidth:
  // GB/s, throughput: GFLOP/s) or a declared metric; nothing where the sample has none.
  std::optional<double> value(const Sample& sample, std::string_view metric) const;
  BlockValues blocks(std::string_view metric) const;
  std::vector<double> clock(std::string_view name) const;   // submit | finish | verified | proc_cpu
  std::vector<double> metric(std::string_view name) const;  // values of a declared metric, where present
  Estimate finish_ns() const;
  // GB/s or GFLOP/s from the work model; nothing if the model has none. Interval transformed from the time's.
  std::optional<Estimate> bandwidth_GBps() const;
  std::optional<Estimate> throughput_GFLOPS() const;
  const std::string& axis(std::string_view name) const;  // "" if the case has no such axis
};

// From so many calls on, the first one included, the series has cost less than its baseline: what a dear
// first call (a compilation) takes to pay off. Nothing if it never does, or if a first call is unknown.
std::optional<double> break_even_calls(const Series& series, const Series& baseline);

class Results {
 public:
  Results(std::vector<Sample> samples, std::vector<CaseRow> cases);
  Results(const Results&) = delete;

  // An empty variant: all but the A/A copies, which are found by their name only.
  std::vector<const Series*> find(std::string_view experiment, const Match& match = {},
                                  std::string_view variant = "") const;
  const Series* only(std::string_view experiment, const Match& match,
                     std::string_view variant) const;  // nullptr unless exactly one
  // a.clock / b.clock over blocks that have both; nothing if a side is missing.
  std::optional<Estimate> ratio(const Series& a, std::string_view clock_a, const Series& b,
                                std::string_view clock_b, double level = 0.95) const;
  // The same for any two metrics, with how the interval was made; pairs with a value <= 0 are left out.
  static std::optional<BlockEstimate> pair_blocks(const Series& a, std::string_view metric_a, const Series& b,
                                                  std::string_view metric_b, double level = 0.95);
  const std::vector<Series>& all() const { return series_; }
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  std::vector<Sample> samples_;
  std::vector<Series> series_;
};

// One derived number: a row of summary.csv that claims can name as their quantity.
struct DerivedRow {
  std::string metric{}, unit{};
  double value = 0;
  std::optional<Interval> interval{};
  int n = 0;
  std::string evidence = "measured";
  std::vector<double> every_sample{};  // for bound and count claims
  std::string note{};                  // "" or why there is none: snake_case reason, then value is ignored
  bool missing = false;
  // Why this cannot be, in snake_case, if it breaks a physical bound that the lab knows (an overlap that is
  // faster than its longest part): claims on it are REJECTED and the run exits 1.
  std::string implausible{};
  std::vector<const Series*> used{};  // what it rests on; empty: every series of its experiment
};

class Derived {
 public:
  void add(DerivedRow row);  // a value that is not finite becomes missing (undefined_value)
  void missing(std::string metric, std::string unit,
               std::string reason);  // reason becomes the claim's reason_code
  const std::vector<DerivedRow>& rows() const { return rows_; }

 private:
  std::vector<DerivedRow> rows_;
};

}  // namespace perflab

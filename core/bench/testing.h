#pragma once
// Testing — runs made of numbers: samples and case rows as a sampler would have left them, from constructed
// times. Every claim of a lab is shown to come out both ways with it. No clock is read.
//
//   ConstructedRun run("stream");
//   run.work({.bytes_read = 8e6}).point({{"level", "DRAM"}}, {{"plain", steady(2e6)}, {"nt", steady(1e6)}});
//   const Judgement judgement = judge(run.input(read_claims(...)), experiments());
//   EXPECT_EQ(verdict_words(judgement, "the-claim"), "REPRODUCED");

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "bench/case.h"
#include "bench/judge.h"
#include "bench/results.h"
#include "bench/sample.h"

namespace perflab {

std::vector<double> steady(double value, int n = 20);      // n equal values: an interval without width
double normal(const Random& random, std::uint64_t index);  // standard normal (Box-Muller)
// center * exp(relative * normal): n independent values, the same for the same seed.
std::vector<double> noisy(double center, double relative, int n, std::uint64_t seed);

class ConstructedRun {
 public:
  using Times = std::vector<std::pair<std::string, std::vector<double>>>;  // variant -> finish_ns per block

  explicit ConstructedRun(std::string experiment, std::string profile = "quick");

  // Settings hold for the points that follow.
  ConstructedRun& experiment(std::string name);
  ConstructedRun& work(Cost per_call);
  ConstructedRun& bound(Bound bound);
  ConstructedRun& evidence(std::string evidence, std::string subject);
  ConstructedRun& invocation(int number);
  ConstructedRun& fault(int number);
  ConstructedRun& device(std::string name);
  ConstructedRun& warmup_state(std::string state);

  // One block per time; the first variant is the baseline. An A/A copy with the baseline's own times is added
  // unless an "aa" is given (a single variant: at the experiment's first point only). submit = finish.
  ConstructedRun& point(const Match& axes, const Times& finish_ns);
  // Of one variant (A/A copy excluded) at the last point: another clock, a declared metric, an ending.
  ConstructedRun& clock(std::string_view clock, std::string_view variant, const std::vector<double>& values);
  ConstructedRun& metric(const std::string& name, std::string_view variant,
                         const std::vector<double>& values);
  ConstructedRun& invalid(std::string_view variant, int block, std::string reason);
  ConstructedRun& ending(std::string_view variant, std::string status, std::string reason);
  // A variant that was skipped: a row, no samples.
  ConstructedRun& skipped(const Match& axes, std::string variant, std::string reason);

  JudgeInput input(std::vector<Claim> claims = {}) const;

  std::vector<Sample> samples;
  std::vector<CaseRow> cases;

 private:
  void add(const Match& axes, const std::string& variant, const std::string& baseline,
           const std::vector<double>& times, int order);
  std::vector<Sample*> last(std::string_view variant);

  std::string experiment_, profile_, last_case_;
  Cost work_;
  Bound bound_;
  std::string evidence_ = "measured", subject_ = "this_machine", device_ = "cpu:0", warmup_state_ = "steady";
  int invocation_ = 0, fault_ = 0;
};

const VerdictRow& verdict_of(const Judgement& judgement,
                             std::string_view claim_id);  // Error(check) if absent
std::string verdict_words(const Judgement& judgement,
                          std::string_view claim_id);  // "CONTRADICTED (opposite)"
// The cell of one summary row; Error(check) unless exactly one row matches.
std::string summary_cell(const Judgement& judgement, std::string_view case_id, std::string_view variant,
                         std::string_view metric, std::string_view column);

}  // namespace perflab

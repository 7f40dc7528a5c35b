#include <cstdio>

#include "base/check.h"
#include "bench/comparison.h"
#include "driver/compare_text.h"
#include "driver/verbs.h"

namespace perflab {

int compare_verb(const Options& options) {
  if (!(options.slower_than >= 1))  // NaN passes the range check of the command line
    fail(ErrorKind::usage, "--slower-than {}: want a ratio from 1 to 1000", options.slower_than);
  const ComparedRun a = read_compared_run(Run::open(find_run(options.out, options.run_a))),
                    b = read_compared_run(Run::open(find_run(options.out, options.run_b)));
  const Comparison comparison = compare_runs(a, b, options.slower_than);
  if (options.csv) {
    fmt::print("{}", comparison_csv(comparison));
    std::fflush(stdout);
    fmt::print(stderr, "{} (exit code {})\n", comparison.verdict(), comparison.exit_code());
  } else {
    fmt::print("{}", comparison_text(comparison, a, b));
  }
  return comparison.exit_code();
}

}  // namespace perflab

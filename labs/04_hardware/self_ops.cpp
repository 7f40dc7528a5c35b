// Every operation of the table on the large shapes of its OpCase: the benchmark half of the lines that also
// test it.

#include <algorithm>
#include <cmath>

#include "arrays.h"
#include "base/check.h"
#include "bodies.h"
#include "engine/policy.h"
#include "kernels.h"
#include "ops/functions.h"
#include "ops/op_case.h"
#include "scaled.h"

namespace perflab::hardware {
namespace {

const OpCase& large_case(std::string_view name) {
  for (const OpCase& op_case : op_cases())
    if (!op_case.large.empty() && info(op_case.op).name == name) return op_case;
  fail(ErrorKind::usage, "self_ops: no benchmark shapes for op '{}'; ops/op_case.h says where they stand",
       name);
}

}  // namespace

// Asked before main, when the OpCase rows' own constants may not exist yet: the table is enough.
std::vector<AxisValue> op_names() {
  std::vector<AxisValue> names;
  for (int op = 0; op < op_count; ++op) names.emplace_back(std::string(info(Op(op)).name));
  return names;
}

void self_ops_body(Case& c) {
  const OpCase& op_case = large_case(c.s("op"));
  // The tests' own inputs: a row's tolerance is a share of the result's norm, and one number alone may be
  // near zero.
  constexpr std::uint64_t test_seed = 42;
  for (const OpCase& tested : op_cases())
    if (tested.op == op_case.op)
      c.expect(relative_error(tested, c.device(), test_seed) <= tested.tolerance,
               "the result is farther from the reference in double precision than its row allows");
  const auto in = std::make_shared<std::vector<Tensor>>(
      inputs_of(op_case, op_case.large, c.device(), c.random().bits(0)));
  Attrs attrs = op_case.attrs;
  if (in->empty()) attrs.shape = op_case.large.at(0);
  c.work(info(op_case.op).cost({op_case.op, *in, attrs}));
  c.measure([&op_case, in, &device = c.device()] {
    const PolicyGuard sync(Policy::sync);
    run_case(op_case, *in, op_case.large, device);
  });
}

// GELU reads and writes what a copy does, so the copy's time is its limit: streaming stores, all threads, no
// arithmetic.
void self_gelu_body(Case& c) {
  constexpr std::int64_t elements = std::int64_t(16) << 20;
  const int threads = c.device().info().cores;
  if (c.is("copy_nt")) {
    const auto arrays = shared_arrays({8 * elements, 2, threads});
    arrays->fill(0, c.random().bits(0));
    arrays->poison(1);
    const auto call = [arrays] {
      arrays->sum([&](std::int64_t begin, std::int64_t end) {
        stream_pass_nt(Pattern::copy, arrays->array(0) + begin, arrays->array(0) + begin,
                       arrays->array(1) + begin, end - begin, 1);
        return 0.0;
      });
    };
    call();
    c.expect(std::equal(arrays->array(0), arrays->array(0) + elements, arrays->array(1)), "the copy differs");
    c.work(stream_cost(Pattern::copy, elements));
    return c.measure(call);
  }
  const Tensor x = uniform({elements}, c.random().bits(0), c.device());
  const float first = x.rows(0, 1).to_host()[0];
  const double want = 0.5 * double(first) * (1 + std::erf(double(first) / std::sqrt(2.0)));
  c.expect(std::fabs(double(gelu(x).rows(0, 1).to_host()[0]) - want) <= 1e-6,
           "gelu differs from its definition");
  c.work(info(Op::gelu).cost({Op::gelu, {&x, 1}, {}}));
  c.measure([x] { gelu(x); });
}

void derive_self_gelu(const Results& results, Derived& derived) {
  const Series* copy = results.only("self_gelu", {}, "copy_nt");
  const Series* gelu = results.only("self_gelu", {}, "gelu");
  std::optional<Estimate> ratio;
  if (copy != nullptr && gelu != nullptr) ratio = results.ratio(*copy, "finish", *gelu, "finish");
  add_or_missing(derived, "gelu_rate_over_copy_ratio", "ratio", ratio, "no_valid_samples", {copy, gelu});
}

}  // namespace perflab::hardware

// Every operation of the table on the large shapes of its OpCase: the benchmark half of the lines that also
// test it.

#include "base/check.h"
#include "bodies.h"
#include "engine/policy.h"
#include "ops/op_case.h"

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

}  // namespace perflab::hardware

#include "ops/rows.h"

#include "base/check.h"

namespace perflab {

void require_floating(const Call& call) {
  for (const Tensor& input : call.in)
    PL_CHECK(is_floating(input.dtype()), "{}: an input is {}; want f32, f16 or bf16", info(call.op).name,
             name_of(input.dtype()));
}

Result same_as_input(const Call& call) {
  require_floating(call);
  return {call.in[0].shape(), call.in[0].dtype()};
}

Cost elementwise_cost(const Call& call, double flops_per_element) {
  Cost cost{.flops = flops_per_element * double(call.in[0].elements()),
            .bytes_written = double(call.in[0].bytes())};
  for (const Tensor& input : call.in) cost.bytes_read += double(input.bytes());
  return cost;
}

}  // namespace perflab

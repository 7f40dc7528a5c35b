// Reductions along the last dimension: rows of the table. Gradients that need a row's sum again are
// operations of their own, one pass each.

#include <limits>

#include "base/check.h"
#include "ops/apply.h"
#include "ops/cpu/row_kernels.h"
#include "ops/rows.h"

namespace perflab {
namespace {

std::int64_t row_length(const Call& call) { return call.in[0].shape()[-1]; }

void require_rows(const Call& call) {
  require_floating(call);
  PL_CHECK(call.in[0].shape().rank() >= 1, "{}: the input is a scalar; want at least one dimension",
           info(call.op).name);
}

Result same_rows(const Call& call) {
  require_rows(call);
  return {call.in[0].shape(), call.in[0].dtype()};
}

Result one_per_row(const Call& call) {
  require_rows(call);
  PL_CHECK(call.op != Op::row_max || row_length(call) > 0,
           "row_max: the input is {}; want rows that are not empty", call.in[0].shape());
  return {call.in[0].shape().without_last(), call.in[0].dtype()};
}

void require_alike(const Call& call, std::size_t index, const Shape& shape) {
  const Tensor& one = call.in[index];
  PL_CHECK(one.shape() == shape && one.dtype() == call.in[0].dtype(), "{}: input {} is {} {}; want {} {}",
           info(call.op).name, index, name_of(one.dtype()), one.shape(), name_of(call.in[0].dtype()), shape);
}

Result slope_of_rows(const Call& call) {  // x or y, and d of the same shape
  require_rows(call);
  require_alike(call, 1, call.in[0].shape());
  return {call.in[0].shape(), call.in[0].dtype()};
}

Result slope_of_maximum(const Call& call) {  // x, its maxima, d of theirs
  require_rows(call);
  require_alike(call, 1, call.in[0].shape().without_last());
  require_alike(call, 2, call.in[0].shape().without_last());
  return {call.in[0].shape(), call.in[0].dtype()};
}

Result broadcast_rows(const Call& call) {  // n[0]: the length of the new rows
  require_floating(call);
  const Shape& shape = call.in[0].shape();
  PL_CHECK(shape.rank() < Shape::max_rank && call.attrs.n[0] >= 0,
           "row_broadcast: the input is {}, rows of {}; want at most {} dimensions and a length >= 0", shape,
           call.attrs.n[0], Shape::max_rank - 1);
  return {shape.appended(call.attrs.n[0]), call.in[0].dtype()};
}

void require_labels(const Call& call) {
  const Tensor &logits = call.in[0], &labels = call.in[1];
  const char* name = info(call.op).name;
  PL_CHECK(logits.dtype() == Dtype::f32 && logits.shape().rank() == 2 && logits.shape()[1] > 0,
           "{}: logits are {} {}; want f32 [rows,classes] with classes > 0", name, name_of(logits.dtype()),
           logits.shape());
  PL_CHECK(logits.shape()[1] <= std::numeric_limits<std::int32_t>::max(),
           "{}: {} classes; want at most 2^31-1, labels are i32", name, logits.shape()[1]);
  PL_CHECK(labels.dtype() == Dtype::i32 && labels.shape() == Shape({logits.shape()[0]}),
           "{}: labels are {} {}; want i32 [{}], one for each row of the logits", name,
           name_of(labels.dtype()), labels.shape(), logits.shape()[0]);
}

Result loss_per_row(const Call& call) {
  require_labels(call);
  return {{call.in[0].shape()[0]}, Dtype::f32};
}

Result slope_of_loss(const Call& call) {
  require_labels(call);
  require_alike(call, 2, {call.in[0].shape()[0]});
  return {call.in[0].shape(), Dtype::f32};
}

// Textbook operations per element of input 0, counted as op_list.h says; what happens once a row is left out.
// Every input is read once, the output written once.
template <int FlopsPerElement, bool OnePerRow = false>
Cost row_cost(const Call& call) {
  Cost cost;
  const Tensor& x = call.in[0];
  cost.flops = FlopsPerElement * double(x.elements());
  for (const Tensor& one : call.in) cost.bytes_read += double(one.bytes());
  cost.bytes_written = double(x.bytes());
  if (OnePerRow)
    cost.bytes_written = double(x.shape().without_last().elements()) * double(bytes_of(x.dtype()));
  return cost;
}

Cost broadcast_cost(const Call& call) {
  const auto bytes = double(call.in[0].bytes());
  return {.flops = 0, .bytes_read = bytes, .bytes_written = bytes * call.attrs.n[0]};
}

Tensor repeated(const Tensor& d, std::int64_t length) {
  PL_CHECK(length <= std::numeric_limits<std::int32_t>::max(), "row_sum: no gradient for rows of {} elements",
           length);
  return apply(Op::row_broadcast, {d}, {.n = {std::int32_t(length)}});
}

Grads sum_grad(const Call& call, const Tensor&, const Tensor& d) { return {repeated(d, row_length(call))}; }
Grads max_grad(const Call& call, const Tensor& out, const Tensor& d) {
  return {apply(Op::row_max_grad, {call.in[0], out, d})};
}
Grads softmax_gradient(const Call&, const Tensor& out, const Tensor& d) {
  return {apply(Op::softmax_grad, {out, d})};
}
Grads log_softmax_gradient(const Call&, const Tensor& out, const Tensor& d) {
  return {apply(Op::log_softmax_grad, {out, d})};
}
Grads layer_norm_gradient(const Call& call, const Tensor&, const Tensor& d) {
  return {apply(Op::layer_norm_grad, {call.in[0], d}, {.a = call.attrs.a})};
}
Grads cross_entropy_gradient(const Call& call, const Tensor&, const Tensor& d) {
  return {apply(Op::cross_entropy_grad, {call.in[0], call.in[1], d}), Tensor()};
}
Grads broadcast_gradient(const Call&, const Tensor&, const Tensor& d) { return {apply(Op::row_sum, {d})}; }

}  // namespace

void add_reduction_rows(OpTable& table) {
  const auto add = [&table](Op op, const OpInfo& row) {
    OpInfo& target = table[std::size_t(op)];
    target = row;
    target.cls = Class::reduction;
    target.cast = Cast::wide;
  };
  add(Op::row_sum, {.name = "row_sum",
                    .shape = one_per_row,
                    .cost = row_cost<1, true>,
                    .grad = sum_grad,
                    .cpu = row_sum_kernel});
  add(Op::row_max, {.name = "row_max",
                    .shape = one_per_row,
                    .cost = row_cost<1, true>,
                    .grad = max_grad,
                    .cpu = row_max_kernel});
  add(Op::softmax, {.name = "softmax",
                    .shape = same_rows,
                    .cost = row_cost<5>,
                    .grad = softmax_gradient,
                    .cpu = softmax_kernel});
  add(Op::log_softmax, {.name = "log_softmax",
                        .shape = same_rows,
                        .cost = row_cost<5>,
                        .grad = log_softmax_gradient,
                        .cpu = log_softmax_kernel});
  add(Op::layer_norm, {.name = "layer_norm",
                       .shape = same_rows,
                       .cost = row_cost<5>,
                       .grad = layer_norm_gradient,
                       .cpu = layer_norm_kernel});
  add(Op::cross_entropy, {.name = "cross_entropy",
                          .inputs = 2,
                          .shape = loss_per_row,
                          .cost = row_cost<4, true>,
                          .grad = cross_entropy_gradient,
                          .cpu = cross_entropy_kernel});
  add(Op::row_broadcast, {.name = "row_broadcast",
                          .shape = broadcast_rows,
                          .cost = broadcast_cost,
                          .grad = broadcast_gradient,
                          .cpu = row_broadcast_kernel});
  add(Op::row_max_grad, {.name = "row_max_grad",
                         .inputs = 3,
                         .shape = slope_of_maximum,
                         .cost = row_cost<2>,
                         .cpu = row_max_grad_kernel});
  add(Op::softmax_grad, {.name = "softmax_grad",
                         .inputs = 2,
                         .shape = slope_of_rows,
                         .cost = row_cost<4>,
                         .cpu = softmax_grad_kernel});
  add(Op::log_softmax_grad, {.name = "log_softmax_grad",
                             .inputs = 2,
                             .shape = slope_of_rows,
                             .cost = row_cost<4>,
                             .cpu = log_softmax_grad_kernel});
  add(Op::layer_norm_grad, {.name = "layer_norm_grad",
                            .inputs = 2,
                            .shape = slope_of_rows,
                            .cost = row_cost<12>,
                            .cpu = layer_norm_grad_kernel});
  add(Op::cross_entropy_grad, {.name = "cross_entropy_grad",
                               .inputs = 3,
                               .shape = slope_of_loss,
                               .cost = row_cost<6>,
                               .cpu = cross_entropy_grad_kernel});
}

}  // namespace perflab

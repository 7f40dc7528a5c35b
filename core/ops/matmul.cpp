// matmul: its row of the table.

#include "base/check.h"
#include "ops/apply.h"
#include "ops/cpu/gemm.h"
#include "ops/rows.h"

namespace perflab {
namespace {

struct Sides {
  std::int64_t rows, inner_a, inner_b, columns;
};
Sides sides(const Call& call) {
  const Shape &a = call.in[0].shape(), &b = call.in[1].shape();
  const bool ta = call.attrs.trans_a, tb = call.attrs.trans_b;
  return {a[ta ? 1 : 0], a[ta ? 0 : 1], b[tb ? 1 : 0], b[tb ? 0 : 1]};
}

Result matmul_shape(const Call& call) {
  require_floating(call);
  const Tensor &a = call.in[0], &b = call.in[1];
  PL_CHECK(a.shape().rank() == 2 && b.shape().rank() == 2,
           "matmul: a is {}, b is {}; want two dimensions each", a.shape(), b.shape());
  PL_CHECK(a.dtype() == b.dtype(), "matmul: a is {}, b is {}; want the same dtype", name_of(a.dtype()),
           name_of(b.dtype()));
  const Sides s = sides(call);
  const bool ta = call.attrs.trans_a, tb = call.attrs.trans_b;
  PL_CHECK(s.inner_a == s.inner_b, "matmul: inner sizes differ: a is {}{}, b is {}{}; want a.{} == b.{}",
           a.shape(), ta ? " transposed" : "", b.shape(), tb ? " transposed" : "", ta ? "rows" : "cols",
           tb ? "cols" : "rows");
  return {{s.rows, s.columns}, a.dtype()};
}

Cost matmul_cost(const Call& call) {
  const Sides s = sides(call);
  const auto m = double(s.rows), k = double(s.inner_a), n = double(s.columns);
  const auto bytes = double(bytes_of(call.in[0].dtype()));
  return {.flops = 2 * m * n * k, .bytes_read = bytes * (m * k + k * n), .bytes_written = bytes * m * n};
}

Tensor product(const Tensor& a, const Tensor& b, bool trans_a, bool trans_b) {
  return apply(Op::matmul, {a, b}, {.trans_a = trans_a, .trans_b = trans_b});
}

// c = a b gives da = d b^T and db = a^T d, each written so that no transpose is ever stored.
Grads matmul_grad(const Call& call, const Tensor&, const Tensor& d) {
  const Tensor &a = call.in[0], &b = call.in[1];
  const bool ta = call.attrs.trans_a, tb = call.attrs.trans_b;
  return {ta ? product(b, d, tb, true) : product(d, b, false, !tb),
          tb ? product(d, a, true, ta) : product(a, d, !ta, false)};
}

}  // namespace

void add_matmul_rows(OpTable& table) {
  table[std::size_t(Op::matmul)] = {.name = "matmul",
                                    .inputs = 2,
                                    .cls = Class::matmul,
                                    .cast = Cast::low,
                                    .shape = matmul_shape,
                                    .cost = matmul_cost,
                                    .grad = matmul_grad,
                                    .cpu = matmul_kernel};
}

}  // namespace perflab

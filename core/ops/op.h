#pragma once
// Op — the operations, and for each a row of one table: shape rule, cost, gradient, cast rule, kernels.
//
// Everything that happens to tensors is a Call that goes through apply() (apply.h). Shapes and dtypes are
// checked by the row's shape function, in the caller, before anything is enqueued. An elementwise op is
// written once, as a functor in functors.h and a line in op_list.h.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cost.h"
#include "ops/op_list.h"
#include "tensor/tensor.h"

namespace perflab {

#define PL_OP_NAME(name, ...) name,
enum class Op : std::uint8_t {
  PL_UNARY_OPS(PL_OP_NAME) PL_BINARY_OPS(PL_OP_NAME)  // elementwise: op_list.h
  cast,
  fill,  // movement
  row_sum,
  row_max,
  column_sum,
  softmax,
  log_softmax,
  layer_norm,
  cross_entropy,
  row_broadcast,  // gradients of reductions
  row_max_grad,
  softmax_grad,
  log_softmax_grad,
  layer_norm_grad,
  cross_entropy_grad,
  matmul,
  uniform,
  normal,
  sgd_step,  // in place: weights -= a * gradient
  count_
};
#undef PL_OP_NAME
inline constexpr int op_count = int(Op::count_);

enum class Class : std::uint8_t { elementwise, reduction, matmul, movement, random, opaque };
// What autocast does to floating inputs: low = may run in 16 bits, wide = wants f32, follow = as the inputs
// are.
enum class Cast : std::uint8_t { low, wide, follow };

struct Attrs {
  float a = 0, b = 0;               // scale and shift, epsilon, learning rate ...
  std::array<std::int32_t, 6> n{};  // op-specific integers; kernels get the first, a length in row_broadcast
  std::uint64_t seed = 0;
  bool trans_a = false, trans_b = false;
  Dtype dtype = Dtype::f32;  // of the output of cast, fill, uniform, normal
  Device* device = nullptr;  // where ops without inputs put their output
  Shape shape{};             // of their output
};

struct Call {
  Op op;
  std::span<const Tensor> in;
  const Attrs& attrs;
};

struct Result {  // of the shape rule
  Shape shape;
  Dtype dtype;
};

using Grads = std::vector<Tensor>;  // one per input; an empty Tensor where there is none

// What a kernel gets: plain pointers and shapes, copied into the queue. Kernels never call apply().
struct Operand {
  std::byte* data = nullptr;
  Shape shape{};
  Dtype dtype = Dtype::f32;
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data);
  }
};
inline constexpr int max_inputs = 3;
struct KernelArgs {
  std::array<Operand, max_inputs> in{};
  Operand out{};
  float a = 0, b = 0;
  std::uint64_t seed = 0;
  std::int32_t n0 = 0;  // attrs.n[0]
  bool trans_a = false, trans_b = false;
};
using Kernel = void (*)(const KernelArgs&, StreamContext&);

struct OpInfo {
  const char* name = "";
  int inputs = 1;
  Class cls = Class::elementwise;
  Cast cast = Cast::follow;
  Result (*shape)(const Call&) = nullptr;  // refuses bad shapes and dtypes: Error(check), "matmul: ..."
  Cost (*cost)(const Call&) =
      nullptr;  // useful FLOPs and bytes: what every chart's GFLOP/s and GB/s stand on
  Grads (*grad)(const Call&, const Tensor& out,
                const Tensor& d_out) = nullptr;  // calls apply(); null: no gradient
  Kernel cpu = nullptr, cuda = nullptr;
  std::uint8_t writes = 0;  // mask of inputs updated in place; the result then is input 0
};
const OpInfo& info(Op op);

}  // namespace perflab

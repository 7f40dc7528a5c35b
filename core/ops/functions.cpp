#include "ops/functions.h"

namespace perflab {

Tensor Tensor::to(Dtype dtype) const { return dtype == dtype_ ? *this : cast(*this, dtype); }

Tensor fill(const Shape& shape, float value, Device& device, Dtype dtype) {
  return apply(Op::fill, std::span<const Tensor>(),
               {.a = value, .dtype = dtype, .device = &device, .shape = shape});
}

Tensor cross_entropy(const Tensor& logits, const Tensor& labels) {
  return apply(Op::cross_entropy, {logits, labels});
}

Tensor matmul(const Tensor& a, const Tensor& b, bool trans_a, bool trans_b) {
  const Tensor in[] = {a, b};
  return apply(Op::matmul, in, {.trans_a = trans_a, .trans_b = trans_b});
}

Tensor uniform(const Shape& shape, std::uint64_t seed, Device& device) {
  return apply(Op::uniform, std::span<const Tensor>(), {.seed = seed, .device = &device, .shape = shape});
}

Tensor normal(const Shape& shape, std::uint64_t seed, Device& device) {
  return apply(Op::normal, std::span<const Tensor>(), {.seed = seed, .device = &device, .shape = shape});
}

Tensor sgd_step(const Tensor& weights, const Tensor& gradient, float rate) {
  return apply(Op::sgd_step, {weights, gradient}, {.a = rate});
}

}  // namespace perflab

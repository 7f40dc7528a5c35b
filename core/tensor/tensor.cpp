#include "tensor/tensor.h"

#include <algorithm>

#include "base/check.h"
#include "base/half.h"
#include "device/allocator.h"
#include "device/runtime.h"
#include "engine/policy.h"

namespace perflab {
namespace {

void require_tensor(const Tensor& tensor, std::string_view who) {
  PL_CHECK(bool(tensor), "{}: an empty tensor; want one that holds numbers", who);
}

std::size_t bytes_for(const Shape& shape, Dtype dtype) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(std::size_t(shape.elements()), bytes_of(dtype), &bytes))
    fail(ErrorKind::environment, "tensor: shape {} of {} needs more bytes than can be counted", shape,
         name_of(dtype));
  return bytes;
}

Tensor idle_tensor(const Shape& shape, Dtype dtype, Device& device) {
  return {Buffer(AllocatorGuard::current(device).take(bytes_for(shape, dtype), device.stream(), Use::idle)),
          shape, dtype};
}

}  // namespace

Tensor Tensor::empty(const Shape& shape, Dtype dtype, Device& device) {
  return {device.allocate(bytes_for(shape, dtype)), shape, dtype};
}

Tensor Tensor::from(std::span<const float> values, const Shape& shape, Device& device, Dtype dtype) {
  PL_CHECK(is_floating(dtype), "tensor: floats were given for dtype {}; want f32, f16 or bf16",
           name_of(dtype));
  PL_CHECK(std::int64_t(values.size()) == shape.elements(), "tensor: {} values for shape {}; want {}",
           values.size(), shape, shape.elements());
  Tensor tensor = idle_tensor(shape, dtype, device);
  from_f32(values.data(), tensor.raw_data_unsynchronised(), dtype, std::int64_t(values.size()));
  return tensor;
}

Tensor Tensor::from(std::span<const std::int32_t> values, const Shape& shape, Device& device) {
  PL_CHECK(std::int64_t(values.size()) == shape.elements(), "tensor: {} values for shape {}; want {}",
           values.size(), shape, shape.elements());
  Tensor tensor = idle_tensor(shape, Dtype::i32, device);
  std::ranges::copy(values, reinterpret_cast<std::int32_t*>(tensor.raw_data_unsynchronised()));
  return tensor;
}

Tensor Tensor::reshape(const Shape& shape) const {
  require_tensor(*this, "reshape");
  PL_CHECK(shape.elements() == elements(), "reshape: {} has {} elements, {} has {}; want equal numbers",
           shape_, elements(), shape, shape.elements());
  return {buffer_, shape, dtype_, offset_elements_};
}

Tensor Tensor::rows(std::int64_t begin, std::int64_t end) const {
  require_tensor(*this, "rows");
  PL_CHECK(shape_.rank() >= 1, "rows: a scalar has no rows; want at least one dimension");
  PL_CHECK(0 <= begin && begin <= end && end <= shape_[0], "rows: {}..{} of {}; want a range within 0..{}",
           begin, end, shape_, shape_[0]);
  const std::int64_t row_elements = shape_[0] == 0 ? 0 : elements() / shape_[0];
  return {buffer_, shape_.with(0, end - begin), dtype_, offset_elements_ + begin * row_elements};
}

Tensor Tensor::to(Device& device) const {
  require_tensor(*this, "to");
  if (&device == &this->device()) return *this;
  Link& link = Runtime::current().link(this->device(), device);
  Tensor copy = empty(shape_, dtype_, device);
  Stream &stream = device.stream(compute_stream), &source = this->device().stream(compute_stream);
  stream.wait(source.record());
  // The task holds both tensors: the source must not be given to later work of its own stream before it is
  // read.
  stream.enqueue([from = *this, copy, &link](StreamContext&) {
    link.copy(copy.raw_data_unsynchronised(), from.raw_data_unsynchronised(), from.bytes());
  });
  source.wait(stream.record());  // nor written to in place
  if (current_policy() == Policy::sync) {
    count_wait();
    stream.synchronize();
  }
  return copy;
}

void Tensor::wait_for_work() const {
  count_wait();
  device().stream(compute_stream).synchronize();
}

std::vector<float> Tensor::to_host() const {
  require_tensor(*this, "to_host");
  PL_CHECK(is_floating(dtype_), "to_host: the tensor is {}; want f32, f16 or bf16 (to_host_i32 reads i32)",
           name_of(dtype_));
  wait_for_work();
  std::vector<float> values(static_cast<std::size_t>(elements()));
  to_f32(raw_data_unsynchronised(), dtype_, values.data(), elements());
  return values;
}

std::vector<std::int32_t> Tensor::to_host_i32() const {
  require_tensor(*this, "to_host_i32");
  PL_CHECK(dtype_ == Dtype::i32, "to_host_i32: the tensor is {}; want i32", name_of(dtype_));
  wait_for_work();
  std::vector<std::int32_t> values(static_cast<std::size_t>(elements()));
  std::copy_n(reinterpret_cast<const std::int32_t*>(raw_data_unsynchronised()), values.size(), values.data());
  return values;
}

}  // namespace perflab

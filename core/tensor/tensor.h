#pragma once
// Tensor — a value handle on numbers in a device's memory: shape, dtype, device. Row-major and contiguous.
//
// Copies share the memory. Views are reshape() and rows() (an offset on dimension 0) only. to_host() is the
// one way to look at values: it waits for the work that makes them. After an error was reported, what skipped
// work should have made is undefined. Handles are cheap to copy and thread-safe as shared_ptr is; one that
// outlives its device may only be destroyed.

#include <cstdint>
#include <span>
#include <vector>

#include "base/dtype.h"
#include "base/shape.h"
#include "device/device.h"

namespace perflab {

class Tensor {
 public:
  Tensor() = default;  // holds nothing; using it is an Error(check)
  Tensor(Buffer buffer, const Shape& shape, Dtype dtype, std::int64_t offset_elements = 0)
      : buffer_(std::move(buffer)), shape_(shape), offset_elements_(offset_elements), dtype_(dtype) {}

  // Uninitialised, for work on the device's compute stream.
  static Tensor empty(const Shape& shape, Dtype dtype, Device& device);
  // The host's values, rounded to dtype (f32, f16, bf16; nearest even). Error(check) if their number is not
  // shape.elements(). Complete when it returns, and it never waits for the device: it takes memory that is
  // idle.
  static Tensor from(std::span<const float> values, const Shape& shape, Device& device,
                     Dtype dtype = Dtype::f32);
  static Tensor from(std::span<const std::int32_t> values, const Shape& shape, Device& device);  // i32

  explicit operator bool() const { return bool(buffer_); }
  const Shape& shape() const { return shape_; }
  Dtype dtype() const { return dtype_; }
  Device& device() const { return buffer_.device(); }
  std::int64_t elements() const { return shape_.elements(); }
  std::size_t bytes() const { return std::size_t(elements()) * bytes_of(dtype_); }
  bool shares_memory_with(const Tensor& other) const { return buffer_.shares_with(other.buffer_); }

  Tensor reshape(const Shape& shape) const;                 // same number of elements, else Error(check)
  Tensor rows(std::int64_t begin, std::int64_t end) const;  // a view of dimension 0
  // A copy in the device's memory over the runtime's link, behind the work so far and ahead of the work to
  // come of both compute streams; itself if it is there already.
  Tensor to(Device& device) const;
  Tensor to(Dtype dtype) const;  // through the op table (ops/functions.cpp); itself if it has that type

  std::vector<float> to_host() const;  // waits, rethrows errors of the work, converts; f32 f16 bf16 only
  std::vector<std::int32_t> to_host_i32() const;  // i32 only

  // Where the elements lie, now, whatever the device is doing: for kernels, and for labs about missing waits.
  std::byte* raw_data_unsynchronised() const {
    return buffer_.data() + std::size_t(offset_elements_) * bytes_of(dtype_);
  }
  const Buffer& buffer() const { return buffer_; }

 private:
  void wait_for_work() const;  // of the device's compute stream
  Buffer buffer_;
  Shape shape_;
  std::int64_t offset_elements_ = 0;
  Dtype dtype_ = Dtype::f32;
};

}  // namespace perflab

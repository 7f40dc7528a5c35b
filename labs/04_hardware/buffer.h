#pragma once
// Buffer — memory straight from the system: aligned to 2 MiB, advised to use huge pages, released by the
// destructor.
//
// Pages get their place (NUMA node) from the thread that writes them first, which is the caller's business.
// Huge pages keep address translation out of the measurement; where the system refuses them, small ones
// serve. Not thread-safe.

#include <cstddef>
#include <cstdint>

namespace perflab::hardware {

class Buffer {
 public:
  explicit Buffer(std::int64_t bytes);  // Error(environment) if the system has no such memory
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&&) = delete;

  std::byte* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void* mapping_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace perflab::hardware

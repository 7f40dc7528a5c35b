#include "buffer.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/units.h"

namespace perflab::hardware {

constexpr std::size_t huge_page_bytes = std::size_t(2) << 20;

Buffer::Buffer(std::int64_t bytes) : bytes_(bytes) {
  PL_CHECK(bytes >= 1, "buffer: {} bytes; want at least 1", bytes);
  mapped_bytes_ =
      (std::size_t(bytes) + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes + huge_page_bytes;
  mapping_ = mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED)
    fail(ErrorKind::environment, "buffer: {} of memory: {}; free some memory", format_bytes(double(bytes)),
         std::strerror(errno));
  void* aligned = mapping_;
  std::size_t space = mapped_bytes_;
  data_ = static_cast<std::byte*>(std::align(huge_page_bytes, std::size_t(bytes), aligned, space));
  madvise(data_, space, MADV_HUGEPAGE);  // advice: a refusal only makes the measurement slower
}

Buffer::~Buffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_bytes_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_bytes_(other.mapped_bytes_),
      data_(other.data_),
      bytes_(other.bytes_) {}

}  // namespace perflab::hardware

#include "base/dtype.h"

#include <array>

#include "base/check.h"

namespace perflab {
namespace {

constexpr std::array<std::string_view, 5> names{"f32", "f16", "bf16", "i32", "u8"};  // in the order of Dtype

}  // namespace

std::string_view name_of(Dtype dtype) {
  PL_CHECK(std::size_t(dtype) < names.size(), "dtype: value {} is no Dtype; want one of 0..{}", int(dtype),
           names.size() - 1);
  return names[std::size_t(dtype)];
}

Dtype parse_dtype(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return Dtype(i);
  fail(ErrorKind::usage, "dtype: '{}' is unknown; want f32, f16, bf16, i32 or u8", name);
}

}  // namespace perflab

#pragma once
// Dtype — the element types of perflab. f16 (IEEE binary16) and bf16 (bfloat16) are storage formats;
// arithmetic is f32.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perflab {

enum class Dtype : std::uint8_t { f32, f16, bf16, i32, u8 };

// Every operation on tensors asks these, so they are a load from a table. A value that is no Dtype reads as 0
// bytes and not floating; name_of is the one that says so.
constexpr std::size_t bytes_of(Dtype dtype) {  // size of one element
  constexpr std::uint8_t bytes[] = {4, 2, 2, 4, 1};
  return std::size_t(dtype) < sizeof(bytes) ? bytes[std::size_t(dtype)] : 0;
}
constexpr bool is_floating(Dtype dtype) { return std::size_t(dtype) <= std::size_t(Dtype::bf16); }
std::string_view name_of(Dtype dtype);     // Error(check) for a value that is no Dtype; "f32", "f16", ...
Dtype parse_dtype(std::string_view name);  // inverse of name_of; Error(usage) names the valid ones

}  // namespace perflab

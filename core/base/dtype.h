#pragma once
// Dtype — the element types of perflab. f16 (IEEE binary16) and bf16 (bfloat16) are storage formats;
// arithmetic is f32.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perflab {

enum class Dtype : std::uint8_t { f32, f16, bf16, i32, u8 };

std::size_t bytes_of(Dtype dtype);         // size of one element
std::string_view name_of(Dtype dtype);     // "f32", "f16", ...
Dtype parse_dtype(std::string_view name);  // inverse of name_of; Error(usage) names the valid ones
bool is_floating(Dtype dtype);

}  // namespace perflab

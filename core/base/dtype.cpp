#include "base/dtype.h"

#include <array>

#include "base/check.h"

namespace perflab {
namespace {

struct Row {
  Dtype dtype;
  std::string_view name;
  std::size_t bytes;
  bool floating;
};
constexpr std::array<Row, 5> rows{{{Dtype::f32, "f32", 4, true},
                                   {Dtype::f16, "f16", 2, true},
                                   {Dtype::bf16, "bf16", 2, true},
                                   {Dtype::i32, "i32", 4, false},
                                   {Dtype::u8, "u8", 1, false}}};

const Row& row(Dtype dtype) {
  for (const Row& r : rows)
    if (r.dtype == dtype) return r;
  fail(ErrorKind::check, "dtype: value {} is no Dtype; want one of 0..{}", int(dtype), rows.size() - 1);
}

}  // namespace

std::size_t bytes_of(Dtype dtype) { return row(dtype).bytes; }
std::string_view name_of(Dtype dtype) { return row(dtype).name; }
bool is_floating(Dtype dtype) { return row(dtype).floating; }

Dtype parse_dtype(std::string_view name) {
  for (const Row& r : rows)
    if (r.name == name) return r.dtype;
  fail(ErrorKind::usage, "dtype: '{}' is unknown; want f32, f16, bf16, i32 or u8", name);
}

}  // namespace perflab

// What a read costs by its distance from the last one, by its alignment and by its direction. DRAM.

#include "bodies.h"
#include "kernels.h"
#include "strider.h"

namespace perflab::hardware {
namespace {

constexpr std::int64_t misaligned_offset =
    60;  // an 8-byte word over the border of two lines, if the stride keeps it there

}  // namespace

void access_body(Case& c) {
  const LevelSize size = level_size(this_machine(), "DRAM", 1);
  if (size.bytes == 0) return c.skip(size.reason, size.sentence);
  const std::int64_t stride = c.i("stride_bytes"), offset = c.is("misaligned") ? misaligned_offset : 0;
  const auto arrays = shared_arrays({size.bytes, 1, 1});
  arrays->fill(0, c.random().bits(0));
  auto strider = std::make_shared<Strider>(arrays, stride, offset, c.is("backward"));
  const std::uint64_t wanted = strider->plain_sum();
  strider->call();
  c.expect(strider->sum() == wanted, "the sum differs from the one of the same words read one by one");

  const std::int64_t accesses = strider->accesses_per_call();
  c.work({.flops = 0, .bytes_read = 8.0 * double(accesses), .bytes_written = 0});
  c.bound({.level = "DRAM", .pattern = "strided", .threads = 1, .working_set_bytes = arrays->bytes()});
  c.metric("accesses_count", double(accesses));
  c.metric("lines_count", double(lines_touched(offset, accesses, stride)));
  c.measure([strider] { strider->call(); });
}

}  // namespace perflab::hardware

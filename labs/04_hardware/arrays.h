#pragma once
// Arrays — up to three float arrays and the team of threads that works on them, each thread on its own share.
//
// One block of memory, cut into equal arrays. Every share is first touched by the thread that will use it,
// unless asked otherwise (a planted fault). Contents are value(seed, index), equal for any thread count. Not
// thread-safe; the team is.

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "buffer.h"
#include "device/team.h"

namespace perflab::hardware {

// Uniform in [1/2, 1), 23 random bits: never 0, never subnormal. A mixing function of seed and index, cheap
// enough to fill and to check gigabytes (after Wellons' search for good 32-bit mixers).
inline float input_value(std::uint32_t seed, std::int64_t index) {
  std::uint32_t x = std::uint32_t(index) * 0x9e3779b9u + seed;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return 0.5f + float(std::int32_t(x >> 9)) * 0x1p-24f;
}

struct ArraysShape {
  std::int64_t working_set_bytes;  // all arrays together; rounded up to whole lines per array
  int arrays;                      // 1..3
  int threads;
  bool serial_first_touch = false;

  friend bool operator==(const ArraysShape&, const ArraysShape&) = default;
};

class Arrays {
 public:
  explicit Arrays(const ArraysShape& shape);

  const ArraysShape& shape() const { return shape_; }
  std::int64_t elements() const { return elements_; }  // of one array
  std::int64_t bytes() const { return 4 * elements_ * shape_.arrays; }
  float* array(int number) const;
  Range part(int member) const { return share(elements_, member, shape_.threads, grain); }
  Team& team() { return team_; }
  bool touched_by_their_users();  // false: some share lies where another thread put it

  void fill(int number, std::uint32_t seed);  // with input_value(seed + number, index)
  void poison(int number);                    // with NaN
  // Runs work(begin, end) of every share on its own thread and adds up what it returns.
  double sum(const std::function<double(std::int64_t begin, std::int64_t end)>& work);

 private:
  static constexpr std::int64_t grain = 64;  // elements; whole lines, so that threads share none

  ArraysShape shape_;
  std::int64_t elements_, distance_;
  Buffer buffer_;
  Team team_;
  std::vector<std::thread::id> touched_by_;
};

// The arrays of this shape, made or kept from the last call: variants of a point work on the same memory, and
// neighbouring points do not fault their pages again. At most one shape is kept.
std::shared_ptr<Arrays> shared_arrays(const ArraysShape& shape);

}  // namespace perflab::hardware

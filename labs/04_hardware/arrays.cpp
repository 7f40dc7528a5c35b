#include "arrays.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace perflab::hardware {
namespace {

// Arrays that start at the same place of a 4 KiB page confuse processors that compare only those address
// bits.
constexpr std::int64_t stagger_floats = 160;

std::int64_t elements_of(const ArraysShape& shape, std::int64_t grain) {
  PL_CHECK(shape.arrays >= 1 && shape.arrays <= 3, "arrays: {} arrays; want 1..3", shape.arrays);
  PL_CHECK(shape.working_set_bytes >= 1, "arrays: a working set of {} bytes; want at least 1",
           shape.working_set_bytes);
  const std::int64_t unit = 4 * shape.arrays * grain;  // rounded up: a DRAM-sized set stays one
  return std::max<std::int64_t>(shape.threads, (shape.working_set_bytes + unit - 1) / unit) * grain;
}

}  // namespace

Arrays::Arrays(const ArraysShape& shape)
    : shape_(shape),
      elements_(elements_of(shape, grain)),
      distance_(elements_ + stagger_floats),
      buffer_(4 * distance_ * shape.arrays),
      team_(shape.threads),
      touched_by_(std::size_t(shape.threads)) {
  const auto touch = [this](int member) {
    const Range mine = part(member);
    for (int number = 0; number < shape_.arrays; ++number)
      std::fill(array(number) + mine.begin, array(number) + mine.end, 0.0f);
    touched_by_[std::size_t(member)] = std::this_thread::get_id();
  };
  if (shape.serial_first_touch)
    for (int member = 0; member < shape.threads; ++member) touch(member);
  else team_.run(touch);
}

float* Arrays::array(int number) const {
  PL_CHECK(number >= 0 && number < shape_.arrays, "arrays: array {} of {}", number, shape_.arrays);
  return reinterpret_cast<float*>(buffer_.data()) + number * distance_;
}

bool Arrays::touched_by_their_users() {
  std::vector<char> own(touched_by_.size());
  team_.run([&](int member) {
    own[std::size_t(member)] = touched_by_[std::size_t(member)] == std::this_thread::get_id();
  });
  return std::all_of(own.begin(), own.end(), [](char yes) { return yes != 0; });
}

void Arrays::fill(int number, std::uint32_t seed) {
  float* const values = array(number);
  const auto salt = seed + std::uint32_t(number);
  team_.run([&](int member) {
    const Range mine = part(member);
    for (std::int64_t i = mine.begin; i < mine.end; ++i) values[i] = input_value(salt, i);
  });
}

void Arrays::poison(int number) {
  float* const values = array(number);
  team_.run([&](int member) {
    const Range mine = part(member);
    std::fill(values + mine.begin, values + mine.end, std::numeric_limits<float>::quiet_NaN());
  });
}

double Arrays::sum(const std::function<double(std::int64_t, std::int64_t)>& work) {
  std::vector<double> parts(std::size_t(shape_.threads));
  team_.run([&](int member) {
    const Range mine = part(member);
    parts[std::size_t(member)] = work(mine.begin, mine.end);
  });
  double total = 0;
  for (const double one : parts) total += one;
  return total;
}

std::shared_ptr<Arrays> shared_arrays(const ArraysShape& shape) {
  static std::shared_ptr<Arrays> last;
  if (last && last->shape() == shape) return last;
  last.reset();  // before the new one: two DRAM-sized sets at once would be a waste
  return last = std::make_shared<Arrays>(shape);
}

}  // namespace perflab::hardware

// A lab of a few microseconds for tests of the front end as a program: cases that pass, one whose gate fails,
// one that is skipped.

#include <memory>
#include <numeric>
#include <vector>

#include "bench/experiment.h"

extern const char* const pl_lab_id;
const char* const pl_lab_id = "99_tiny";

namespace perflab {
namespace {

PL_LAB("sum")
    .question("Is a sum over floats as fast as one over doubles?")
    .axis("n",
          {.smoke = {std::int64_t{10}, std::int64_t{1000}}, .quick = {std::int64_t{10}, std::int64_t{2000}}})
    .metrics({"elements_count", "zero_count"})
    .variants({"floats", "doubles"}, "floats")
    .run([](Case& c) {
      const std::vector<float> floats(std::size_t(c.i("n")), 0.5f);
      const std::vector<double> doubles(floats.begin(), floats.end());
      const bool is_floats = c.is("floats");
      const auto sum = [floats, doubles, is_floats] {
        return is_floats ? double(std::accumulate(floats.begin(), floats.end(), 0.0f))
                         : std::accumulate(doubles.begin(), doubles.end(), 0.0);
      };
      c.expect(sum() == 0.5 * double(floats.size()), "the sum is wrong");
      c.work({.flops = double(floats.size()), .bytes_read = (is_floats ? 4.0 : 8.0) * double(floats.size())});
      c.metric("elements_count", double(floats.size()));
      c.metric("zero_count", 0);
      c.measure([sum, kept = std::make_shared<double>()] { *kept = *kept + sum(); });
    });

PL_LAB("gpu").metrics({"launches_count"}).sweep("kernel").run([](Case& c) {
  c.skip("needs_gpus:1", "there is no GPU here");
});

PL_LAB("broken").hidden().variants({"right", "wrong"}, "right").run([](Case& c) {
  c.expect(c.is("right"), "two is three");
  c.measure([] {});
});

}  // namespace
}  // namespace perflab

// The arithmetic limit: fused multiply-adds that touch no memory, on one thread and on all.

#include "bodies.h"
#include "device/team.h"
#include "kernels.h"

namespace perflab::hardware {
namespace {

constexpr std::int64_t steps_per_call = 40'000;  // even; some 100 us

struct Peak {
  explicit Peak(int threads) : team(threads), sums(std::size_t(threads)) {}
  Team team;
  std::vector<double> sums;
  float start = 0;

  // x -> 1 - x: exact on numbers in [1/2, 1], never settles, and an even number of steps leads back.
  void call() {
    team.run(
        [this](int member) { sums[std::size_t(member)] = fma_steps(steps_per_call, -1.0f, 1.0f, start); });
  }
  bool right() const {
    for (const double sum : sums)
      if (sum != double(fma_lanes) * double(start)) return false;
    return true;
  }
};

}  // namespace

void fma_body(Case& c) {
  const int threads = int(c.i("threads"));
  auto peak = std::make_shared<Peak>(threads);
  peak->start = 0.5f + 0.5f * c.random().uniform(0);
  peak->call();
  c.expect(peak->right(), "an even number of x -> 1-x does not lead back to x");
  c.work({.flops = 2.0 * double(fma_lanes) * double(steps_per_call) * threads,
          .bytes_read = 0,
          .bytes_written = 0});
  c.bound({.level = "compute", .pattern = "fma", .threads = threads, .working_set_bytes = 0});
  c.threads(threads, [peak] { return peak->team.last_census(); });
  c.verify([peak] { return Verified{peak->right(), std::uint64_t(peak->sums[0])}; });
  c.measure([peak] { peak->call(); });
}

}  // namespace perflab::hardware

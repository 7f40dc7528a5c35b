// A thousand random programs over devices, streams and events, each compared with a model that runs on the
// host.
//
// A program's tasks change plain, unguarded cells; only the events between streams order them, so the thread
// sanitizer sees every order that is missing. Some tasks throw; the model says which stream is poisoned by
// which error.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/random.h"
#include "device/cpu_device.h"

namespace perflab {
namespace {

struct Planted : std::runtime_error {
  explicit Planted(int step) : std::runtime_error("planted"), number(step) {}
  int number;
};

struct Lane {  // a stream, and what the model knows of it
  Stream* stream;
  std::optional<int> error{};
};
struct Mark {
  Event event;
  std::optional<int> error{};
  std::size_t lane = 0;
};
struct Cell {
  std::uint64_t value = 0, expected = 0;
  std::optional<Mark> last{};  // behind the last task that touched it
};

class Program {
 public:
  explicit Program(std::uint64_t seed) : random_(seed) {
    const int devices = 1 + int(draw(3)), streams = 1 + int(draw(3));
    for (int d = 0; d < devices; ++d) {
      devices_.push_back(
          std::make_unique<CpuDevice>(DeviceInfo{.name = "cpu:" + std::to_string(d), .pinned_cpus = {}}));
      for (int s = 0; s < streams; ++s) lanes_.push_back({&devices_.back()->stream(s)});
    }
    cells_.resize(1 + draw(4));
  }

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      const std::size_t lane = draw(lanes_.size());
      switch (draw(12)) {
        case 0:
          synchronize(lanes_[lane]);
          break;
        case 1:
          wait_on_host(lane);
          break;
        case 2:
          fail(lanes_[lane], step);
          break;
        default:
          touch(lane, cells_[draw(cells_.size())], step);
      }
    }
    destroy_in_any_order();
    for (const Cell& cell : cells_) EXPECT_EQ(cell.value, cell.expected);
  }

 private:
  std::size_t draw(std::size_t bound) { return std::size_t(random_.below(drawn_++, bound)); }

  void touch(std::size_t lane, Cell& cell, int step) {
    Lane& on = lanes_[lane];
    if (cell.last && cell.last->lane != lane) {
      on.stream->wait(cell.last->event);
      if (!on.error) on.error = cell.last->error;
    }
    on.stream->enqueue([&cell, step](StreamContext&) { cell.value = cell.value * 31 + std::uint64_t(step); });
    if (!on.error) cell.expected = cell.expected * 31 + std::uint64_t(step);
    cell.last = Mark{on.stream->record(), on.error, lane};
  }
  void fail(Lane& lane, int step) {
    lane.stream->enqueue([step](StreamContext&) { throw Planted(step); });
    if (!lane.error) lane.error = step;
  }
  void synchronize(Lane& lane) {
    expect(lane.error, [&] { lane.stream->synchronize(); });
    lane.error.reset();
  }
  void wait_on_host(std::size_t lane) {
    const Event event = lanes_[lane].stream->record();
    expect(lanes_[lane].error, [&] { event.wait(); });
    EXPECT_TRUE(event.ready());
  }
  template <typename Action>
  void expect(const std::optional<int>& error, const Action& action) {
    std::optional<int> seen;
    try {
      action();
    } catch (const Planted& planted) {
      seen = planted.number;
    }
    EXPECT_EQ(seen, error);
  }
  void destroy_in_any_order() {
    while (!devices_.empty()) devices_.erase(devices_.begin() + std::ptrdiff_t(draw(devices_.size())));
  }

  Random random_;
  std::uint64_t drawn_ = 0;
  std::vector<Cell> cells_;  // outlive the devices, whose destruction runs what is queued
  std::vector<std::unique_ptr<CpuDevice>> devices_;
  std::vector<Lane> lanes_;
};

TEST(RandomPrograms, AThousandOfThemDoWhatTheModelSays) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Program(seed).run(60);
    if (testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace perflab

// Reads from a file on disk: 4 KiB in order, 4 KiB at random places, and large ones in order. And the table
// of tiers.

#include <algorithm>
#include <limits>

#include "bodies.h"
#include "scaled.h"
#include "test_file.h"

namespace perflab::hardware {
namespace {

struct Reader {
  std::shared_ptr<TestFile> file;
  Random random;
  bool at_random;
  std::int64_t block_bytes;
  std::int64_t reads = 0, offset = 0;

  void call() {
    const auto blocks = std::uint64_t(file->bytes() / block_bytes);
    const auto number = std::uint64_t(reads++);
    offset = block_bytes * std::int64_t(at_random ? random.below(number, blocks) : number % blocks);
    file->read(offset, block_bytes);
  }
  bool right() const { return file->holds(offset, block_bytes); }
};

}  // namespace

void disk_body(Case& c) {
  if (disk_folder().empty())
    return c.skip(
        "no_disk",
        "no folder for temporary files lies on a disk (memory and shared file systems do not count)");
  auto reader =
      std::make_shared<Reader>(Reader{.file = shared_test_file(c.i("file_bytes"), c.random().bits(0)),
                                      .random = Random(c.random().bits(1)),
                                      .at_random = c.is("random_4KiB"),
                                      .block_bytes = c.is("sequential_1MiB") ? 1 << 20 : 4096});
  for (int i = 0; i < 3; ++i) {
    reader->call();
    c.expect(reader->right(), "the file does not hold what was written");
  }
  c.work({.flops = 0, .bytes_read = double(reader->block_bytes), .bytes_written = 0});
  c.metric("direct_count", reader->file->direct() ? 1 : 0);
  c.verify([reader] { return Verified{reader->right(), std::uint64_t(reader->offset)}; });
  c.measure([reader] { reader->call(); });
}

namespace {

struct Tier {
  std::string name;
  Estimate ns;
  const Series* series;
};
struct Tiers {
  std::vector<Tier> found;            // from near to far
  std::vector<const Series*> used{};  // also those that show no tier
  std::string missing{};              // reason of the first tier that is not there
};

// Time of one access; without enough independent blocks for an interval, from the fastest to the slowest
// sample.
std::optional<Estimate> access_time(const Series* series, double accesses, const std::string& name,
                                    std::string& missing) {
  const auto lacks = [&](std::string reason) {
    if (missing.empty()) missing = std::move(reason);
    return std::nullopt;
  };
  if (series != nullptr && series->info.status == "skipped") return lacks("no_" + name + "_tier");
  if (series == nullptr || series->timed.size() < 6) return lacks("no_valid_samples");
  Estimate time = series->finish_ns();
  const std::vector<double> all = series->clock("finish");
  if (!time.interval) {
    const auto [fastest, slowest] = std::minmax_element(all.begin(), all.end());
    time.interval = Interval{*fastest, *slowest, 0.95};
  }
  return scaled(time, 1 / accesses);
}

Tiers find_tiers(const Results& results) {
  Tiers tiers;
  for (const auto& [level, name] : {std::pair{"L1", "l1"}, {"L2", "l2"}, {"L3", "l3"}, {"DRAM", "dram"}}) {
    const Series* series = results.only("chase", {{"level", level}}, "random");
    const std::vector<double> accesses =
        series == nullptr ? std::vector<double>{} : series->metric("accesses_count");
    const auto time = access_time(series, accesses.empty() ? 1 : accesses.front(), name, tiers.missing);
    if (time) tiers.found.push_back({name, *time, series});
    tiers.used.push_back(series);
  }
  const auto disks = results.find("disk", {}, "random_4KiB");
  const Series* disk = disks.empty() ? nullptr : disks.front();
  tiers.used.push_back(disk);
  const auto time = access_time(disk, 1, "disk", tiers.missing);
  if (!time) return tiers;
  if (const auto direct = disk->metric("direct_count"); direct.empty() || direct.front() == 0) {
    if (tiers.missing.empty())
      tiers.missing = "no_direct_reads";  // that was the page cache: memory, not disk
  } else {
    tiers.found.push_back({"disk", *time, disk});
  }
  return tiers;
}

}  // namespace

// How much slower each tier is than the one above it, at the closest pair: above 1, the order holds.
void derive_tiers(const Results& results, Derived& derived) {
  const auto [found, used, missing] = find_tiers(results);
  for (const Tier& tier : found)
    add_or_missing(derived, "tier_" + tier.name + "_ns", "ns", tier.ns, "", {tier.series});
  const std::string metric = "tier_order_ratio";
  if (!missing.empty()) return add_or_missing(derived, metric, "ratio", std::nullopt, missing, used);
  Estimate closest;
  closest.median = std::numeric_limits<double>::infinity();
  closest.n = std::numeric_limits<int>::max();
  Interval interval{closest.median, closest.median, 1};
  for (std::size_t i = 0; i + 1 < found.size(); ++i) {
    const Estimate &near = found[i].ns, &far = found[i + 1].ns;
    closest.median = std::min(closest.median, far.median / near.median);
    closest.n = std::min({closest.n, near.n, far.n});
    // Ends of two intervals: wider than an interval of the ratio, never narrower.
    interval.lo = std::min(interval.lo, far.interval->lo / near.interval->hi);
    interval.hi = std::min(interval.hi, far.interval->hi / near.interval->lo);
    interval.level = std::min({interval.level, near.interval->level, far.interval->level});
  }
  closest.interval = interval;
  add_or_missing(derived, metric, "ratio", closest, "", used);
}

}  // namespace perflab::hardware

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

// The tiers from near to far; the reason of the first one that is missing.
std::vector<Tier> tiers(const Results& results, std::string& missing) {
  std::vector<Tier> found;
  for (const auto& [level, name] : {std::pair{"L1", "l1"}, {"L2", "l2"}, {"L3", "l3"}, {"DRAM", "dram"}}) {
    const Series* series = results.only("chase", {{"level", level}}, "random");
    const std::vector<double> accesses =
        series == nullptr ? std::vector<double>{} : series->metric("accesses_count");
    const auto time = access_time(series, accesses.empty() ? 1 : accesses.front(), name, missing);
    if (time) found.push_back({name, *time});
  }
  const auto disks = results.find("disk", {}, "random_4KiB");
  const Series* disk = disks.empty() ? nullptr : disks.front();
  const auto time = access_time(disk, 1, "disk", missing);
  if (!time) return found;
  if (const auto direct = disk->metric("direct_count"); direct.empty() || direct.front() == 0) {
    if (missing.empty()) missing = "no_direct_reads";  // that was the page cache: memory, not disk
  } else {
    found.push_back({"disk", *time});
  }
  return found;
}

}  // namespace

// How much slower each tier is than the one above it, at the closest pair: above 1, the order holds.
void derive_tiers(const Results& results, Derived& derived) {
  std::string missing;
  const std::vector<Tier> found = tiers(results, missing);
  for (const Tier& tier : found) add_or_missing(derived, "tier_" + tier.name + "_ns", "ns", tier.ns, "");
  const std::string metric = "tier_order_ratio";
  if (!missing.empty()) return derived.missing(metric, "ratio", missing);
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
  add_or_missing(derived, metric, "ratio", closest, "");
}

}  // namespace perflab::hardware

// Lab 04 — hardware. Question: what do a byte, a FLOP and a message cost on this machine?
//
// Every other lab divides by the answers: its ceilings are the bandwidths per memory level and the arithmetic
// peak found here. Loops run on raw pointers and plain threads; what they do is in kernels.h, one file per
// subject prepares and checks them (bodies.h). Working sets follow this machine's caches (levels.h), so an
// axis says "L2", not "256 KiB".

#include "bodies.h"
#include "device/topology.h"

namespace {

using namespace perflab;
using namespace perflab::hardware;
using Values = std::vector<AxisValue>;

Values threads_of(bool all_steps) {
  Values values;
  const std::vector<int> counts = thread_counts(this_machine());
  for (const int threads : counts)
    if (all_steps || threads == 1 || threads == counts.back()) values.emplace_back(std::int64_t(threads));
  return values;
}
const Values one_and_all = threads_of(false), all_steps = threads_of(true), all{one_and_all.back()};
const Values every_level{"L1", "L2", "L3", "DRAM"};

const std::string& text(const Point& point, std::string_view axis) {
  return std::get<std::string>(value_of(point, axis));
}
bool only_dram_is_not_compute_bound(
    const Point& point) {  // the longest chains on a DRAM-sized array take too long
  return text(point, "level") != "DRAM" || std::get<std::int64_t>(value_of(point, "multiply_adds")) <= 16;
}
bool large_products_by_all(const Point& point) {  // on one thread the largest take longer than they tell
  return std::get<std::int64_t>(value_of(point, "n")) <= 1024 ||
         std::get<std::int64_t>(value_of(point, "threads")) == std::get<std::int64_t>(all.front());
}
bool has_ceiling(const Point& point) {
  const bool compute = text(point, "level") == "compute", fma = text(point, "pattern") == "fma";
  const bool plain = text(point, "stores") == "plain";
  const bool writes = text(point, "pattern") == "copy" || text(point, "pattern") == "triad";
  return compute == fma && (plain || (writes && !compute));
}

PL_LAB("counts")
    .question("How many processors are there, and how much arithmetic can this program really do on them?")
    .axis("threads",
          {.smoke = one_and_all, .quick = one_and_all, .article = all_steps, .reproduce = all_steps})
    .metrics({"physical_count", "sockets_count", "logical_count", "affinity_count", "quota_count",
              "effective_count", "numa_nodes_count", "ddr_generation_count", "nic_line_rate_GBps"})
    .sweep("fma")
    .defines_ceilings()
    .derive(derive_counts)
    .run(counts_body);

PL_LAB("chase")
    .question("How long does one read take when its address comes from the read before it?")
    .axis("level", {.smoke = {"L1", "DRAM"}, .quick = every_level, .article = {}, .reproduce = {}})
    .metrics({"accesses_count", "lines_count"})
    .variants({"sequential", "random"}, "sequential")
    .derive(derive_chase)
    .run(chase_body);

PL_LAB("disk")
    .question("How long does a read from disk take, in order and at random?")
    .axis("file_bytes", {.smoke = {std::int64_t(4) << 20},
                         .quick = {std::int64_t(64) << 20},
                         .article = {},
                         .reproduce = {}})
    .metrics({"direct_count"})
    .variants({"sequential_4KiB", "random_4KiB", "sequential_1MiB"}, "sequential_4KiB")
    .derive(derive_tiers)
    .run(disk_body);

PL_LAB("stream")
    .question("How many bytes per second does each memory level deliver, by access pattern and threads?")
    .axis("level", {.smoke = {"L1", "DRAM"}, .quick = every_level, .article = {}, .reproduce = {}})
    .axis("pattern", {.smoke = {"triad"},
                      .quick = {"copy", "triad", "read", "in_place"},
                      .article = {"copy", "scale", "add", "triad", "read", "in_place"},
                      .reproduce = {"copy", "scale", "add", "triad", "read", "in_place"}})
    .axis("threads", {.smoke = all, .quick = one_and_all, .article = all_steps, .reproduce = all_steps})
    .variants({"plain", "nt"}, "plain")
    .faults({"hot cache called DRAM: a working set that fits L1 is declared and counted as one from DRAM",
             "serial first touch: one thread writes the arrays first, so that their pages lie near it alone"})
    .defines_ceilings()
    .derive(derive_stream)
    .run(stream_body);

PL_LAB("roofline")
    .question("Does a kernel ever beat the lower of peak arithmetic and intensity times bandwidth?")
    .axis("level",
          {.smoke = {"L2"}, .quick = {"L2", "DRAM"}, .article = {}, .reproduce = {"L1", "L2", "L3", "DRAM"}})
    .axis("multiply_adds", {.smoke = {std::int64_t(4)},
                            .quick = {std::int64_t(1), std::int64_t(4), std::int64_t(16), std::int64_t(64)},
                            .article = {},
                            .reproduce = {}})
    .axis("threads", {.smoke = all, .quick = all, .article = {}, .reproduce = {}})
    .only_if(only_dram_is_not_compute_bound)
    .variants({"kernel", "memory", "arithmetic"}, "kernel")
    .defines_ceilings()
    .derive(derive_roofline)
    .run(roofline_body);

PL_LAB("gemm")
    .question("How near do matrix products come to the arithmetic limit, by size and threads?")
    .axis("n", {.smoke = {std::int64_t(64)},
                .quick = pow2(5, 10),
                .article = pow2(5, 12),
                .reproduce = pow2(5, 12)})
    .axis("threads", {.smoke = all, .quick = one_and_all, .article = {}, .reproduce = {}})
    .only_if(large_products_by_all)
    .sweep("product")
    .derive(derive_gemm)
    .run(gemm_body);

PL_LAB("access")
    .question("What does a read cost by its distance from the last one, its alignment and its direction?")
    .axis("stride_bytes", {.smoke = {std::int64_t(64)}, .quick = pow2(3, 12), .article = {}, .reproduce = {}})
    .metrics({"accesses_count", "lines_count"})
    .variants({"forward", "backward", "misaligned"}, "forward")
    .run(access_body);

PL_LAB("wake")
    .question("How long does one thread take to wake another?")
    .metrics({"handshakes_count"})
    .variants({"spin", "atomic_wait", "condvar"}, "spin")
    .derive(derive_wake)
    .run(wake_body);

PL_LAB("ceilings")
    .question("How fast was this machine ever seen to go, per memory level, pattern and thread count?")
    .axis("level", {.smoke = {"L1", "DRAM", "compute"},
                    .quick = {"L1", "L2", "L3", "DRAM", "compute"},
                    .article = {},
                    .reproduce = {}})
    .axis("pattern", {.smoke = {"triad", "fma"},
                      .quick = {"copy", "triad", "read", "in_place", "fma"},
                      .article = {},
                      .reproduce = {}})
    .axis("stores", {.smoke = {"plain"}, .quick = {"plain", "nt"}, .article = {}, .reproduce = {}})
    .axis("threads", {.smoke = all, .quick = one_and_all, .article = all_steps, .reproduce = all_steps})
    .only_if(has_ceiling)
    .sweep("ceiling")
    .defines_ceilings()
    .hidden()
    .run(ceilings_body);

}  // namespace

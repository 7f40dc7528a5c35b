"""What do a byte, a FLOP and a message cost on this machine? Seven charts, each only if the run holds its experiment."""

from plots.style import INK, article_band, ceiling_line, figure, repetitions_and_median

WORDS = {
    "nt": "streaming stores (nt)", "plain": "plain stores",
    "sequential": "in a row", "random": "each from the one before",
    "sequential_4KiB": "4 KiB in a row", "random_4KiB": "4 KiB scattered", "sequential_1MiB": "1 MiB in a row",
    "spin": "spinning", "atomic_wait": "waiting on an atomic", "condvar": "condition variable",
    "kernel": "kernels that only read",
    "backward": "backwards", "forward": "forwards", "misaligned": "over a line's border",
}


def draw(table, out):
    for name, chart in (("stream", bandwidth), ("chase", latency), ("roofline", roofline), ("gemm", products),
                        ("access", access), ("counts", peak), ("wake", wake)):
        part = table.where(experiment=name)
        if part.samples:
            chart(table, part, out)


def bandwidth(table, part, out):
    levels, threads = part.unique("level"), part.unique("threads")
    chart, axes = figure(columns=levels, rows=threads, run=table.run, share_y=True,
                         title="How many bytes per second does each memory level deliver?")
    claim = table.claim("ddr4-20-25-gbs")
    places = ((level, count) for count in threads for level in levels)
    for ax, (level, count) in zip(axes, places):
        repetitions_and_median(ax, part.where(level=level, threads=count), x="pattern", metric="bandwidth", names=WORDS)
        if claim and level == "DRAM":
            article_band(ax, claim["band_lo"], claim["band_hi"], "article: DDR4, " + claim["claimed_text"].replace("-", "–"))
    chart.save(out / "04_bandwidth.svg",
               caption="Bandwidth in counted bytes by access pattern, one panel per memory level and number of threads; "
                       "plain and streaming (nt) stores.")


def latency(table, part, out):
    disk = table.where(experiment="disk")
    chart, axes = figure(columns=2 if disk.samples else 1, run=table.run, share_y=True,
                         title="How long does one read take, from the nearest tier to the farthest?")
    repetitions_and_median(axes[0], part, x="level", names=WORDS, per=(1000, "read"), numbers=True)
    axes[0].set_title("memory: 8 bytes a read")
    if disk.samples:
        files = disk.unique("file_bytes")
        repetitions_and_median(axes[1], disk, x="file_bytes" if len(files) > 1 else None, names=WORDS,
                               per=(1, "read"), numbers=True)
        axes[1].set_title("disk: size and order of the reads")
    chart.save(out / "04_latency.svg",
               caption="Time per read in each memory level (calls of 1,000 reads), and from disk. In a row: the addresses are "
                       "known beforehand; each from the one before: the address comes out of the last read.")


def roofline(table, part, out):
    levels, threads = part.unique("level"), part.unique("threads")
    kernels = part.where(variant=["kernel", "aa"])
    chart, axes = figure(columns=levels, rows=threads, run=table.run, share_y=True,
                         title="Does any kernel rise above the roof of bandwidth and peak arithmetic?")
    places = ((level, count) for count in threads for level in levels)
    for ax, (level, count) in zip(axes, places):
        here = kernels.where(level=level, threads=count)
        # One multiply-add is two FLOPs, on four bytes read.
        repetitions_and_median(ax, here, x="multiply_adds", metric="throughput", x_value=lambda adds: adds / 2, names=WORDS)
        ax.perflab.y_log = True  # a product of intensity and bandwidth is straight only on two logarithmic scales
        ax.set_xlabel("intensity [FLOP per byte]")
        ceiling_line(ax, table, "compute", "fma", count, label="roof: peak arithmetic")
        for pattern, dashes in (("read", (0, (5, 3))), (None, (0, (1, 2)))):
            slope(ax, table, [adds / 2 for adds in here.unique("multiply_adds")], level, pattern, count, dashes)
    chart.save(out / "04_roofline.svg",
               caption="Arithmetic rate of kernels of rising intensity (1 to 64 multiply-adds on every 4 bytes read), under the "
                       "roof of peak arithmetic and bandwidth of their memory level.")


def slope(ax, table, intensities, level, pattern, threads, dashes):
    """Bandwidth times intensity, up to the peak."""
    found, peak_rate = table.ceiling(level, pattern, threads), table.ceiling("compute", "fma", threads)
    bend = peak_rate[0] / found[0] if found and peak_rate else 0
    if bend <= min(intensities):  # nothing of the slope is in sight
        return
    ends = [min(intensities) * 0.8, bend]
    label = f"roof: intensity x {'read' if pattern else 'fastest'} bandwidth"
    line, = ax.plot(ends, [found[0] * end for end in ends], linestyle=dashes, color=INK, linewidth=1.3, label=label)
    line.perflab_role = "ceiling"
    ax.perflab.y.append(found[0] * min(intensities))
    ax.perflab.legend.setdefault(label, line)


def products(table, part, out):
    threads = part.unique("threads")
    chart, axes = figure(columns=threads, run=table.run, share_y=True,
                         title="How near do matrix products come to the arithmetic limit?")
    for ax, count in zip(axes, threads):
        repetitions_and_median(ax, part.where(threads=count), x="n", metric="throughput")
        ax.set_xlabel("n, of n x n matrices")
        ceiling_line(ax, table, "compute", "fma", count, label="multiply-adds without memory")
    chart.save(out / "04_gemm.svg",
               caption="Rate of products of two square f32 matrices by size (oneDNN), against multiply-adds that touch no "
                       "memory.")


def access(table, part, out):
    chart, axes = figure(run=table.run, title="What does a read cost by distance, alignment and direction?")
    repetitions_and_median(axes[0], part, x="stride_bytes", names=WORDS, per=(1000, "read"))
    axes[0].set_xlabel("distance from one read to the next [bytes]")
    chart.save(out / "04_access.svg",
               caption="Time per read of 8 bytes from DRAM (calls of 1,000 independent reads) by the distance between them: "
                       "forwards, backwards, and placed over the border of two cache lines.")


def peak(table, part, out):
    chart, axes = figure(run=table.run, title="How much arithmetic do more threads add?")
    repetitions_and_median(axes[0], part, x="threads", metric="throughput", numbers=True)
    chart.save(out / "04_peak.svg",
               caption="Rate of multiply-adds that touch no memory, by number of threads. " + processors(table.run))


def processors(run):
    """Where more threads stop being more arithmetic: hardware threads share a core's."""
    known = {name: value for name, value, _, _ in run.env if value is not None}
    counts = [(known.get(name), word) for name, word in (("physical_cores", "cores"), ("logical_cpus", "logical CPUs"),
                                                         ("effective_cpus", "usable"))]
    return "This machine: " + ", ".join(f"{count} {word}" for count, word in counts if count) + "."


def wake(table, part, out):
    chart, axes = figure(run=table.run, title="How long does one thread take to wake another and be woken again?")
    repetitions_and_median(axes[0], part, names=WORDS, per=(1, "round trip"), numbers=True)
    axes[0].set_xlabel("how the sleeping thread waits")
    chart.save(out / "04_wake.svg", caption="Time of a round trip between two threads, which is two wake-ups, by way of waiting.")

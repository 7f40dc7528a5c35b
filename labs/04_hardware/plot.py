"""What do a byte, a FLOP and a message cost on this machine? Six charts, each only if the run holds its experiment."""

from plots.style import article_band, ceiling_line, figure, repetitions_and_median


def draw(table, out):
    for name, chart in (("stream", bandwidth), ("chase", latency), ("roofline", roofline), ("access", access),
                        ("fma_peak", peak), ("wake", wake)):
        part = table.where(experiment=name)
        if part.samples:
            chart(table, part, out)


def bandwidth(table, part, out):
    levels, threads = part.unique("level"), part.unique("threads")
    chart, axes = figure(columns=threads, rows=levels, run=table.run,
                         title="How many bytes per second does each memory level deliver?")
    claim = table.claim("ddr4-20-25-gbs")
    places = ((level, count) for level in levels for count in threads)
    for ax, (level, count) in zip(axes, places):
        repetitions_and_median(ax, part.where(level=level, threads=count), x="pattern", metric="bandwidth", by="variant")
        if claim and level == "DRAM":
            article_band(ax, claim["band_lo"], claim["band_hi"], "article: DDR4, " + claim["claimed_text"])
    chart.save(out / "04_bandwidth.svg",
               caption="Bandwidth in counted bytes by access pattern, one panel per memory level and number of threads; "
                       "plain and streaming (nt) stores.")


def latency(table, part, out):
    disk = table.where(experiment="disk")
    chart, axes = figure(columns=2 if disk.samples else 1, run=table.run,
                         title="How long does one read take, from the nearest tier to the farthest?")
    repetitions_and_median(axes[0], part, x="level", metric="finish", by="variant")
    axes[0].set_title("memory: each call makes 1,000 reads")
    if disk.samples:
        repetitions_and_median(axes[1], disk, x="file_bytes", metric="finish", by="variant")
        axes[1].set_title("disk: each call makes one read")
    chart.save(out / "04_latency.svg",
               caption="Time per 1,000 dependent (random) or independent (sequential) reads in each memory level, and per "
                       "read from disk. Microseconds per 1,000 reads are nanoseconds per read.")


def roofline(table, part, out):
    levels = part.unique("level")
    kernels = part.where(variant=["kernel", "aa"])
    chart, axes = figure(columns=levels, run=table.run, share_y=True,
                         title="Does a kernel ever beat the lower of peak arithmetic and intensity times bandwidth?")
    for ax, level in zip(axes, levels):
        here = kernels.where(level=level)
        repetitions_and_median(ax, here, x="multiply_adds", metric="throughput", by="variant")
        ax.perflab.y_log = True  # a product of intensity and bandwidth is straight only on two logarithmic scales
        for threads in here.unique("threads"):
            ceiling_line(ax, table, "compute", "fma", threads, label="peak arithmetic")
            slope(ax, table, here.unique("multiply_adds"), level, "read", threads, (0, (5, 3)))
            slope(ax, table, here.unique("multiply_adds"), level, None, threads, (0, (1, 2)))
        ax.set_xlabel("multiply-adds per element read (2 FLOPs on 4 bytes each)")
    chart.save(out / "04_roofline.svg",
               caption="Arithmetic rate of kernels of rising intensity under the roof of peak arithmetic and bandwidth.")


def slope(ax, table, counts, level, pattern, threads, dashes):
    """Bandwidth times intensity: one multiply-add is two FLOPs on four bytes."""
    found = table.ceiling(level, pattern, threads)
    if found:
        label = f"intensity x {'read' if pattern else 'fastest'} bandwidth"
        line, = ax.plot(counts, [found[0] * count / 2 for count in counts], linestyle=dashes, color="0.3", linewidth=1.1,
                        label=label)
        ax.perflab.legend.setdefault(label, line)


def access(table, part, out):
    chart, axes = figure(run=table.run, title="What does a read cost by distance, alignment and direction?")
    repetitions_and_median(axes[0], part, x="stride_bytes", metric="finish", by="variant")
    axes[0].set_title("DRAM: each call makes 1,000 reads of 8 bytes")
    chart.save(out / "04_access.svg",
               caption="Time per 1,000 independent reads by the distance between them: forwards, backwards, and placed "
                       "over the border of two cache lines. Microseconds per 1,000 reads are nanoseconds per read.")


def peak(table, part, out):
    chart, axes = figure(run=table.run, title="How much arithmetic do more threads add?")
    repetitions_and_median(axes[0], part, x="threads", metric="throughput")
    chart.save(out / "04_peak.svg", caption="Rate of multiply-adds that touch no memory, by number of threads.")


def wake(table, part, out):
    chart, axes = figure(run=table.run, title="How long does one thread take to wake another and be woken again?")
    repetitions_and_median(axes[0], part, metric="finish", by="variant")
    chart.save(out / "04_wake.svg", caption="Time of a round trip between two threads, which is two wake-ups, by way of waiting.")

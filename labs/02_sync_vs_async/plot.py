"""What does asynchrony save, and what does an unsynchronised clock pretend? Each chart only if the run holds its experiment."""

import csv
import re
from pathlib import Path

from matplotlib.lines import Line2D

from plots.colours import ARTICLE, INK, MUTED, PAPER
from plots.style import article_band, derived_rows, figure, limit, repetitions_and_median

QUOTED = "565688d"  # d2l-zh-colab, 2023-08-18
ARTICLE_N = 1000  # of the loop
BOOK_GAIN = (0.91, 4.57)  # what 95 builds print for a wait after each of 10,000 increments over one wait
BOUND = 256  # bound_pending in queue.cpp
WORDS = {
    "sync": "our loop: ten waits over one", "async": "one wait at the end", "async_read": "one value read each step",
    "host_only": "host part alone", "device_only": "device part alone",
    "wait_each": "a wait after each task", "wait_once": "one wait at the end", "no_queue": "no queue: run by the caller",
    "tensor": "through the tensor", "pointer": "pointer, no wait", "pointer_after_wait": "pointer after a wait",
    "wait_all": "wait for both", "wait_current": "wait for the current device",
    "bounded": "bounded queue", "unbounded": "queue without a bound",
    "f64": "float64", "f64_philox": "float64, Philox", "f32": "float32, converted", "f32_philox": "float32, Philox",
    "python_1": "Python, 1 thread", "python_2_threads": "Python, 2 threads", "python_2_processes": "2 processes",
    "numpy_1": "NumPy, 1 thread", "numpy_2_threads": "NumPy, 2 threads", "io_1": "waiting, 1 thread",
    "io_2_threads": "waiting, 2 threads", "cpp": "from C++", "python": "from Python",
}


def draw(table, out):
    for name, chart in (("loop", fifty_times), ("increments", increments), ("host_overlap", overlap), ("queue", queue),
                        ("reads", without_a_wait), ("memory", memory), ("numpy_loop", numpy), ("frontend", frontend),
                        ("python_parallel", python)):
        part = table.where(experiment=name)
        if part.samples:
            chart(table, part, out)


def published(ax, column):
    """The ratio that each published build of the book prints, beside ours; the quoted build as a star."""
    with open(Path(__file__).with_name("published_pairs.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ratios = [float(row[column]) for row in rows]
    place, name = len(ax.perflab.x_values), "published builds"
    ax.perflab.x_values.append(name)
    places = [place + 0.35 * ((index * 0.618) % 1 - 0.5) for index in range(len(ratios))]
    ax.scatter(places, ratios, s=9, color=MUTED, alpha=0.7, linewidths=0, zorder=2).perflab_role = "published"
    quoted = next(index for index, row in enumerate(rows) if row["commit"] == QUOTED)
    look = {"marker": "*", "color": ARTICLE, "linestyle": "", "markersize": 12, "label": "the build that the article quotes"}
    ax.plot([place - 0.28], [ratios[quoted]], zorder=7, **look)
    beside(ax, f"{ratios[quoted]:.3g}", (place - 0.34, ratios[quoted]), ha="right", va="center")
    ax.perflab.legend.setdefault(look["label"], Line2D([], [], **look))
    ax.perflab.y += ratios
    ax.figure.note("Published builds: what 62 builds of the book's notebook print, NumPy over MXNet; one dot each.")


def beside(ax, text, place, **how):
    ax.text(*place, text, fontsize=8.5, fontweight="bold", color=ARTICLE, zorder=7,
            bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 0.8}, **how)


def fifty_times(table, part, out):
    chart, axes = figure(columns=2, run=table.run, panel_height=3.3, title="Does one wait at the end make the loop 50 times faster?")
    claim = table.claim("async-50x-faster")
    part = part.where(n=part.unique("n")[-1:])
    for ax, metric, column, words in ((axes[0], "submit", "numpy_over_submitted_ratio", "clock stopped when the call returned"),
                                      (axes[1], "finish", "numpy_over_finished_ratio", "clock stopped when the work was done")):
        ax.set_title(words)
        ax.set_ylabel("time over that of the asynchronous loop [ratio]")
        repetitions_and_median(ax, part, metric=metric, value="ratio", names=WORDS, numbers=True)
        ax.perflab.y_log = metric == "submit"
        if not ax.perflab.y:
            continue
        published(ax, column)
        derived_rows(ax, table, foreign(table, metric), taken=2)
        if claim and metric == "submit":
            article_band(ax, claim["band_lo"], claim["band_hi"], "the range of the article's edition")
            article_band(ax, claim["claimed"], claim["claimed"], f"article: {claim['claimed']:g} times")
            beside(ax, f"article: {claim['claimed']:g}", (-0.55, claim["claimed"]), ha="left", va="center")
        if metric == "finish":
            finished_range(ax, claim)
            nothing_to_gain(ax, table, part)
    chart.save(out / "02_fifty_times.svg",
               caption="The article's loop with a wait after each step over the same loop with one wait at the end, beside the "
                       "ratios that published builds of the book print. Left, the clock stops when the last call returned (scale "
                       "of powers of ten); right, when the work was done (even scale).")


def foreign(table, metric):
    """Other libraries' loops over our asynchronous one, where the run has derived them."""
    wanted = re.compile(rf"(numpy|torch)\w*_over_async_{metric}_ratio")
    names = dict.fromkeys(row["metric"] for row in table.summary if not row["case_id"] and wanted.fullmatch(row["metric"]))
    words = {"numpy": "NumPy", "torch": "PyTorch", "f32": "float32", "f64": "float64", "philox": "Philox"}
    return [(" ".join(words.get(word, word) for word in name.split("_over_async_")[0].removesuffix("_loop").split("_")), name, None)
            for name in names]


def finished_range(ax, claim):
    """From 0.5 to 3, wider if the data are; the article's number lies outside and is said."""
    top = max([3.0, *ax.perflab.y])
    ax.perflab.y += [0.5, top]
    ax.perflab.margin = 0.03
    if claim and claim["claimed"] > top:
        place = len(ax.perflab.x_values) - 0.55
        ax.annotate("", (place, top), xytext=(place, top - 0.4), arrowprops={"arrowstyle": "->", "color": ARTICLE, "linewidth": 1.6})
        beside(ax, f"article: {claim['claimed']:g}, far above", (place - 0.06, top - 0.12), ha="right", va="center")


def nothing_to_gain(ax, table, part):
    """What one wait can save in our loop: handing over and waking, which the run measured, beside the work."""
    wake, rows = table.derived("t3_notify_ns"), {(row["variant"], row["metric"]): row["median"] for row in part.summary}
    work, hand, waits = rows.get(("async", "finish")), rows.get(("async", "submit")), rows.get(("sync", "waits_count"))
    if wake and None not in (wake["median"], work, hand, waits):
        limit(ax, (hand + work + waits * wake["median"]) / work, "explained by handing over and waking", 0)
        ax.figure.note("Dotted: what handing over and the wake-ups of a spinning waiter explain, each measured apart. One that "
                       "has gone to sleep wakes more slowly, so longer steps may lie a few per cent above.")


def increments(table, part, out):
    chart, axes = figure(run=table.run, title="Which tasks gain from waiting once for all of them?")
    pace = table.derived("t2_per_increment_ns")
    known = pace is not None and pace["median"]
    repetitions_and_median(axes[0], part, x="increments_per_task", value="ratio", per=(1, "batch of tasks"), apart=0.3,
                           names=WORDS | {"wait_each": "a wait each"},
                           x_value=(lambda count: count * pace["median"] / 1000) if known else None)
    axes[0].set_xlabel("length of a task [µs, at the measured time per increment]" if known else "length of a task [increments]")
    if axes[0].perflab.y:
        article_band(axes[0], 1 / BOOK_GAIN[1], 1 / BOOK_GAIN[0], "the book's builds: %g to %g times as fast" % BOOK_GAIN)
    chart.save(out / "02_increments.svg",
               caption="Time of a batch of tasks (as many as the table's tasks_count says) with one wait, and without a queue, over "
                       "the time with a wait after each task, by length of the task.")


def overlap(table, part, out):
    counts = sorted(part.unique("processors"), reverse=True)
    names = WORDS | {"sync": "one thread doing both", "async": "host and device, one wait"}
    chart, axes = figure(columns=counts, run=table.run, share_y=True, title="Does preparing a batch hide behind the device's work?")
    for ax, count in zip(axes, counts):
        here = part.where(processors=count)
        ax.set_ylabel("time over one thread doing both [ratio, below 1: faster]")
        repetitions_and_median(ax, here, x="host_per_device", value="ratio", names=names, per=(1, "batch of steps"), apart=0.45)
        ax.set_title("a processor each" if count == 2 else "both on one processor")
        ax.set_xlabel("host work per device work [ratio]")
        if ax.perflab.y and count == 1:
            limit(ax, 1, "bound: the longer part over the sum of both")
        elif ax.perflab.y:
            longer_over_sum(ax, here)
    chart.save(out / "02_overlap.svg",
               caption="Time of a batch of steps of host and device work over the time of a caller that does both itself, without "
                       "a queue and without waits, by the ratio of the two parts. No overlap of the two gets below the bound, "
                       "which follows from the parts measured alone.")


def longer_over_sum(ax, part):
    """The bound of every ratio, from the two parts measured alone."""
    alone = {(row["host_per_device"] if "host_per_device" in row else row["p_host_per_device"], row["variant"]): row["median"]
             for row in part.summary if row["metric"] == "finish" and row["variant"] in ("host_only", "device_only")}
    bound = {}
    for ratio in part.unique("host_per_device"):
        parts = [alone.get((ratio, variant)) for variant in ("host_only", "device_only")]
        if all(parts):
            bound[ratio] = max(parts) / sum(parts)
    if not bound:
        return
    label = "bound: the longer part over the sum of both"
    look = {"color": INK, "linestyle": (0, (1, 2)), "linewidth": 1.6, "marker": "_", "markersize": 16, "label": label}
    ax.plot(list(bound), list(bound.values()), zorder=4, **look)[0].perflab_role = "limit"
    ax.perflab.y += bound.values()
    ax.perflab.legend.setdefault(label, Line2D([], [], **(look | {"marker": ""})))


def queue(table, part, out):
    chart, axes = figure(columns=2, run=table.run, share_y=True, title="Until when does handing a task to a queue take no time?")
    for ax, metric, words in ((axes[0], "submit", "until the last call returned"), (axes[1], "finish", "until the work was done")):
        repetitions_and_median(ax, part, x="depth", metric=metric, names=WORDS, per=(1, "batch of tasks"), apart=0.3)
        ax.set_title(words)
        ax.set_xlabel("tasks handed over at once")
        if not ax.perflab.y:
            continue
        ax.set_ylabel(f"time {words} [{ax.perflab.unit}]")
        label = f"bound of the bounded queue: {BOUND} tasks"
        look = {"color": INK, "linestyle": (0, (1, 2)), "linewidth": 1.3}
        ax.axvline(BOUND, zorder=1.5, **look).perflab_role = "bound"
        ax.perflab.legend.setdefault(label, Line2D([], [], label=label, **look))
    chart.save(out / "02_queue.svg",
               caption="Time to hand tasks of about a microsecond to a queue, and until they are done, by their number.")


def without_a_wait(table, part, out):
    drained = table.where(experiment="drain")
    chart, axes = figure(columns=2 if drained.samples else 1, run=table.run, title="What goes wrong without a wait?")
    repetitions_and_median(axes[0], part, metric="mismatches_count", names=WORDS, numbers=True)
    axes[0].set_title("wrong values in 1,000 reads")
    axes[0].set_ylabel("wrong values [count]")
    if drained.samples:
        repetitions_and_median(axes[1], drained, metric="pending_other_count", names=WORDS, numbers=True)
        axes[1].set_title("work left on the other device")
        axes[1].set_ylabel("tasks not done after the wait [count]")
    chart.save(out / "02_without_a_wait.svg",
               caption="Wrong values in 1,000 reads of a buffer that the device rewrites, by the way of reading; pieces of work left "
                       "on another device when a wait returns.")


def memory(table, part, out):
    chart, axes = figure(columns=2, run=table.run, title="What does a queue without a bound cost in memory?")
    names = WORDS | {"wait_each": "a wait after each batch"}
    repetitions_and_median(axes[0], part, metric="held_bytes", names=names, numbers=True)
    axes[0].set_title("memory held by batches")
    axes[0].set_ylabel(f"most held at once [{axes[0].perflab.unit or 'bytes'}]")
    repetitions_and_median(axes[1], part, metric="longest_queue_count", names=names, numbers=True)
    axes[1].set_title("longest queue")
    axes[1].set_ylabel("batches waiting [count]")
    chart.save(out / "02_memory.svg", caption="Most bytes held by batches that wait in the queue, and the longest queue, by its bound.")


def numpy(table, part, out):
    threads = part.unique("blas_threads")
    part = part.where(n=part.unique("n")[-1:])
    chart, axes = figure(columns=3, rows=len(threads), run=table.run, panel_height=3.0, title="Where does NumPy's time go: random numbers or products?")
    places = ((count, metric) for count in threads for metric in ("child_s", "rng_s", "matmul_s"))
    titles = {"child_s": "whole loop", "rng_s": "random numbers", "matmul_s": "products"}
    for ax, (count, metric) in zip(axes, places):
        repetitions_and_median(ax, part.where(blas_threads=count), metric=metric, names=WORDS, numbers=True)
        ax.set_title(titles[metric] + (", 1 BLAS thread" if count == 1 else ""))
        ax.set_ylabel("time inside the process [s]")
        if metric == "child_s" and part.unique("n") == [ARTICLE_N] and ax.perflab.y:
            seconds = quoted_seconds()
            article_band(ax, seconds["numpy_s"], seconds["numpy_s"], f"article's build: NumPy {seconds['numpy_s']:.3f} s")
            limit(ax, seconds["finished_s"], f"the same build: MXNet, finished, {seconds['finished_s']:.2f} s")
    chart.save(out / "02_numpy.svg",
               caption="Ten rounds of a normal matrix and its product in NumPy, by data type and generator: whole, random numbers, products.")


def quoted_seconds():
    with open(Path(__file__).with_name("published_pairs.csv"), encoding="utf-8", newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["commit"] == QUOTED)
    return {key: float(row[key]) for key in ("numpy_s", "finished_s")}


def frontend(table, part, out):
    ops, sizes = part.unique("op"), part.unique("elements")
    title = "Is an operation from Python slower than the same from C++?"
    if len(sizes) <= 3:  # a panel per size: each has its own scale, no mark on another
        chart, axes = figure(columns=sizes, rows=ops, run=table.run, title=title)
        for ax, (op, size) in zip(axes, ((op, size) for op in ops for size in sizes)):
            repetitions_and_median(ax, part.where(op=op, elements=size), metric="per_operation_ns", names=WORDS, numbers=True)
            ax.set_title(f"{op}, {size:,} element{'s' if size > 1 else ''}".replace(",", "\u2009").replace("\u2009 ", ", "))
            if ax.perflab.y:
                ax.set_ylabel(f"time per operation [{ax.perflab.unit}]")
    else:
        chart, axes = figure(columns=ops, run=table.run, share_y=True, title=title)
        for ax, op in zip(axes, ops):
            repetitions_and_median(ax, part.where(op=op), x="elements", metric="per_operation_ns", names=WORDS, apart=0.4)
            if ax.perflab.y:
                ax.set_ylabel(f"time per operation [{ax.perflab.unit}]")
    chart.save(out / "02_frontend.svg", caption="Time per PyTorch operation issued from Python and from C++, by its size.")


def python(table, part, out):
    gains = [("Python, 2 threads", "python_threads2_speedup_ratio", ("python_1", "python_2_threads", "child_s")),
             ("Python, 2 processes", "python_processes2_speedup_ratio", ("python_1", "python_2_processes", "child_s")),
             ("NumPy, 2 threads", "numpy_threads2_speedup_ratio", ("numpy_1", "numpy_2_threads", "child_s")),
             ("waiting, 2 threads", "io_threads2_speedup_ratio", ("io_1", "io_2_threads", "child_s"))]
    chart, axes = figure(run=table.run, title="What do two threads or processes of Python gain, by what they do?")
    ax = axes[0]
    if derived_rows(ax, part, gains):
        ax.set_ylabel("time of one over time of two, same work [ratio]")
        limit(ax, 2, "two at once: at most twice as fast")
        ax.axhline(1, color=MUTED, linewidth=1.2, zorder=1.5)
        ax.perflab.y += [0.9]
    else:
        ax.set_ylabel("time inside the process [s]")
        repetitions_and_median(ax, part, metric="child_s", names=WORDS, numbers=True)
    chart.save(out / "02_python.svg",
               caption="Time in one thread over time in two threads or two processes, for the same amount of work: pure Python, "
                       "NumPy's kernels, waiting.")

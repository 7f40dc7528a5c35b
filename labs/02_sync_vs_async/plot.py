"""What does asynchrony save, and what does an unsynchronised clock pretend? Each chart only if the run holds its experiment."""

import csv
from pathlib import Path

from matplotlib.lines import Line2D

from plots.colours import ARTICLE, INK, MUTED
from plots.style import article_band, figure, repetitions_and_median

QUOTED = "565688d"  # d2l-zh-colab, 2023-08-18
WORDS = {
    "sync": "our engine: a wait each step over one wait", "async": "one wait at the end", "async_read": "one value read each step",
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


def limit(ax, ratio, label):
    """A line that no overlap of two resources can cross."""
    ax.axhline(ratio, color=INK, linestyle=(0, (1, 2)), linewidth=1.3, zorder=2.5).perflab_role = "limit"
    ax.perflab.y.append(ratio)
    ax.perflab.legend.setdefault(label, Line2D([], [], color=INK, linestyle=(0, (1, 2)), linewidth=1.3, label=label))


def published(ax, column):
    """The ratio that each published build of the book prints, beside ours."""
    with open(Path(__file__).with_name("published_pairs.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ratios = [float(row[column]) for row in rows]
    place, name = len(ax.perflab.x_values), "published builds"
    ax.perflab.x_values.append(name)
    places = [place + 0.35 * ((index * 0.618) % 1 - 0.5) for index in range(len(ratios))]
    ax.scatter(places, ratios, s=9, color=MUTED, alpha=0.7, linewidths=0, zorder=2).perflab_role = "published"
    quoted = next(index for index, row in enumerate(rows) if row["commit"] == QUOTED)
    look = {"marker": "*", "color": ARTICLE, "linestyle": "", "markersize": 12, "label": "the build that the article quotes"}
    ax.plot([places[quoted]], [ratios[quoted]], zorder=7, **look)
    ax.perflab.legend.setdefault(look["label"], Line2D([], [], **look))
    ax.perflab.y += ratios
    ax.figure.note("Published builds: what 62 builds of the book's notebook print, NumPy over MXNet; one dot each.")


def fifty_times(table, part, out):
    chart, axes = figure(columns=2, run=table.run, share_y=True, title="Does one wait at the end make the loop 50 times faster?")
    claim = table.claim("async-50x-faster")
    for ax, metric, column, words in ((axes[0], "submit", "numpy_over_submitted_ratio", "clock stopped when the call returned"),
                                      (axes[1], "finish", "numpy_over_finished_ratio", "clock stopped when the work was done")):
        ax.set_title(words)
        ax.set_ylabel("time over time of the asynchronous loop [ratio]")
        repetitions_and_median(ax, part, metric=metric, value="ratio", names=WORDS, numbers=True)
        ax.perflab.y_log = True
        if not ax.perflab.y:
            continue
        published(ax, column)
        if claim:
            article_band(ax, claim["band_lo"], claim["band_hi"], "article: nearly 50 times, and its builds")
        limit(ax, 2, "limit of overlap: two resources")
    chart.save(out / "02_fifty_times.svg",
               caption="The article's loop with a wait after each step over the same loop with one wait at the end, by the moment "
                       "at which the clock is stopped, beside the ratios that published builds of the book print.")


def increments(table, part, out):
    chart, axes = figure(run=table.run, title="Which tasks gain from waiting once for all of them?")
    repetitions_and_median(axes[0], part, x="increments_per_task", value="ratio", names=WORDS)
    axes[0].set_xlabel("length of a task [increments of about 3 ns]")
    chart.save(out / "02_increments.svg",
               caption="Time of many tasks with one wait, and without a queue, over the time with a wait after each, by length of the task.")


def overlap(table, part, out):
    counts = part.unique("processors")
    chart, axes = figure(columns=counts, run=table.run, share_y=True, title="Does preparing a batch hide behind the device's work?")
    for ax, count in zip(axes, counts):
        here = part.where(processors=count)
        repetitions_and_median(ax, here, x="host_per_device", value="ratio", names=WORDS)
        ax.set_title("a processor each" if count == 2 else "both on one processor")
        ax.set_xlabel("host work per device work [ratio]")
        if ax.perflab.y:
            limit(ax, 0.5, "limit of overlap: two resources")
    chart.save(out / "02_overlap.svg",
               caption="Time of steps of host and device work over the time with a wait after each step, by the ratio of the two.")


def queue(table, part, out):
    chart, axes = figure(columns=2, run=table.run, share_y=True, title="Until when does handing a task to a queue take no time?")
    for ax, metric, words in ((axes[0], "submit", "until the last call returned"), (axes[1], "finish", "until the work was done")):
        repetitions_and_median(ax, part, x="depth", metric=metric, names=WORDS, per=(1, "batch of tasks"))
        ax.set_title(words)
        ax.set_xlabel("tasks handed over at once")
    chart.save(out / "02_queue.svg",
               caption="Time to hand tasks of about a microsecond to a queue, and until they are done, by their number.")


def without_a_wait(table, part, out):
    drained = table.where(experiment="drain")
    chart, axes = figure(columns=2 if drained.samples else 1, run=table.run, title="What goes wrong without a wait?")
    repetitions_and_median(axes[0], part, metric="mismatches_count", names=WORDS, numbers=True)
    axes[0].set_title("wrong values in 1,000 reads")
    if drained.samples:
        repetitions_and_median(axes[1], drained, metric="pending_other_count", names=WORDS, numbers=True)
        axes[1].set_title("work left on the other device")
    chart.save(out / "02_without_a_wait.svg",
               caption="Wrong values in 1,000 reads of a buffer that the device rewrites, by the way of reading; pieces of work left "
                       "on another device when a wait returns.")


def memory(table, part, out):
    chart, axes = figure(columns=2, run=table.run, title="What does a queue without a bound cost in memory?")
    repetitions_and_median(axes[0], part, metric="held_bytes", names=WORDS, numbers=True)
    repetitions_and_median(axes[1], part, metric="longest_queue_count", names=WORDS, numbers=True)
    chart.save(out / "02_memory.svg", caption="Most bytes held by batches that wait in the queue, and the longest queue, by its bound.")


def numpy(table, part, out):
    threads = part.unique("blas_threads")
    chart, axes = figure(columns=3, rows=len(threads), run=table.run, title="Where does NumPy's time go: random numbers or products?")
    places = ((count, metric) for count in threads for metric in ("child_s", "rng_s", "matmul_s"))
    titles = {"child_s": "whole loop", "rng_s": "random numbers", "matmul_s": "products"}
    for ax, (count, metric) in zip(axes, places):
        repetitions_and_median(ax, part.where(blas_threads=count), metric=metric, names=WORDS, numbers=True)
        ax.set_title(titles[metric] + (", 1 BLAS thread" if count == 1 else ""))
        ax.set_ylabel("time inside the process [s]")
    chart.save(out / "02_numpy.svg",
               caption="Ten rounds of a normal matrix and its product in NumPy, by data type and generator: whole, random numbers, products.")


def frontend(table, part, out):
    ops = part.unique("op")
    chart, axes = figure(columns=ops, run=table.run, share_y=True, title="Is an operation from Python slower than the same from C++?")
    for ax, op in zip(axes, ops):
        repetitions_and_median(ax, part.where(op=op), x="elements", metric="per_operation_ns", names=WORDS, numbers=len(ops) == 1)
    chart.save(out / "02_frontend.svg", caption="Time per PyTorch operation issued from Python and from C++, by its size.")


def python(table, part, out):
    chart, axes = figure(run=table.run, title="What do two threads or processes of Python gain, by what they do?")
    axes[0].set_ylabel("time of the same work inside the process [s]")
    repetitions_and_median(axes[0], part, metric="child_s", names=WORDS, numbers=True)
    chart.save(out / "02_python.svg",
               caption="Time of the same amount of work in one thread, two threads or two processes: pure Python, NumPy's kernels, waiting.")

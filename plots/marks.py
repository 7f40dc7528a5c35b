"""Marks: repetitions with their median and interval, the baseline, the ceilings of single numbers."""

import math

from matplotlib.lines import Line2D

from plots import axes as _axes
from plots.colours import BASELINE, INK, MUTED, PAPER, series_marks
from plots.derived import MARKS
from plots.lines import CEILING
from plots.points import PlotError, RATES, baseline_of, groups
from plots.units import UNIT_WORDS, axis_words, byte_scale, metric_words, time_scale, value_text
from plots.words import figure as number_text, metric_name

MANY_POINTS = 1200  # beyond this the dots of one axes become a picture inside the SVG
_GOLDEN = 0.6180339887


def repetitions_and_median(
    ax,
    part,
    *,
    x=None,
    metric="finish",
    value="median",
    by="variant",
    baseline=None,
    line=None,
    names=None,
    per=(1, "call"),
    x_value=None,
    numbers=False,
    colours_from=None,
    apart=0.0,
):
    """Every valid repetition as a dot, the median with its interval on top, one colour and marker per value
    of `by`.

    metric: submit, finish, verified, proc_cpu, bandwidth, throughput or a declared one. value="ratio"
    draws this over the baseline, with the A/A copy's interval as a grey band. Lines join medians only
    where x is an ordered number. names: words for values of `by` or x; per=(1000, "read"): times are
    divided by what a call does; x_value: a function of x that is plotted instead; numbers: medians are
    written beside their marks; colours_from: where several experiments share the axes, how many colours those
    before have used; each series then stands in the legend; apart: which part of the room between two x
    values the joined series take side by side, where their marks would lie on each other.
    """
    if value not in ("median", "ratio"):
        raise PlotError(f"value={value!r}; want 'median' or 'ratio'")
    baseline = baseline or (baseline_of(part) if by == "variant" else None)
    found = groups(part, x, metric, value, by, baseline)
    if not found:
        return no_valid_samples(ax, part, metric)
    x_value = x_value or (lambda at: at)
    found = {name: {x_value(at): group for at, group in places.items()} for name, places in found.items()}
    ax.perflab.x_names |= names or {}
    x_axis, series = (
        (x, found)
        if x
        else (None, {name: {str(name): group for group in places.values()} for name, places in found.items()})
    )
    where = _axes.x_positions(
        ax,
        [v for v in (map(x_value, part.unique(x)) if x else series) if any(v in p for p in series.values())],
        x_axis,
    )
    _units(ax, part, metric, value, found, (names or {}).get(baseline, baseline), per)
    experiments = sorted({row["experiment"] for row in part.summary + part.samples})
    declared = part.whole.where(experiment=experiments).unique(
        by
    )  # so that a series has one colour in every panel
    marks = series_marks(declared, baseline if len(found) > 1 else None, colours_from or 0)
    move = _axes.spread(ax)
    shown = [name for name in series if not (value == "ratio" and name == baseline and by == "variant")]
    joined = ax.perflab.numeric_x and line is not False and len(where) > 1
    dots = sum(len(group.repetitions) for name in shown for group in series[name].values())
    for index, name in enumerate(shown):
        lane = (index + 0.5) / len(shown) - 0.5 if x else 0.0
        lane *= apart if joined else 1
        width = 0.5 * (apart or 1) / (1 if (joined and not apart) or not x else len(shown))
        _series(ax, series[name], where, move, (lane, width), marks[name], joined, dots > MANY_POINTS)
        if x and (len(found) > 1 or colours_from is not None):  # without x the names stand on the axis
            label = (names or {}).get(name) or _label(name, by)
            ax.perflab.legend.setdefault(label, _handle(label, marks[name]))
        if numbers:
            ax.perflab.margin = 0.2
            _numbers(ax, series[name], where, move, lane, per[0])
    if value == "ratio":
        _baseline_line(ax, found, where, move, (names or {}).get(baseline, baseline))
    elif metric in RATES:
        _row_ceilings(ax, series, where, move, shown, joined or not x)
    ax.figure.note(MARKS)


def no_valid_samples(ax, part=None, metric=""):
    """Says so in words, with the reason if the run knows one: an empty axis reads as zero."""
    judged = [row for row in (part.summary if part else []) if row["median"] is None]  # says more than the case's row
    rows = judged or (part.cases if part else [])
    reasons = sorted({metric_name(row["status_reason"]) for row in rows if row.get("status_reason")})
    text = "no valid samples" + (f"\n({', '.join(reasons)})" if reasons else "")
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center", color=MUTED, fontsize=9)
    ax.set_xticks([])
    ax.grid(False)
    ax.tick_params(axis="y", which="both", left=False, labelleft=False)  # ticks may be shared: not removed
    ax.perflab.metric = metric


def _series(ax, places, where, move, lane, mark, joined, picture):
    (center, width), (colour, marker), scale = lane, mark, ax.perflab.y_scale
    dots_x, dots_y = [], []
    for value, group in places.items():
        for index, y in enumerate(group.repetitions):
            dots_x.append(move(where[value], center + width * ((index * _GOLDEN) % 1 - 0.5)))
            dots_y.append(y / scale)
    cloud = ax.scatter(
        dots_x, dots_y, s=8, color=colour, alpha=_alpha(places), linewidths=0, zorder=2, rasterized=picture
    )
    cloud.perflab_role = "repetitions"
    ax.perflab.y += dots_y

    rows = [(move(where[value], center), group.row) for value, group in places.items() if group.row]
    keys = ("ratio", "ratio_ci_lo", "ratio_ci_hi") if ax.perflab.ratio else ("median", "ci_lo", "ci_hi")
    medians = sorted(
        (x, *(row[key] / scale if row[key] is not None else None for key in keys), row["status"] == "noisy")
        for x, row in rows
    )
    if joined and len(medians) > 1:
        ax.plot(
            [m[0] for m in medians], [m[1] for m in medians], color=colour, linewidth=1.2, alpha=0.9, zorder=3
        )
    for x, y, lo, hi, noisy in medians:
        if lo is not None and hi is not None:
            bar = ax.errorbar(
                x,
                y,
                yerr=[[max(y - lo, 0)], [max(hi - y, 0)]],
                color=colour,
                linewidth=1.5,
                capsize=5,
                capthick=1.5,
                zorder=6,
            )
            bar.lines[2][0].perflab_role = "interval"
            ax.perflab.y += [lo, hi]
        ax.plot(
            [x],
            [y],
            marker=marker,
            color=colour,
            markersize=5.5,
            markeredgewidth=1.0,
            linestyle="",
            zorder=5,
            markeredgecolor=colour if noisy else PAPER,
            markerfacecolor=PAPER if noisy else colour,
        )
        ax.perflab.y.append(y)


def _alpha(places):
    """Fainter where hundreds of dots lie on one place, so that the interval stays visible."""
    longest = max((len(group.repetitions) for group in places.values()), default=0)
    return min(0.55, max(0.1, 16 / max(longest, 1)))


def _units(ax, part, metric, value, found, baseline, per):
    """Unit, scale and y label. Times take one unit for all panels of an experiment."""
    state = ax.perflab
    state.metric, state.ratio = metric, value == "ratio"
    rows = [group.row for places in found.values() for group in places.values() if group.row]
    lo = "ratio_ci_lo" if state.ratio else "ci_lo"
    state.interval_known = any(row[lo] is not None and row[lo] != "" for row in rows)
    unit = rows[0]["unit"] if rows else axis_words(metric)[1] or ("GBps" if metric == "bandwidth" else "ns")
    words = metric_words(metric)[0]
    if state.ratio:
        good = "above" if metric in RATES else "below"
        words = words.replace("call", per[1])
        state.unit, label = "ratio", f"{words} over {baseline} [ratio, {good} 1: faster]"
    else:
        state.unit = UNIT_WORDS.get(unit, unit)
        state.ceiling_known = any(row["ceiling"] for row in rows)  # of what this panel draws
        if unit == "ns":
            state.time = _shared_time(ax) or time_scale(_typical(part, metric, found) / per[0])
            state.y_scale, state.unit = state.time[0] * per[0], state.time[1]
            words = words.replace("call", per[1])
        elif unit == "bytes":
            state.y_scale, state.unit = byte_scale(max(row["median"] for row in rows)) if rows else (1, "bytes")
        label = f"{words} [{state.unit}]"
    if not ax.get_ylabel():
        ax.set_ylabel(label)


def _shared_time(ax):
    """The unit that panels with the same y axis have taken already."""
    shared = ax.get_shared_y_axes()
    return next((p.perflab.time for p in ax.figure.panels if p.perflab.time and shared.joined(ax, p)), None)


def _numbers(ax, places, where, move, lane, per):
    """The medians in figures, above everything drawn at their place; on the left of several, below it."""
    for value, group in places.items():
        if group.row:
            unit = "ratio" if ax.perflab.ratio else group.row["unit"]
            median = group.row["ratio" if ax.perflab.ratio else "median"]
            below = lane < 0
            end = ("ratio_" if ax.perflab.ratio else "") + ("ci_lo" if below else "ci_hi")
            edges = [median, group.row[end] or median, *group.repetitions]
            edge = (min(edges) if below else max(edges)) / ax.perflab.y_scale
            ax.annotate(
                number_text(median / (per if unit == "ns" else 1), unit),
                (move(where[value], lane), edge),
                xytext=(0, -5 if below else 5),
                textcoords="offset points",
                ha="center",
                va="top" if below else "bottom",
                fontsize=8,
                color=INK,
                bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.75, "pad": 0.5},
                zorder=5.5,
                annotation_clip=False,
            )


def _typical(part, metric, found):
    experiments = {row.get("experiment") for row in part.summary}
    medians = [
        row["median"]
        for row in part.whole.summary
        if row["metric"] == metric and row.get("experiment") in experiments and row["median"]
    ]
    medians = medians or [
        y for places in found.values() for group in places.values() for y in group.repetitions
    ]
    return math.exp(sum(math.log(m) for m in medians if m > 0) / max(1, len(medians)))


def _baseline_line(ax, found, where, move, baseline):
    ax.axhline(1, color=BASELINE, linewidth=1.2, zorder=1.5)
    ax.perflab.y.append(1.0)
    label = f"{baseline} (baseline)"
    ax.perflab.legend.setdefault(label, Line2D([], [], color=BASELINE, linewidth=1.2, label=label))
    for value in where:
        row = next(
            (places[value].row for places in found.values() if value in places and places[value].row), None
        )
        if row and row.get("aa_ci_lo") is not None and row.get("aa_ci_hi") is not None:
            edges = [move(where[value], side) for side in (-0.45, 0.45)]
            ax.fill_between(
                edges, row["aa_ci_lo"], row["aa_ci_hi"], color=BASELINE, alpha=0.25, linewidth=0, zorder=1
            )
            ax.perflab.y += [row["aa_ci_lo"], row["aa_ci_hi"]]
            ax.figure.note("Grey band: the baseline against its own copy, the noise of this machine.")


def _row_ceilings(ax, series, where, move, names, centered):
    """A short dash per place at the ceiling that its own summary row names."""
    for index, name in enumerate(names):
        lane = 0.0 if centered else (index + 0.5) / len(names) - 0.5
        width = 0.42 if centered else 0.45 / len(names)
        for value, group in series[name].items():
            rate = group.row.get("ceiling") if group.row else None
            if not rate:
                continue
            ends = [move(where[value], lane + side * width) for side in (-1, 1)]
            (dash,) = ax.plot(ends, [rate, rate], color=INK, linewidth=1.3, zorder=3.5, solid_capstyle="butt")
            dash.perflab_role = "ceiling"
            ax.perflab.y.append(rate)
            ax.perflab.legend.setdefault(
                "measured ceiling", Line2D([], [], color=INK, linewidth=1.3, label="measured ceiling")
            )
            ax.figure.note(CEILING)


def _label(name, by):
    return name if isinstance(name, str) else f"{axis_words(by)[0]} {value_text(name, by)}"


def _handle(label, mark):
    colour, marker = mark
    return Line2D([], [], color=colour, marker=marker, linestyle="", markersize=6, label=label)

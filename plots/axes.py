"""Axes: scales, ticks and units that a reader understands, decided from what was drawn. Scaling is by powers
of ten only."""

import math
import textwrap

from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
)

from plots.units import axis_words, value_text


class State:
    """What has been drawn on one axes so far."""

    def __init__(self):
        self.metric = self.unit = self.x_axis = ""
        self.y_scale = 1.0  # divide by this before drawing
        self.y = []  # every drawn position, scaled
        self.x_values = []  # numbers in ascending order, or words
        self.x_names = {}  # what the reader is told instead of a word
        self.time = None  # (divisor, unit) of the times drawn
        self.numeric_x = False
        self.ratio = False
        self.interval_known = False  # a number in this panel has an interval; six disturbed blocks may have none
        self.ceiling_known = False  # a number in this panel has a measured ceiling
        self.legend = {}  # label -> handle
        self.margin = 0.07  # of the y range, above and below the data
        self.y_log = None  # None: decided by the range


def prepare(ax):
    ax.perflab = State()
    ax.grid(False, axis="x")


def x_positions(ax, values, axis):
    """Remembers the x values; numbers stay themselves, words become 0, 1, 2 ..."""
    state = ax.perflab
    state.x_axis = axis or ""
    merged = list(dict.fromkeys(state.x_values + list(values)))
    state.numeric_x = bool(axis) and all(isinstance(value, (int, float)) for value in merged)
    state.x_values = sorted(merged) if state.numeric_x else merged
    if state.numeric_x:
        return {value: float(value) for value in values}
    return {value: float(state.x_values.index(value)) for value in values}


def is_log(values):
    return len(values) > 2 and min(values) > 0 and max(values) / min(values) >= 16


def spread(ax):
    """The room around one x value for its series: (how to place x + part of the room). Room is 0.7 of the
    smallest gap."""
    state = ax.perflab
    values = (
        [float(value) for value in state.x_values]
        if state.numeric_x
        else list(map(float, range(len(state.x_values))))
    )
    if state.numeric_x and is_log(values):
        gap = min((math.log(b / a) for a, b in zip(values, values[1:])), default=0.5)
        return lambda x, part: x * math.exp(0.7 * gap * part)
    gap = min((b - a for a, b in zip(values, values[1:])), default=1.0)
    return lambda x, part: x + 0.7 * gap * part


def agree(panels, share_y):
    """Panels of one measure take the same kind of scale; with share_y also the same range."""
    drawn = [ax.perflab for ax in panels if ax.perflab.y]
    if share_y:
        together = [y for state in drawn for y in state.y]
        for state in drawn:
            state.y, state.margin = together, max(other.margin for other in drawn)
    logs = {(state.unit, state.ratio) for state in drawn if state.y_log is None and _wants_log(state)}
    for state in drawn:
        if state.y_log is None and (state.unit, state.ratio) in logs and min(state.y) > 0:
            state.y_log = True


def finish(ax):
    """Scales, ticks and labels from what was drawn; what plot.py set by hand stays."""
    state = ax.perflab
    if not state.y:
        return
    if len(ax.get_ylabel()) > 34 and "\n" not in ax.get_ylabel():
        ax.set_ylabel(ax.get_ylabel().replace(" [", "\n["))
    _finish_x(ax, state)
    _finish_y(ax, state)


def _finish_x(ax, state):
    words, unit = axis_words(state.x_axis)
    if not ax.get_xlabel() and words:
        ax.set_xlabel(f"{words} [{unit}]" if unit else words)
    values = state.x_values
    if not state.numeric_x:
        ax.set_xlim(-0.6, max(len(values) - 0.4, 0.6))
        ax.tick_params(axis="x", length=0)
        return
    numbers = [float(value) for value in values]
    if is_log(numbers):
        ax.set_xscale("log", base=2 if all(math.log2(v).is_integer() for v in numbers) else 10)
        gap = min(b / a for a, b in zip(numbers, numbers[1:]))
        margin = max((numbers[-1] / numbers[0]) ** 0.06, gap**0.3)
        ax.set_xlim(numbers[0] / margin, numbers[-1] * margin)
    elif len(numbers) > 1:
        margin = max(
            0.06 * (numbers[-1] - numbers[0]), 0.5 * min(b - a for a, b in zip(numbers, numbers[1:]))
        )
        ax.set_xlim(numbers[0] - margin, numbers[-1] + margin)
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: value_text(value, state.x_axis)))
    if len(values) > 4:
        ax.tick_params(axis="x", labelsize=7.5)


def fit_x(ax, width_in):
    """Labels of the x axis for a panel this wide: words wrap, then lean; numbers leave some out."""
    state = ax.perflab
    if not state.y:
        return
    letter = 0.075
    if not state.numeric_x:
        room = int(width_in / (len(state.x_values) + 0.2) / letter)
        names = [state.x_names.get(value) or value_text(value, state.x_axis) for value in state.x_values]
        lines = [textwrap.wrap(name, max(room, 1), break_long_words=False) for name in names]
        leaning = any(len(line) > room for name in lines for line in name)
        texts = names if leaning else ["\n".join(name) for name in lines]
        ax.set_xticks(
            range(len(texts)), texts, rotation=35 if leaning else 0, ha="right" if leaning else "center"
        )
        return
    numbers = [float(value) for value in state.x_values]
    scale = math.log if ax.get_xscale() == "log" else float
    left, right = (scale(edge) for edge in ax.get_xlim())

    def apart(one, other):
        needed = (len(value_text(one, state.x_axis)) + len(value_text(other, state.x_axis))) / 2 * letter + 0.05
        return (scale(other) - scale(one)) / (right - left) * width_in >= needed

    step = next(
        (
            step
            for step in range(1, len(numbers))
            if all(apart(a, b) for a, b in zip(numbers[::step], numbers[step::step]))
        ),
        max(1, len(numbers)),
    )
    ax.xaxis.set_major_locator(FixedLocator(numbers[::step]))


def _wants_log(state):
    low, high = min(state.y), max(state.y)
    return low > 0 and high / low >= (4 if state.ratio else 12)


def _finish_y(ax, state):
    low, high = min(state.y), max(state.y)
    if state.y_log if state.y_log is not None else _wants_log(state):
        margin = max(high / low, 1.05) ** state.margin
        ax.set_yscale("log")
        ax.set_ylim(low / margin, high * margin)
        if high / low < 4:
            ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
        else:
            few = high / low < 500
            ax.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5) if few else (1,), numticks=20))
        ax.yaxis.set_minor_locator(LogLocator(base=10, subs=range(2, 10), numticks=20))
        ax.yaxis.set_minor_formatter(NullFormatter())
    else:
        span = high - low if state.ratio or low < 0 else high  # of what the axis will show
        room = state.margin * (span or abs(high) or 1)
        floor = -0.4 * room if low < 0.4 * room else 0  # a mark at zero is not cut by the axis
        ax.set_ylim(low - room if state.ratio or low < 0 else floor, high + room)
        counts = state.unit == "count"
        steps = [1, 2, 5, 10] if counts else [1, 2, 2.5, 5, 10]
        ax.yaxis.set_major_locator(MaxNLocator(6, steps=steps, integer=counts))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}".replace(",", "\u2009")))


def legend_handles(panels):
    """Each label once, in the order of first appearance over all panels."""
    found = {}
    for ax in panels:
        for label, handle in ax.perflab.legend.items():
            found.setdefault(label, handle)
    return list(found.values())


def legend_columns(handles, width_in):
    """As many entries a row as fit; widths estimated from the letters."""
    widths = [0.62 + 0.075 * len(handle.get_label()) for handle in handles] or [1]
    return len(widths) if sum(widths) <= width_in else max(1, int(width_in / max(widths)))

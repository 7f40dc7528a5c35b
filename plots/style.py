"""The one style of all charts. A plot.py needs only this module; plots/README.md shows how.

The title is the question, the subtitle says machine and run, every repetition is a dot, medians carry
their interval, baselines are grey, measured ceilings and the article's numbers are drawn. Colours are
Okabe and Ito's, each with its own marker, so that a chart reads without colour. Writing the same chart
twice gives the same bytes.
"""

import contextlib
import os
import textwrap
from pathlib import Path

from plots import backend

matplotlib = backend.require()

from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.gridspec import GridSpec  # noqa: E402

from plots import axes as _axes  # noqa: E402
from plots.colours import GRID, INK, MUTED  # noqa: E402
from plots.derived import derived_rows  # noqa: E402,F401
from plots.lines import article_band, ceiling_line, limit  # noqa: E402,F401
from plots.marks import repetitions_and_median  # noqa: E402,F401
from plots.points import PlotError  # noqa: E402,F401
from plots.units import axis_words, value_text  # noqa: E402

_STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.labelsize": 8.5,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "figure.dpi": 100,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "perflab",
    "svg.fonttype": "path",
    "figure.facecolor": "white",
    "axes.facecolor": "white",
}
_WIDE_IN, _NARROW_IN = 8.4, 4.3
_COUNTED = {"threads": "thread", "ranks": "rank", "processes": "process"}  # axes that count things


_saved = []  # lists that want to know of every saved chart, innermost last


@contextlib.contextmanager
def saved_charts():
    """Collects the charts that are saved inside the block, so that a plot.py that drew none is noticed."""
    charts = []
    _saved.append(charts)
    try:
        yield charts
    finally:
        _saved.remove(charts)


def figure(columns=1, rows=1, *, title, run, share_y=False, panel_height=None):
    """(chart, axes): one panel per column value and row value, axes flat and row by row.

    `columns` and `rows` are counts or lists of values; a list from table.unique(axis) also titles its
    panels. A long single row wraps. `title` is the question that the chart answers, `run` is table.run.
    """
    across, down = _count(columns), _count(rows)
    if across < 1 or down < 1:
        raise PlotError(
            "figure: no panels: columns and rows must each have at least one value; is the table empty?"
        )
    chart = Chart(title, run, across * down, _wrapped(across) if down == 1 else across, panel_height)
    panels = chart.add_panels(share_y)
    for index, ax in enumerate(panels):
        names = [_panel_name(rows, index // across), _panel_name(columns, index % across)]
        ax.set_title(" · ".join(name for name in names if name))
    return chart, panels


class Chart(Figure):
    """A figure with a header (question, machine, run, legend) and a foot that explains its marks."""

    def __init__(self, title, run, panels, across, panel_height):
        matplotlib.rcParams.update(_STYLE)
        super().__init__(figsize=(_WIDE_IN, 4.0))
        FigureCanvasAgg(self)
        self.question, self.subtitle = title, subtitle(run)
        self.count, self.across = panels, across
        self.share_y = False
        self.panel_height = panel_height or (3.1 if across == 1 else 2.6)
        self.notes = []  # sentences for the foot, in order of first use
        self.panels = []

    def add_panels(self, share_y):
        self.share_y = share_y
        grid = GridSpec(-(-self.count // self.across), self.across, figure=self)
        for index in range(self.count):
            shared = self.panels[0] if share_y and self.panels else None
            self.panels.append(
                self.add_subplot(grid[index // self.across, index % self.across], sharey=shared)
            )
            _axes.prepare(self.panels[-1])
        return list(self.panels)

    def note(self, sentence):
        if sentence not in self.notes:
            self.notes.append(sentence)

    def save(self, path, caption=""):
        """Writes path (.svg), its .png, and a one-column .narrow.svg for phones. `caption` also serves as the
        alt text."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        _axes.agree(self.panels, self.share_y)
        for ax in self.panels:
            _axes.finish(ax)
        words = {
            "Identifier": f"{len(_saved[-1]) if _saved else 0:03}",  # its place in the report
            "Title": self.question,
            "Description": " ".join(caption.split()) or self._describe(),
            "Date": None,
            "Creator": None,
        }
        for suffix, width, across in ((".narrow.svg", _NARROW_IN, 1), (".svg", _WIDE_IN, self.across)):
            self._lay_out(width, across)
            self._write(path.with_suffix(suffix), "svg", words)
        self._write(path.with_suffix(".png"), "png", {"Title": self.question, "Software": None})
        for charts in _saved[-1:]:
            charts.append(self)
        return path

    def _write(self, path, kind, words):
        unfinished = path.with_name(path.name + ".part")
        with open(unfinished, "wb") as file:
            self.savefig(file, format=kind, dpi=160, metadata=words)
        os.replace(unfinished, path)

    def _lay_out(self, width, across):
        """Panels on a grid of `across` columns under the header; heights in inches, so that text never
        shrinks."""
        for text in list(self.texts):
            text.remove()
        for legend in list(self.legends):
            legend.remove()
        letters = int(width * 11.6)
        title = textwrap.wrap(self.question, int(letters * 0.78)) or [""]
        small = _wrap_parts(self.subtitle, int(letters * 1.16))
        foot = textwrap.wrap(" ".join(self.notes), int(letters * 1.18))
        handles = _axes.legend_handles(self.panels)
        per_row = _axes.legend_columns(handles, width)
        legend_rows = -(-len(handles) // per_row) if handles else 0
        head = 0.12 + 0.23 * len(title) + 0.17 * len(small) + (0.08 + 0.2 * legend_rows if handles else 0.04)
        bottom = 0.06 + 0.155 * len(foot)
        down = -(-self.count // across)
        height = head + bottom + self.panel_height * down
        self.set_size_inches(width, height)

        left, y = 0.1 / width, 1 - 0.1 / height
        for line in title:
            self.text(left, y, line, fontsize=12, fontweight="bold", va="top")
            y -= 0.23 / height
        for line in small:
            self.text(left, y, line, fontsize=8, color=MUTED, va="top")
            y -= 0.17 / height
        if handles:
            self.legend(
                handles=handles,
                loc="upper left",
                bbox_to_anchor=(left, y),
                ncol=per_row,
                borderaxespad=0.2,
                borderpad=0.1,
                handletextpad=0.4,
                columnspacing=1.4,
                labelspacing=0.35,
            )
        for index, line in enumerate(reversed(foot)):
            self.text(left, (0.06 + 0.155 * index) / height, line, fontsize=7.5, color=MUTED, va="bottom")
        grid = GridSpec(down, across, figure=self)
        for index, ax in enumerate(self.panels):
            ax.set_subplotspec(grid[index // across, index % across])
            inner = self.share_y and index % across > 0
            same = ax.get_ylabel() == self.panels[index - index % across].get_ylabel()
            ax.yaxis.label.set_visible(not (inner and same))
            if ax.perflab.y:
                ax.tick_params(axis="y", which="both", labelleft=not inner)
            outside = 0.75 / across if self.share_y else 0.75  # y label and ticks
            _axes.fit_x(ax, width / across - outside - 0.1)
        self.tight_layout(rect=(0, bottom / height, 1, 1 - head / height), pad=0.5, h_pad=1.2, w_pad=1.4)

    def _describe(self):
        series = [handle.get_label() for handle in _axes.legend_handles(self.panels)]
        titles = [ax.get_title(loc="left") for ax in self.panels]
        axes = self.panels[0]
        y = " ".join(axes.get_ylabel().split())
        panels = f"Panels: {', '.join(titles)}. " if any(titles) else ""
        return f"{panels}{y[:1].upper()}{y[1:]} against {axes.get_xlabel() or 'case'}" + (
            f" for {', '.join(series)}." if series else "."
        )


def subtitle(run):
    """Machine and run in one line; anything that weakens the numbers is said here too."""
    words = [run.machine, f"profile {run.profile}", f"run {run.id}"]
    if run.status not in ("complete", "running") or run.partial:
        words.append("PARTIAL RUN")
    if run.fault:
        words.append(f"FAULT {run.fault} PLANTED")
    return " · ".join(words)


def _wrap_parts(text, letters):
    """Lines that break between parts, not inside them."""
    lines = []
    for part in text.split(" · "):
        if lines and len(lines[-1]) + 3 + len(part) <= letters:
            lines[-1] += " · " + part
        else:
            lines += textwrap.wrap(part, letters) or [""]
    return lines


def _count(values):
    return values if isinstance(values, int) else len(values)


def _wrapped(count):
    return count if count <= 3 else 2 if count == 4 else 3


def _panel_name(values, index):
    if isinstance(values, int):
        return ""
    axis = getattr(values, "axis", "")
    value = value_text(values[index], axis)
    if axis in _COUNTED:
        return f"{value} {_COUNTED[axis] if values[index] == 1 else axis}"
    return value if isinstance(values[index], str) or not axis else f"{axis_words(axis)[0]} {value}"

"""Lines and bands across a panel: measured ceilings, limits that follow from measured parts, the article's number."""

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plots.colours import ARTICLE, INK
from plots.units import UNIT_WORDS

CEILING = "Ceiling: the fastest that this machine was ever seen to go."
_DOTTED = {"color": INK, "linestyle": (0, (1, 2)), "linewidth": 1.3}


def ceiling_line(ax, table, level, pattern=None, threads=None, label="measured ceiling"):
    """A dashed line at the fastest this machine was ever seen to go; False (and nothing drawn) if that was
    not measured."""
    found = table.ceiling(level, pattern, threads)
    if not found:
        return False
    rate, unit = found
    ax.perflab.unit = ax.perflab.unit or UNIT_WORDS.get(unit, unit)
    line = ax.axhline(rate, color=INK, linestyle=(0, (5, 3)), linewidth=1.1, zorder=2.5)
    line.perflab_role = "ceiling"
    ax.perflab.y.append(rate)
    ax.perflab.legend.setdefault(
        label, Line2D([], [], color=INK, linestyle=(0, (5, 3)), linewidth=1.1, label=label)
    )
    ax.figure.note(CEILING)
    return True


def article_band(ax, lo, hi, text="the article's number"):
    """The article's range (a line where lo equals hi, open where one side is None), hatched so that it also
    prints."""
    if lo is None and hi is None:
        return False
    scale = ax.perflab.y_scale
    if lo is not None and lo == hi:
        ax.axhline(lo / scale, color=ARTICLE, linewidth=1.6, zorder=1.5).perflab_role = "article"
        handle = Line2D([], [], color=ARTICLE, linewidth=1.6, label=text)
    else:
        edges = [edge / scale for edge in (lo, hi) if edge is not None]
        bottom, top = (lo / scale if lo is not None else 0), (
            hi / scale if hi is not None else 1e3 * max(ax.perflab.y + edges)
        )
        look = {"facecolor": ARTICLE, "alpha": 0.22, "hatch": "////", "edgecolor": ARTICLE, "linewidth": 0}
        ax.axhspan(bottom, top, zorder=0.5, **look).perflab_role = "article"
        for edge in edges:
            ax.axhline(edge, color=ARTICLE, linewidth=0.9, zorder=1.4)
        handle = Patch(label=text, **look)
    ax.perflab.y += [edge / scale for edge in (lo, hi) if edge]
    ax.perflab.legend.setdefault(text, handle)
    return True


def limit(ax, ratio, label, place=None):
    """A dotted line at what measured parts allow: over the whole panel, or over one place of a word axis."""
    if place is None:
        line = ax.axhline(ratio, zorder=2.5, **_DOTTED)
    else:
        (line,) = ax.plot([place - 0.4, place + 0.4], [ratio, ratio], zorder=2.5, **_DOTTED)
    line.perflab_role = "limit"
    ax.perflab.y.append(ratio)
    ax.perflab.legend.setdefault(label, Line2D([], [], label=label, **_DOTTED))

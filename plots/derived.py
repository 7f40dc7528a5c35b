"""Marks of numbers that a lab derived: rows of summary.csv without a case."""

from plots import axes as _axes
from plots.colours import PAPER, SERIES
from plots.points import quotients
from plots.words import figure as number_text

MARKS = (
    "Small dots: every repetition. Large marks and bars: median and its 95 % interval (hollow: something disturbed"
    " it, the tables say what)."
)
_GOLDEN = 0.6180339887


def derived_rows(ax, table, entries, taken=0):
    """Derived rows side by side, each with its interval and number; those that the run lacks are left out.

    entries: (words, metric, (above, below, measure) or None); with variants, the quotient of every block is
    a dot. taken: how many colours the axes have used. Returns how many were drawn.
    """
    drawn = 0
    for words, metric, variants in entries:
        row = table.derived(metric)
        if row is None or row["median"] is None:
            continue
        place = _axes.x_positions(ax, [words], None)[words]
        colour, marker = SERIES[(taken + drawn) % len(SERIES)]
        dots = quotients(table, *variants) if variants else []
        spread = [place + 0.5 * ((index * _GOLDEN) % 1 - 0.5) for index in range(len(dots))]
        cloud = ax.scatter(spread, dots, s=8, color=colour, alpha=0.55, linewidths=0, zorder=2)
        cloud.perflab_role = "repetitions"
        _mark(ax, place, row, colour, marker, beside=place + 0.25 if dots else place)
        ax.perflab.y += dots
        drawn += 1
    if drawn:
        ax.perflab.margin, ax.perflab.ratio = 0.2, True
        ax.figure.note(MARKS)
    return drawn


def _mark(ax, place, row, colour, marker, beside):
    """beside: where the number may begin without lying on the dots."""
    y, lo, hi = row["median"], row["ci_lo"], row["ci_hi"]
    if lo is not None and hi is not None:
        bar = ax.errorbar(
            place, y, yerr=[[max(y - lo, 0)], [max(hi - y, 0)]], color=colour, linewidth=1.5, capsize=5, zorder=6
        )
        bar.lines[2][0].perflab_role = "interval"
        ax.perflab.interval_known = True
        ax.perflab.y += [lo, hi]
    noisy = row["status"] == "noisy"
    look = {"markeredgecolor": colour if noisy else PAPER, "markerfacecolor": PAPER if noisy else colour}
    ax.plot([place], [y], marker=marker, markersize=6, linestyle="", zorder=7, **look)
    ax.perflab.y.append(y)
    ax.annotate(
        number_text(y, row["unit"]),
        (beside, y),
        xytext=(8 if beside == place else 3, 0),
        textcoords="offset points",
        va="center",
        fontsize=8,
        zorder=7,
        bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.9, "pad": 0.5},
    )

"""Colours and markers. Okabe and Ito's set, ordered so that neighbours also differ in luminance; yellow is
left out (unreadable on white), purple is kept for the article's number. The report maps these very codes
to lighter ones on a dark background."""

INK, MUTED, GRID, BASELINE, PAPER = "#1b1f24", "#5c6670", "#dde2e7", "#87919b", "#ffffff"
BLUE, ORANGE, GREEN, VERMILLION, SKY, ARTICLE = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#56b4e9",
    "#b0588a",
)

SERIES = [(BLUE, "o"), (ORANGE, "s"), (GREEN, "^"), (VERMILLION, "D"), (SKY, "v"), (INK, "P"), (MUTED, "X")]
BASELINE_MARK = (BASELINE, "h")


def series_marks(names, baseline, taken=0):
    """{name: (colour, marker)}; the baseline is grey, the others take the series' colours in order, after those
    that are taken."""
    marks = {}
    for name in names:
        marks[name] = BASELINE_MARK if name == baseline else SERIES[taken % len(SERIES)]
        taken += name != baseline
    return marks

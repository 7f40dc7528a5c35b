"""The small picture on a claim's card: the article's number or band above a line, ours with its interval
below.

An SVG without a viewBox: lengths in percent stretch with the card, letters do not. Colours come from the
report's CSS.
"""

import math
from html import escape

from plots import words

_LEFT, _RIGHT = 4.0, 96.0  # percent of the width that the scale uses


def draw(row):
    """SVG text, or "" when there is nothing to compare."""
    band = _band(row)
    ours = [row[name] for name in ("observed", "ci_lo", "ci_hi") if row.get(name) is not None]
    if row.get("observed") is None or band == (None, None):
        return ""
    neutral = (
        [1.0]
        if row.get("unit") == "ratio" and row.get("claim_type") in ("ratio", "direction", "null")
        else []
    )
    at = _scale([edge for edge in band if edge is not None] + ours + neutral)
    parts = [f'<line class="track" x1="{_LEFT}%" x2="{_RIGHT}%" y1="34" y2="34"/>']
    for value in neutral:
        parts.append(f'<line class="neutral" x1="{at(value)}%" x2="{at(value)}%" y1="22" y2="46"/>')
        if abs(at(value) - at(row["observed"])) > 10:
            parts.append(_text("one", at(value), 60, "1×"))
    parts += _article(row, band, at) + _measured(row, at)
    return (
        f'<svg class="interval" role="img" aria-label="{escape(_sentence(row, band), quote=True)}"'
        ' width="100%" height="68">' + "".join(parts) + "</svg>"
    )


def _band(row):
    band = row.get("band_lo"), row.get("band_hi")
    return (row.get("claimed"), row.get("claimed")) if band == (None, None) else band


def _scale(values):
    low, high = min(values), max(values)
    log = low > 0 and high / low > 4
    if log:
        low, high = math.log(low), math.log(high)
    room = 0.16 * (high - low) or abs(high) * 0.2 or 1.0
    low, high = low - room, high + room

    def at(value):
        place = ((math.log(value) if log else value) - low) / (high - low)
        return round(_LEFT + (_RIGHT - _LEFT) * place, 2)

    return at


def _article(row, band, at):
    lo, hi = band
    left, right = at(lo) if lo is not None else 0.0, at(hi) if hi is not None else 100.0
    parts = []
    if lo != hi:
        parts.append(f'<rect class="band" x="{left}%" y="24" width="{round(right - left, 2)}%" height="20"/>')
    for edge in {lo, hi} - {None}:
        parts.append(f'<line class="edge" x1="{at(edge)}%" x2="{at(edge)}%" y1="24" y2="44"/>')
    unit = row.get("unit") or ""
    if lo is None or hi is None:
        sign, edge, place = ("≤", hi, right) if lo is None else ("≥", lo, left)
        text = f"{sign} {words.figure(edge, unit)}"
    else:
        text, place = words.figure(lo, unit) if lo == hi else words.interval(lo, hi, unit), (left + right) / 2
    return parts + [_text("article", place, 17, text)]


def _measured(row, at):
    lo, hi, middle = row.get("ci_lo"), row.get("ci_hi"), at(row["observed"])
    parts = []
    if lo is not None and hi is not None:
        parts.append(f'<line class="ci" x1="{at(lo)}%" x2="{at(hi)}%" y1="34" y2="34"/>')
        parts += [
            f'<line class="ci" x1="{at(edge)}%" x2="{at(edge)}%" y1="28" y2="40"/>' for edge in (lo, hi)
        ]
    parts.append(f'<circle class="dot" cx="{middle}%" cy="34" r="4.5"/>')
    return parts + [_text("here", middle, 60, words.figure(row["observed"], row.get("unit") or ""))]


def _text(kind, place, y, text):
    anchor = "start" if place < 16 else "end" if place > 84 else "middle"
    x = round(min(max(place, 0.5), 99.5), 2)
    return f'<text class="{kind}" x="{x}%" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _sentence(row, band):
    unit = row.get("unit") or ""
    said = " to ".join(words.figure(edge, unit) for edge in dict.fromkeys(band) if edge is not None)
    here = words.figure(row["observed"], unit)
    between = words.interval(row.get("ci_lo"), row.get("ci_hi"), unit, row["observed"])
    return f"Article: {said}. Here: {here}" + (f", interval {between}." if between else ".")

"""Predicted against measured, for the report. The judge has compared them; here they get words and a picture.

The picture is an SVG like that of interval_graphic: what was said as a hollow bracket above the line, what was
measured as a filled dot with its interval on it. The shapes tell them apart without colour.
"""

import math
from html import escape

from plots import words
from plots.load import load_predictions

_LEFT, _RIGHT = 4.0, 96.0  # percent of the width that the scale uses


def block(run, table):
    """What the template shows for one lab, or None if nothing was asked of it."""
    rows, score = load_predictions(run, table.lab)
    if not rows:
        return None
    asked = {item.get("question_id"): item for item in table.schema.get("questions") or []}
    return {
        "lab": table.lab,
        "title": "Your predictions" if score["answered_count"] else "The questions, measured",
        "score": score["text"] if score["answered_count"] else "",
        "short": _short(score),
        "rows": [_row(row, asked.get(row["question_id"], {})) for row in rows],
    }


def _short(score):
    """'2 of 3 ranges hit, 1 of 2 choices right', or "" if nothing could be compared."""
    parts = [
        f"{score[right]} of {words.plural(score[count], what)} {how}"
        for count, right, what, how in (
            ("intervals_count", "interval_hits_count", "range", "hit"),
            ("numbers_count", "number_hits_count", "number", "hit"),
            ("choices_count", "choices_right_count", "choice", "right"),
        )
        if score.get(count)
    ]
    return ", ".join(parts)


def _row(row, asked):
    unit = row["unit"] or ""
    kind, word = _outcome(row)
    return {
        "id": row["question_id"],
        "text": row["text"],
        "kind": kind,
        "word": word,
        "said": _said(row, unit),
        "here": words.figure(row["measured"], unit),
        "between": words.interval(row.get("ci_lo"), row.get("ci_hi"), unit, row["measured"]),
        "disturbed": words.disturbance(row["reason"]) if row["reason"] and row["measured"] is not None else "",
        "choices": _choices(row, asked) if row["kind"] == "choice" else [],
        "graphic": "" if row["kind"] == "choice" else draw(row),
        "reveal": row["reveal"] if row["measured"] is not None else "",
    }


def _outcome(row):
    """(css class, the outcome in words)."""
    if row["measured"] is None:
        return "unknown", f"not measured: {words.reason(row['reason'])}"
    if row["hit"] is None:
        return "unknown", "not predicted"
    if row["kind"] == "choice":
        return ("holds", "right") if row["hit"] else ("fails", "wrong")
    if row["hit"]:
        return "holds", "hit"
    off = row.get("factor_off")
    if off is None:
        return "fails", "missed"
    what = "missed; the middle is off" if row["kind"] == "interval" else "off"
    return "fails", f"{what} by a factor of {words.digits(off)}"


def _said(row, unit):
    if row.get("choice"):
        return row["choice"].replace("-", " ")
    lo, hi = row.get("predicted_lo"), row.get("predicted_hi")
    return words.interval(lo, hi, unit, row["predicted"]) or words.figure(row["predicted"], unit)


def _choices(row, asked):
    """[(text, css classes, what is to be said of it)] in the question's order."""
    shown = []
    for choice in asked.get("choices") or []:
        word = choice.get("word")
        said, measured = word == row.get("choice"), word == row.get("measured_choice")
        note = ", ".join(["measured"] * measured + ["you"] * said)
        shown.append((choice.get("text") or word, "said " * said + "measured" * measured, note))
    return shown


def draw(row):
    """SVG text, or "" where there is no number to show."""
    if row["measured"] is None:
        return ""
    unit, said = row["unit"] or "", [row.get("predicted_lo"), row.get("predicted_hi")]
    said = [] if None in said else said
    ours = [value for value in (row["measured"], row.get("ci_lo"), row.get("ci_hi")) if value is not None]
    at = _scale(said + ours)
    parts = [f'<line class="track" x1="{_LEFT}%" x2="{_RIGHT}%" y1="34" y2="34"/>']
    parts += (_said_marks(said, at, _said(row, unit)) if said else []) + _measured_marks(row, at, unit)
    label = f"You: {_said(row, unit) or 'nothing'}. Measured: {words.figure(row['measured'], unit)}."
    return (
        f'<svg class="interval guess" role="img" aria-label="{escape(label, quote=True)}"'
        ' width="100%" height="68">' + "".join(parts) + "</svg>"
    )


def _scale(values):
    """Logarithmic where everything is positive and spans more than a factor of three."""
    low, high = min(values), max(values)
    log = low > 0 and high / low > 3
    if log:
        low, high = math.log(low), math.log(high)
    room = 0.16 * (high - low) or abs(high) * 0.2 or 1.0
    low, high = low - room, high + room
    return lambda value: round(
        _LEFT + (_RIGHT - _LEFT) * ((math.log(value) if log else value) - low) / (high - low), 2
    )


def _said_marks(said, at, text):
    left, right = at(said[0]), at(said[1])
    parts = [f'<line class="edge" x1="{x}%" x2="{x}%" y1="22" y2="46"/>' for x in dict.fromkeys((left, right))]
    if left != right:
        parts += [f'<line class="rail" x1="{left}%" x2="{right}%" y1="{y}" y2="{y}"/>' for y in (22, 46)]
    return parts + [_text("said", (left + right) / 2, 15, f"you {text}")]


def _measured_marks(row, at, unit):
    parts, lo, hi = [], row.get("ci_lo"), row.get("ci_hi")
    if lo is not None and hi is not None and lo != hi:
        parts.append(f'<line class="ci" x1="{at(lo)}%" x2="{at(hi)}%" y1="34" y2="34"/>')
        parts += [f'<line class="ci" x1="{at(x)}%" x2="{at(x)}%" y1="28" y2="40"/>' for x in (lo, hi)]
    middle = at(row["measured"])
    parts.append(f'<circle class="dot" cx="{middle}%" cy="34" r="4.5"/>')
    return parts + [_text("here", middle, 62, f"measured {words.figure(row['measured'], unit)}")]


def _text(kind, place, y, text):
    anchor = "start" if place < 20 else "end" if place > 80 else "middle"
    x = round(min(max(place, 0.5), 99.5), 2)
    return f'<text class="{kind}" x="{x}%" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'

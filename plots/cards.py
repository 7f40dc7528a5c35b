"""From rows of verdicts.csv to what a claim's card shows. Words and numbers only; templates/ gives them their
form."""

import re

from plots import interval_graphic, words
from plots.units import metric_words

UNDECIDED, NO_FIGURE = "cannot tell here", "no figure given"
WORDS = (
    ("holds", "holds"),
    ("holds only when", "depends"),
    ("does not hold", "fails"),
    (UNDECIDED, "unknown"),
)
_EVIDENCE = {
    "measured": "measured",
    "modelled": "from a model that sleeps or throttles by itself",
    "simulated": "simulated",
    "analytic": "recomputed from the article's own inputs",
}


def cards(rows):
    """(decided cards, undecided ones as (why, next steps, cards)); the most surprising first."""
    ordered = sorted(
        rows, key=lambda row: (row.get("surprise_rank") or 10**9, row.get("lab_id", ""), row["claim_id"])
    )
    decided = [_card(row) for row in ordered if row["reader_word"] != UNDECIDED]
    groups = {}
    for row in ordered:
        if row["reader_word"] == UNDECIDED:
            groups.setdefault(_why(row), []).append(_card(row))
    groups = sorted(groups.items(), key=lambda pair: -len(pair[1]))
    return decided, [
        (why, list(dict.fromkeys(item["next"] for item in items if any(item["next"]))), items)
        for why, items in groups
    ]


def tally(rows):
    """[(word, css class, count)] for each of the four words, so that a reader knows them all."""
    return [(word, kind, sum(row["reader_word"] == word for row in rows)) for word, kind in WORDS]


def _card(row):
    unit = row.get("unit") or ""
    return {
        "row": row,
        "kind": dict(WORDS).get(row["reader_word"], "unknown"),
        "word": row["reader_word"],
        "id": f"claim-{row['claim_id']}",
        "where": _where(row),
        "said": _said(row, unit),
        "no_figure": _said(row, unit) == NO_FIGURE,
        "tested": _band(row, unit) if _said(row, unit) == NO_FIGURE else "",
        "what": _what(row),
        "next": words.next_step(row.get("next_step")),
        "here": words.figure(row.get("observed"), unit),
        "between": words.interval(row.get("ci_lo"), row.get("ci_hi"), unit, row.get("observed")),
        "graphic": interval_graphic.draw(row),
        "evidence": _evidence(row),
        "loud": row["verdict"] in ("FAILED", "REJECTED"),
        "exact": _exact(row, unit),
    }


def _said(row, unit):
    text = (row.get("claimed_text") or "").strip()
    if text and text.strip("()").lower() not in ("no figure", "none"):
        return re.sub(r"(?<=\d)-(?=\d)", "–", text)
    return words.figure(row.get("claimed"), unit) or NO_FIGURE


def _what(row):
    """The measured quantity in words: 'max rate over roofline', 'random over sequential'."""
    over = [part.strip().partition(".")[0] for part in (row.get("quantity") or "").split("/")]
    return " over ".join(metric_words(part)[0] for part in over)


def _band(row, unit):
    """The range that the claim was held against: '20 to 25 GB/s', 'at least 2×'."""
    lo, hi = row.get("band_lo"), row.get("band_hi")
    if lo is not None and hi is not None:
        return words.interval(lo, hi, unit) or words.figure(lo, unit)
    edge = "at least" if hi is None else "at most"
    return "" if lo is None and hi is None else f"{edge} {words.figure(hi if lo is None else lo, unit)}"


def _where(row):
    section = row.get("section") or ""
    source = (row.get("source") or "").replace("article-", "article ")
    return [part for part in (source, f"section {section}" if section else "") if part]


def _why(row):
    if row["verdict"] in ("FAILED", "REJECTED"):
        return f"{row['verdict'].lower()}: {words.reason(row.get('reason_code'))}"
    return words.reason(row.get("reason_code"), row.get("needs_hw") or "")


def _evidence(row):
    subject = (
        (row.get("subject") or "")
        .replace("this_machine", "this machine")
        .replace("perflab_engine", "perflab's engine")
    )
    parts = [_EVIDENCE.get(row.get("evidence"), row.get("evidence") or "")]
    if subject:
        parts.append(f"on {subject}" if not subject.startswith("framework:") else f"in {subject[10:]}")
    if row.get("about"):
        parts.append(f"· a claim about {row['about'].replace('framework:', '').replace('_', ' ')}")
    return " ".join(part for part in parts if part)


def _exact(row, unit):
    """[(name, text)] for the fold-out: everything the verdict rests on."""
    number = {name: row.get(name) for name in ("n_pairs", "launches", "mde_ratio", "rope_lo", "rope_hi")}
    pairs = [
        ("claim", row["claim_id"] + (f" (part {row['part']} decides)" if row.get("part") else "")),
        ("type", row.get("claim_type")),
        ("quantity", row.get("quantity")),
        ("article's band", _band(row, unit)),
        ("observed", words.figure(row.get("observed"), unit)),
        ("interval", words.interval(row.get("ci_lo"), row.get("ci_hi"), unit, row.get("observed"))),
        ("n", f"{number['n_pairs']} pairs" if number["n_pairs"] is not None else ""),
        ("launches", "" if number["launches"] is None else str(number["launches"])),
        ("no effect between", words.interval(number["rope_lo"], number["rope_hi"], "ratio")),
        ("smallest ratio this run could tell from 1", words.figure(number["mde_ratio"], "ratio")),
        ("the expert's word", row.get("expert_verdict")),
        ("needs", row.get("needs_hw")),
        ("next step", " ".join(words.next_step(row.get("next_step"))).strip()),
    ]
    return [(name, text) for name, text in pairs if text]

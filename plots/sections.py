"""One section per lab: its charts, inlined, and its numbers as tables. Reads files; decides which columns a
reader needs first."""

import re

from plots import words
from plots.load import AA
from plots.units import axis_words, metric_words, value_text

FIRST_ROWS = 14  # of a table; the rest folds out
_RATES = ("throughput", "bandwidth")
_INK = {
    "#1b1f24": "--ink",
    "#5c6670": "--muted",
    "#dde2e7": "--grid",
    "#87919b": "--base",
    "#0072b2": "--blue",
    "#e69f00": "--orange",
    "#009e73": "--green",
    "#d55e00": "--vermillion",
    "#56b4e9": "--sky",
    "#b0588a": "--article",
    "#ffffff": "--panel",
}


def section(table, lab_folder, counter):
    """Everything the template needs for one lab."""
    charts, failed = charts_of(lab_folder, counter)
    experiments = table.unique("experiment") if table.cases or table.summary or table.samples else []
    return {
        "lab": table.lab,
        "number": table.lab.split("_")[0],
        "name": " ".join(table.lab.split("_")[1:]) or table.lab,
        "question": table.schema.get("question") or "",
        "charts": charts,
        "failed": failed,
        "partial": table.partial,
        "derived": _derived(table),
        "experiments": [_experiment(table, name) for name in experiments],
    }


def charts_of(lab_folder, counter):
    """([chart], reason why one is missing or ""). A chart: wide and narrow SVG, title and caption."""
    folder = lab_folder / "plots"
    charts = []
    wide = [path for path in folder.glob("*.svg") if not path.name.endswith(".narrow.svg")]
    for path in sorted(wide, key=_as_drawn):
        narrow = path.with_name(path.name[:-4] + ".narrow.svg")
        text = path.read_text(encoding="utf-8")
        charts.append(
            {
                "title": _metadata(text, "title"),
                "caption": _metadata(text, "description"),
                "name": path.stem,
                "wide": inline_svg(text, f"c{next(counter)}"),
                "narrow": (
                    inline_svg(narrow.read_text(encoding="utf-8"), f"c{next(counter)}")
                    if narrow.is_file()
                    else ""
                ),
            }
        )
    failed = folder / "FAILED.txt"
    return charts, failed.read_text(encoding="utf-8").strip() if failed.is_file() else ""


def _as_drawn(path):
    """The order in which plot.py drew them, nearest to the lab's question first."""
    return _metadata(path.read_text(encoding="utf-8"), "identifier"), path.name


def inline_svg(text, prefix):
    """An SVG file as an element of a page: no prologue, no addresses, ids of its own, colours that follow the
    page's theme."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.S)
    text = re.sub(r'\s(xmlns(:\w+)?|version)="[^"]*"', "", text)
    text = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", text, count=1, flags=re.S)
    text = text.replace("xlink:href", "href")
    text = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", text)
    text = re.sub(
        r"#[0-9a-f]{6}\b", lambda code: f"var({_INK[code[0]]})" if code[0] in _INK else code[0], text
    )
    width, height = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', text).groups()
    return text.replace(
        f'width="{width}pt" height="{height}pt"', 'aria-hidden="true" focusable="false"', 1
    ).strip()


def _metadata(text, name):
    found = re.search(rf"<dc:{name}>(.*?)</dc:{name}>", text, flags=re.S)
    plain = found.group(1).strip() if found else ""
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


def _experiment(table, name):
    part = table.where(experiment=name)
    rows = [row for row in part.summary if row["case_id"] and row["variant"] != AA]
    axes = [
        axis for axis in _axis_order(table, name) if any(row.get(f"p_{axis}") is not None for row in rows)
    ]
    described = next((item for item in table.schema.get("experiments", []) if item.get("name") == name), {})
    headline = _headline([row["metric"] for row in rows], described.get("defines_ceilings", True))
    chosen = [row for row in rows if row["metric"] == headline]
    compared = len({row["variant"] for row in rows}) > 1
    return {
        "name": name,
        "question": described.get("question", ""),
        "headline": metric_words(headline or "")[0],
        "head": [axis_words(axis)[0] for axis in axes] + (["variant"] if compared else []),
        "compared": compared,
        "baseline": value_text(next((row["baseline"] for row in rows if row["baseline"]), "")),
        "rows": [_row(row, axes, compared) for row in chosen[:FIRST_ROWS]],
        "more": [_row(row, axes, compared) for row in chosen[FIRST_ROWS:]],
        "has_ceiling": any(row.get("ceiling") for row in chosen),
        "all": [_full_row(row, axes, compared) for row in rows],
        "all_head": [axis_words(axis)[0] for axis in axes],
        "left_out": _left_out(part),
        "unjudged": bool(part.samples) and not rows,
    }


def _headline(metrics, is_of_rates):
    """The metric that answers: a rate (the one with most rows) where the experiment is about rates, else the
    time."""
    rate = max(_RATES, key=metrics.count)
    order = (rate, "finish") if is_of_rates else ("finish", rate)
    return next((metric for metric in order if metric in metrics), min(metrics, default=None))


def _axis_order(table, experiment):
    declared = [
        axis.get("name")
        for item in table.schema.get("experiments", [])
        if item.get("name") == experiment
        for axis in item.get("axes", [])
    ]
    return [axis for axis in declared if axis in table.axes()] or table.axes()


def _row(row, axes, compared):
    is_base = row["variant"] == row["baseline"]
    return {
        "labels": [_cell(row, axis) for axis in axes] + ([value_text(row["variant"])] if compared else []),
        "median": words.figure(row["median"], row["unit"]),
        "between": words.interval(row["ci_lo"], row["ci_hi"], row["unit"], row["median"], bare=True),
        "ratio": (
            "" if row["ratio"] is None else "baseline" if is_base else words.figure(row["ratio"], "ratio")
        ),
        "ratio_between": "" if is_base else words.interval(row["ratio_ci_lo"], row["ratio_ci_hi"], "ratio"),
        "is_base": is_base,
        "ceiling": words.percent(row.get("pct_of_ceiling")),
        "n": row.get("n_valid"),
        "status": _status(row),
    }


def _full_row(row, axes, compared):
    short = _row(row, axes, True)
    return short | {
        "metric": metric_words(row["metric"])[0],
        "ratio": short["ratio"] if compared else "",
        "ratio_between": short["ratio_between"] if compared else "",
        "stop": words.metric_name(row.get("stop_reason") or ""),
        "warmup": words.metric_name(row.get("warmup_state") or ""),
        "drift": words.percent(row.get("drift_pct")),
        "invalid": row.get("n_invalid"),
    }


def _derived(table):
    rows = [row for row in table.summary if not row["case_id"]]
    return [
        {
            "metric": metric_words(row["metric"])[0],
            "value": words.figure(row["median"], row["unit"]),
            "between": words.interval(row["ci_lo"], row["ci_hi"], row["unit"], row["median"], bare=True),
            "evidence": row.get("evidence") or "",
            "status": _status(row),
        }
        for row in rows
    ]


def _left_out(part):
    """[(what, why)] of cases that were skipped or failed; each reason once, with its cases counted."""
    reasons = {}
    for case in part.cases:
        if case["status"] != "ok":
            text = case.get("status_text") or words.metric_name(
                case.get("status_reason") or "no reason was recorded"
            )
            reasons.setdefault((case["status"], text), set()).add((case["case_id"], case["variant"]))
    return [
        (f"{words.plural(len(found), 'case')} {status}", text) for (status, text), found in reasons.items()
    ]


def _status(row):
    if row["status"] == "ok":
        return ""
    why = words.disturbance(row.get("status_reason"))
    return words.metric_name(row["status"]) + (f": {why}" if why else "")


def _cell(row, axis):
    value = row.get(f"p_{axis}")
    return "" if value is None else value_text(value, axis)

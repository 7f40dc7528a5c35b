"""python3 -m plots.report RUN_FOLDER: writes RUN_FOLDER/report.html, one self-contained file.

No network, no script, nothing computed: claims, charts and tables as the run's files have them. A broken
file is named in the page and on stderr (exit 4), the rest is shown. Exit codes: 0 done, 2 usage, 4 a data
file is broken, 5 cannot write, 6 Jinja2 is missing.
"""

import argparse
import hashlib
import itertools
import os
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from plots import cards, predictions, sections, words  # noqa: E402
from plots.load import DataError, load_lab, load_run, load_verdicts  # noqa: E402

_UNFINISHED = {
    "interrupted": "This run was interrupted. Complete blocks were kept; what is missing is missing.",
    "running": "This run was still going on when this page was written.",
    "partial": "This run is partial: not everything that was asked for was measured.",
    "failed": "This run failed. Treat what is below as evidence of what happened, not as results.",
}


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="plots.report", description="Writes the report of a run.")
    parser.add_argument("run", type=Path, help="folder of the run")
    folder = parser.parse_args(arguments).run
    try:
        import jinja2
    except Exception as error:  # missing or broken alike
        return _say(
            f"the report needs Jinja2 ({type(error).__name__} at its import): install python3-jinja2", 6
        )
    try:
        run = load_run(folder)
        labs = run.labs()
        if not run.manifest and not labs:
            raise ValueError(f"{folder}: no manifest.json and no lab's files; want the folder of a run")
        model = describe(run, labs)
    except DataError as error:
        return _say(error, 4)
    except (OSError, ValueError) as error:
        return _say(error, 2)
    try:
        _write(folder / "report.html", render(jinja2, model))
    except OSError as error:
        return _say(f"cannot write {folder / 'report.html'}: {error.strerror}", 5)
    for problem in model["broken"]:
        _say(problem, 4)
    return 4 if model["broken"] else 0


def describe(run, labs):
    """The whole report as plain data."""
    broken, tables, counter, predicted = _changed_files(run), [], itertools.count(1), {}
    for lab in labs:
        try:
            tables.append(load_lab(run, lab))
            if block := predictions.block(run, tables[-1]):
                predicted[lab] = block
        except DataError as error:
            broken.append(str(error))
    claims = [row for table in tables for row in table.verdicts]
    known = {row["claim_id"] for row in claims}
    try:
        claims += [row for row in load_verdicts(run) if row["claim_id"] not in known]
    except DataError as error:
        broken.append(str(error))
    decided, undecided = cards.cards(claims)
    manifest = run.manifest
    return {
        "run": run,
        "manifest": manifest,
        "date": _date(manifest),
        "broken": list(dict.fromkeys(broken)),
        "headline": _headline(run, broken),
        "warning": _warning(run),
        "decided": decided,
        "undecided": undecided,
        "n_claims": len(claims),
        "tally": cards.tally(claims),
        "predicted": predicted,
        "sections": [sections.section(table, run.folder / table.lab, counter) for table in tables],
        "instrument": _instrument(run, tables),
        "environment": _environment(run),
        "files": _files(manifest),
        "command": shlex.join(str(word) for word in manifest.get("argv") or []),
        "build": _pairs(manifest.get("build")),
        "libs": _pairs(manifest.get("libs")),
        "labs": labs,
    }


def render(jinja2, model):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals |= {"plural": words.plural}
    return environment.get_template("report.html").render(model)


def _headline(run, broken):
    """What is wrong with the run, in capitals; "" if nothing is."""
    partial = run.partial or run.status == "partial"
    parts = ["DATA REFUSED" if broken else "", "FAULT PLANTED" if run.fault else ""]
    parts.append(
        {"failed": "FAILED", "interrupted": "INTERRUPTED, PARTIAL", "running": "NOT FINISHED"}.get(
            run.status, ""
        )
    )
    parts.append("PARTIAL" if partial and run.status != "interrupted" else "")
    parts.append("SMOKE RUN" if run.profile == "smoke" else "")
    return " · ".join(part for part in parts if part)


def _warning(run):
    lines = [_UNFINISHED[run.status]] if run.status in _UNFINISHED else []
    if run.fault:
        lines.append(
            f"Fault {run.fault} was planted on purpose. Nothing here is a result, and no claim is decided."
        )
    if run.profile == "smoke":
        lines.append("Profile smoke: a few seconds to see that everything runs. No claim is decided.")
    return lines


def _instrument(run, tables):
    """What the run could tell apart, and per experiment the A/A comparison with the widest interval."""
    above = (run.manifest.get("instrument") or {}).get("separates_above_ratio")
    controls = []
    for table in tables:
        for experiment in table.unique("experiment") if table.summary else []:
            rows = [
                row
                for row in table.where(experiment=experiment).summary
                if row["metric"] == "finish" and row.get("aa_ci_lo") and row.get("aa_ci_hi")
            ]
            if rows:
                widest = max(rows, key=lambda row: row["aa_ci_hi"] / row["aa_ci_lo"])
                controls.append(
                    {
                        "experiment": " · ".join(map(words.metric_name, (table.lab, experiment))),
                        "case": widest["case_id"],
                        "ratio": words.figure(widest["aa_ratio"], "ratio"),
                        "between": words.interval(widest["aa_ci_lo"], widest["aa_ci_hi"], "ratio"),
                    }
                )
    percent = words.percent((above - 1) * 100) if isinstance(above, (int, float)) and above > 1 else ""
    return {"percent": percent, "controls": controls}


def _environment(run):
    """Items to look at first, then those that are as they should be."""

    def item(name, value, source, status):
        text = (
            "not readable"
            if value is None
            else "yes" if value is True else "no" if value is False else str(value)
        )
        if name.endswith("_bytes") and isinstance(value, (int, float)):
            text = words.memory(value) if value >= 2**27 else f"{value:g}"
        return {"name": words.metric_name(name), "value": text, "source": source, "status": status}

    items = [item(*entry) for entry in run.env]
    return {
        "look": [entry for entry in items if entry["status"] not in ("PASS", "UNKNOWN")],
        "unknown": [entry for entry in items if entry["status"] == "UNKNOWN"],
        "fine": [entry for entry in items if entry["status"] == "PASS"],
    }


def _changed_files(run):
    """Names the CSV files that are no longer what the manifest lists; their numbers cannot be trusted."""
    problems = []
    sealed, predicted = run.manifest.get("predictions_sha256"), run.folder / "predictions.json"
    if sealed and not (predicted.is_file() and hashlib.sha256(predicted.read_bytes()).hexdigest() == sealed):
        problems.append(f"{predicted}: is not the file that was sealed before the first sample")
    for entry in run.manifest.get("outputs") or []:
        path = run.folder / str(entry.get("path", ""))
        if path.suffix != ".csv" or not path.resolve().is_relative_to(run.folder.resolve()):
            continue
        if not path.is_file():
            problems.append(f"{path}: listed in manifest.json but missing")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != entry.get("sha256"):
            problems.append(f"{path}: is not the file that manifest.json lists (its hash differs)")
    return problems


def _files(manifest):
    return [
        entry
        for entry in manifest.get("outputs") or []
        if isinstance(entry, dict) and entry.get("path") != "report.html"
    ]


def _date(manifest):
    return str(manifest.get("started_utc") or "date unknown").replace("T", " ").replace("Z", " UTC")


def _pairs(value):
    return (
        [(key, str(item)) for key, item in value.items() if item not in (None, "")]
        if isinstance(value, dict)
        else []
    )


def _write(path, text):
    unfinished = path.with_name(path.name + ".part")
    with open(unfinished, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)


def _say(message, code):
    print(f"plots: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.stderr.reconfigure(errors="backslashreplace")
    sys.exit(main())

"""Loads a run's folder: `Run` (manifest, environment) and one `Table` per lab (samples, cases, summary,
verdicts, ceilings).

Rows are dictionaries, numbers typed, empty fields None. Nothing is repaired: a broken file is a DataError
that names file and line. What a cut-off writer leaves behind (NAME.csv.part, a last line without LF) is
read and listed in `partial`.
"""

import json
from pathlib import Path

from plots import csv_strict
from plots.columns import NUMBERS, REQUIRED
from plots.csv_strict import DataError

AA = "aa"  # the variant that is a copy of the baseline


class Values(list):
    """The values of one axis in plotting order; knows the axis's name, so that panels can be titled."""

    def __init__(self, axis, values):
        super().__init__(values)
        self.axis = axis


class Run:
    """One run: `id`, `machine` (one line), `profile`, `status`, `fault`, `manifest`, `env`, `partial` (what
    is incomplete)."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.partial = []
        self.manifest = _json_object(self.folder / "manifest.json")
        self.env = environment_items(_json_object(self.folder / "env.json"))
        self.id = str(self.manifest.get("run_id") or self.folder.name)
        self.profile = str(self.manifest.get("profile") or "unknown profile")
        self.status = run_status(self.manifest)
        self.fault = int(self.manifest.get("fault") or 0)
        self.machine = machine_line(self.manifest, self.env)

    def labs(self):
        """Names of the labs that left files here, in order."""
        return sorted(
            path.name
            for path in self.folder.iterdir()
            if path.is_dir()
            and any(
                (path / name).is_file()
                for name in ("samples.csv", "samples.csv.part", "summary.csv", "schema.json")
            )
        )


class Table:
    """What one lab measured in one run. `where` narrows samples, cases and summary; verdicts and ceilings
    stay whole."""

    def __init__(self, run, lab, files, schema, partial, whole=None):
        self.run, self.lab, self.schema, self.partial = run, lab, schema, partial
        self.samples, self.cases, self.summary = files["samples"], files["cases"], files["summary"]
        self.verdicts, self.ceilings = files["verdicts"], files["ceilings"]
        self._columns = files["columns"]
        self.whole = whole or self

    def where(self, **conditions):
        """Rows whose axis or column has the value, or one of the values of a list. Files without that column
        keep all rows."""
        files = {"samples": self.samples, "cases": self.cases, "summary": self.summary}
        for name, wanted in conditions.items():
            column = self.column(name)
            allowed = wanted if isinstance(wanted, (list, tuple, set, frozenset)) else [wanted]
            for file in files:
                if column in self._columns[file]:
                    files[file] = [row for row in files[file] if row[column] in allowed]
        files |= {"verdicts": self.verdicts, "ceilings": self.ceilings, "columns": self._columns}
        return Table(self.run, self.lab, files, self.schema, self.partial, self.whole)

    def unique(self, name):
        """Values of an axis or column: numbers ascending, words in the order in which the lab declares or
        runs them."""
        column = self.column(name)
        seen = {}
        for rows in (self.cases, self.samples, self.summary):
            for row in rows:
                value = row.get(column)
                if value is not None and value != "" and not (column == "variant" and value == AA):
                    seen.setdefault(value)
        values = list(seen)
        if values and all(isinstance(value, (int, float)) for value in values):
            return Values(name, sorted(values))
        declared = self._declared(name)
        return Values(
            name, sorted(values, key=lambda v: declared.index(v) if v in declared else len(declared))
        )

    def column(self, name):
        """`p_NAME` where NAME is an axis, NAME itself where it is a column; KeyError lists the axes
        otherwise."""
        known = self._columns["samples"] | self._columns["cases"] | self._columns["summary"]
        for candidate in (f"p_{name}", name):
            if candidate in known:
                return candidate
        raise KeyError(
            f"{self.lab}: no axis or column {name!r}; the axes are {', '.join(self.axes()) or '(none)'}"
        )

    def axes(self):
        known = self._columns["samples"] | self._columns["cases"] | self._columns["summary"]
        return sorted(name[2:] for name in known if name.startswith("p_"))

    def claim(self, claim_id):
        """The verdict row of a claim, or None if this run did not judge it."""
        return next((row for row in self.verdicts if row["claim_id"] == claim_id), None)

    def derived(self, metric):
        """The summary row of a derived number, or None."""
        return next((row for row in self.summary if row["metric"] == metric and not row["case_id"]), None)

    def ceiling(self, level, pattern=None, threads=None):
        """(rate, unit) of the fastest stored ceiling that matches, or None."""
        rows = [
            row
            for row in self.ceilings
            if row["level"] == level
            and row["rate"] is not None
            and pattern in (None, row["pattern"])
            and threads in (None, row["threads"])
        ]
        best = max(rows, key=lambda row: row["rate"], default=None)
        return (best["rate"], best["unit"]) if best else None

    def _declared(self, name):
        """The words that the lab's --describe lists for an axis or for `variant`, over all profiles."""
        words = []
        for experiment in _list(self.schema.get("experiments")):
            if name == "variant":
                words += _list(experiment.get("variants"), of=str)
            if name == "experiment":
                words.append(experiment.get("name"))
            for axis in _list(experiment.get("axes")):
                if axis.get("name") == name:
                    for profile in ("reproduce", "article", "quick", "smoke"):
                        words += _list(axis.get(profile), of=str)
        return words


def load_run(folder):
    return Run(folder)


def load_lab(run, lab):
    """The lab's table; DataError if one of its files is broken. A file that is not there is an empty one."""
    folder, partial = run.folder / lab, []
    files = {
        name: _rows(_present(folder, name, partial), name, partial)
        for name in ("samples", "cases", "summary", "verdicts")
    }
    ceilings = folder / "ceilings.csv" if (folder / "ceilings.csv").is_file() else run.folder / "ceilings.csv"
    files["ceilings"] = _rows(ceilings if ceilings.is_file() else None, "ceilings", partial)
    columns = {name: columns for name, (columns, _) in files.items()}
    _type_axes([rows for name, (_, rows) in files.items() if name in ("samples", "cases", "summary")])
    rows = {name: rows for name, (_, rows) in files.items()} | {"columns": columns}
    run.partial += [note for note in partial if note not in run.partial]
    return Table(run, lab, rows, _json_object(folder / "schema.json"), partial)


def load_verdicts(run):
    """Rows of the run's own verdicts.csv: every lab's, one after the other."""
    return _rows(_present(run.folder, "verdicts", run.partial), "verdicts", run.partial)[1]


def load_predictions(run, lab):
    """(rows of the lab's predictions.csv, the row of its calibration.csv); ([], None) if nothing was asked."""
    rows = _rows(_present(run.folder / lab, "predictions", run.partial), "predictions", run.partial)[1]
    scores = _rows(_present(run.folder / lab, "calibration", run.partial), "calibration", run.partial)[1]
    return (rows, scores[0]) if rows and scores else ([], None)


def run_status(manifest):
    """The manifest's status; a missing one is a failure, and `running` without its process is an
    interruption."""
    status = str(manifest.get("status") or "failed")
    if status != "running":
        return status
    process = manifest.get("process") or {}
    try:
        fields = Path(f"/proc/{int(process.get('pid') or 0)}/stat").read_text(
            encoding="utf-8", errors="replace"
        )
        return (
            status
            if int(fields.rpartition(")")[2].split()[19]) == process.get("start_ticks")
            else "interrupted"
        )
    except (OSError, ValueError, IndexError):
        return "interrupted"


def environment_items(env):
    """env.json as [(name, value, source, status)], whether it is an object of items or a list of them."""
    env = env.get("items", env)
    pairs = (
        env.items()
        if isinstance(env, dict)
        else [(item.get("name", "?"), item) for item in env if isinstance(item, dict)]
    )
    return [
        (name, item.get("value"), str(item.get("source") or ""), str(item.get("status") or "UNKNOWN"))
        for name, item in pairs
        if isinstance(item, dict)
    ]


def machine_line(manifest, env):
    """The machine in one line, from the manifest's own line or from the environment's items."""
    if isinstance(manifest.get("machine"), str) and manifest["machine"]:
        return manifest["machine"]
    values = {name: value for name, value, _, _ in env if value not in (None, "")}
    cpus, memory, inside = (values.get(name) for name in ("effective_cpus", "memory_bytes", "container"))
    parts = [
        str(values.get("cpu_model", "")),
        f"{cpus} CPU" + ("" if cpus == 1 else "s") if cpus else "",
        f"{memory / 2**30:.3g} GiB" if isinstance(memory, (int, float)) else "",
        "virtual machine" if values.get("hypervisor") is True else "",
        f"in {inside}" if inside and inside != "none found" else "",
        str(values.get("os", "")),
    ]
    return " · ".join(part for part in parts if part) or "unknown machine"


def _present(folder, name, partial):
    whole, part = folder / f"{name}.csv", folder / f"{name}.csv.part"
    if whole.is_file():
        return whole
    if part.is_file():
        partial.append(f"{folder.name}/{part.name}: the writer did not finish")
        return part
    return None


def _rows(path, kind, partial):
    """(columns, rows) of a file, typed; nothing for None."""
    if path is None:
        return set(), []
    header, records, cut = csv_strict.read(path)
    for column in REQUIRED[kind].split():
        if column not in header:
            raise DataError(f"{path}:1: no column {column!r}; want the columns that results/README.md lists")
    if cut:
        partial.append(f"{path.parent.name}/{path.name}: cut inside its last line, which is left out")
    numbers = set(NUMBERS[kind].split())
    numeric = [name in numbers or name.startswith("m_") for name in header]
    source = str(path)
    rows = [
        {
            name: csv_strict.number(text, source, line, name) if is_number else text
            for name, text, is_number in zip(header, fields, numeric)
        }
        for line, fields in records
    ]
    return set(header), rows


def _type_axes(tables):
    """An axis whose values all look like numbers becomes one; an empty one, None. The same in every file."""
    names = {name for rows in tables for row in rows[:1] for name in row if name.startswith("p_")}
    for name in names:
        texts = {row[name] for rows in tables for row in rows if row.get(name)}
        convert = all(csv_strict.looks_numeric(text) for text in texts)
        typed = {text: csv_strict.number(text, name, 0, name) if convert else text for text in texts} | {
            "": None
        }
        for rows in tables:
            for row in rows:
                if name in row:
                    row[name] = typed[row[name]]


def _json_object(path):
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise DataError(f"{path}: holds a {type(value).__name__}; want an object")
    return value


def _list(value, of=dict):
    return [item for item in value if isinstance(item, of)] if isinstance(value, list) else []

"""What a chart's marks stand for: per series and x, every valid repetition and the summary row of the same
number.

A repetition's rate or ratio is the quotient of two figures of its own rows (work over time, time over the
baseline's time of the same block): where to put a dot. Medians, intervals and verdicts come from
summary.csv and verdicts.csv only.
"""

from dataclasses import dataclass, field

from plots.load import AA

CLOCKS = {
    "submit": "submit_ns",
    "finish": "finish_ns",
    "verified": "verified_ns",
    "device": "device_ns",
    "proc_cpu": "proc_cpu_ns_per_iter",
}
RATES = {"bandwidth": ("bytes_read_per_iter", "bytes_written_per_iter"), "throughput": ("flops_per_iter",)}


class PlotError(Exception):
    """A chart that would mislead or say nothing; the text says what to change in plot.py."""


@dataclass
class Group:
    """One place of a chart: the repetitions there and their summary row (None if the run was not judged)."""

    repetitions: list = field(default_factory=list)
    row: dict = None
    case_id: str = ""


def groups(table, x, metric, value, by, baseline=None):
    """{series value: {x value: Group}} in plotting order. PlotError if one place would mix several cases."""
    x_column = table.column(x) if x else None
    by_column = table.column(by)
    found = {}

    def place(row):
        key = row.get(by_column), row.get(x_column) if x_column else ""
        if key[0] in (None, "") or key[1] is None or (x_column and key[1] == ""):
            return None
        group = found.setdefault(key[0], {}).setdefault(key[1], Group(case_id=row["case_id"]))
        if group.case_id != row["case_id"]:
            raise PlotError(_mixed(table, x, by, key, group.case_id, row["case_id"]))
        return group

    for row in table.summary:
        if row["metric"] == metric and row["case_id"] and row["variant"] != AA and row["median"] is not None:
            group = place(row)
            if group and group.row is not None:
                raise PlotError(
                    _mixed(
                        table,
                        x,
                        by,
                        (row[by_column],),
                        f"variant {group.row['variant']}",
                        f"variant {row['variant']}",
                    )
                )
            if group and not (value == "ratio" and row["ratio"] is None):
                group.row = row
    number = _ratio_of(table, metric, baseline) if value == "ratio" else _value_of(table, metric)
    for sample in timed(table.samples):
        y = number(sample) if sample["variant"] != AA else None
        group = place(sample) if y is not None else None
        if group:
            group.repetitions.append(y)
    order = {series: index for index, series in enumerate(table.unique(by))}
    found = {
        series: {place: group for place, group in places.items() if group.repetitions or group.row}
        for series, places in found.items()
    }
    return {
        series: found[series]
        for series in sorted(found, key=lambda s: order.get(s, len(order)))
        if found[series]
    }


def timed(samples):
    """Valid timed samples: the repetitions."""
    return [sample for sample in samples if sample["phase"] == "timed" and sample["valid"] == 1]


def baseline_of(table):
    """The variant that ratios are taken against, if the table has exactly one."""
    names = {row["baseline"] for row in table.summary + table.cases if row.get("baseline")}
    return names.pop() if len(names) == 1 else None


def _value_of(table, metric):
    if metric in CLOCKS:
        return lambda sample: sample.get(CLOCKS[metric])
    if metric in RATES:
        work = {
            (case["case_id"], case["variant"]): sum(case.get(name) or 0 for name in RATES[metric])
            for case in table.whole.cases
        }

        def rate(sample):
            amount = work.get((sample["case_id"], sample["variant"]), 0)
            return (
                amount / sample["finish_ns"] if amount and sample["finish_ns"] else None
            )  # per ns = giga per s

        return rate
    return lambda sample: sample.get(f"m_{metric}")


def _ratio_of(table, metric, baseline):
    number = _value_of(table, metric)
    base = baseline or baseline_of(table)
    if base is None:
        raise PlotError(f"{table.lab}: a ratio needs one baseline; name it with baseline=")
    pairs = {
        _block(sample): number(sample) for sample in timed(table.whole.samples) if sample["variant"] == base
    }

    def ratio(sample):
        below = pairs.get(_block(sample))
        above = number(sample)
        return above / below if sample["variant"] != base and above and below else None

    return ratio


def quotients(table, above, below, metric):
    """A repetition's figure of one variant over that of another in the same block."""
    ratio = _ratio_of(table, metric, below)
    found = (ratio(sample) for sample in timed(table.samples) if sample["variant"] == above)
    return [y for y in found if y]


def _block(sample):
    return sample["case_id"], sample["invocation"], sample["block"]


def _mixed(table, x, by, key, one, other):
    places = ", ".join(f"{name}={value}" for name, value in zip((by, x), key) if name)
    return (
        f"{table.lab}: {places} holds more than one case ({one}; {other}); "
        "narrow the table with where(axis=value) or give each value its own panel"
    )

"""Numbers and codes as a reader says them. Only formatting: three significant digits, units scaled by powers
of ten."""

import math

from plots.units import UNIT_WORDS, byte_scale, time_scale

THIN = "\u202f"
_TIGHT = {"%", "×"}
_NEEDS = {
    "gpu": ("a GPU", "{} GPUs"),
    "nic": ("a network adapter that reports its speed", "{} network adapters"),
    "node": ("a second machine", "{} machines"),
    "rank": ("another process", "{} processes"),
    "pcie4": ("PCIe 4.0", "PCIe 4.0"),
    "nvlink": ("NVLink", "NVLink"),
    "cores": ("a processor", "{} processors"),
    "python": ("Python", "Python"),
    "numpy": ("NumPy", "NumPy"),
    "torch": ("PyTorch", "PyTorch"),
    "torch_cpp": ("PyTorch's C++ library", "PyTorch's C++ library"),
    "sw:mxnet": ("MXNet", "MXNet"),
    "cpu:of_the_book_builds": ("the processors of the book's builds", ""),
}
_REASONS = {
    "smoke_profile": "a smoke run never decides",
    "fault_injected": "a fault was planted in this run",
    "partial_run": "the run is not complete",
    "aa_unfit": "the machine was too unquiet: its A/A control failed",
    "warmup_not_steady": "the times had not settled after the warm-up",
    "not_separated": "the interval is too wide to decide",
    "too_few_samples": "there are too few samples for an interval",
    "no_valid_samples": "there is no valid sample",
    "unstable": "launches disagree with each other",
    "other_hardware_class": "the article speaks of another class of hardware",
    "not_available": "what it speaks of is not here",
    "documentation_only": "it is about documentation, not about a measurement",
    "evidence_not_allowed": "a model cannot decide it",
    "model_disagrees": "only a model was asked, and the model disagrees",
    "wrong_result": "the result was wrong",
    "launch_only": "the clock stopped before the work did",
    "implausible": "the number is beyond what this machine can do",
    "one_numa_node": "it needs a second memory node",
    "machine_busy": "the machine was busy with other work",
    "unknown_memory_type": "the system does not say which kind of memory it has",
    "unknown_line_rate": "no network adapter says how fast it is",
    "unknown_core_count": "the system does not say how many cores it has",
    "one_cpu": "it needs a second processor",
    "case_not_run": "this run did not measure it",
    "too_many_invalid": "too many samples were invalid",
    "drift": "the times drifted during the run",
    "clock_unstable": "the clock of this machine jumped",
    "wrong_memory_level": "the data did not lie in the memory level that was named",
}
_DISTURBED = {
    "machine_busy": "busy machine",
    "bimodal": "two groups of times",
    "autocorrelated": "neighbours alike",
    "aa_unfit": "A/A control failed",
    "warmup_not_steady": "still warming up",
}


def figure(value, unit=""):
    """'11.4 GB/s', '61×', '95 ns'; '' for nothing."""
    if value is None:
        return ""
    scale, word = _unit(value, unit)
    return _join(digits(value / scale), word)


def interval(lo, hi, unit="", like=None, bare=False):
    """'10.9 to 12.3 GB/s', both in the unit that suits `like`; '' for an exact number;
    bare: without the unit, beside a number that has it."""
    if lo is None or hi is None or lo == hi:
        return ""
    scale, word = _unit(like if like is not None else hi, unit)
    return f"{digits(lo / scale)} to {_join(digits(hi / scale), '' if bare else word)}"


def digits(value):
    """Three significant digits, more for whole numbers, thousands set apart."""
    if value == 0:
        return "0"
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{int(value):,}".replace(",", THIN)
    size = math.floor(math.log10(abs(value)))
    if size >= 6 or size < -4:
        return f"{value:.2e}"
    text = f"{value:,.{max(0, 2 - size)}f}".replace(",", THIN)
    return text.rstrip("0").rstrip(".") if "." in text and size >= 2 else text


def percent(value):
    """'2.1 %', one decimal below 100."""
    return (
        "" if value is None else f"{value:.{0 if abs(value) >= 100 else 1}f}".removesuffix(".0") + "\u202f%"
    )


def reason(code, needs=""):
    """A reason code as the end of a sentence that begins with 'because'."""
    name, _, amount = str(code or "").partition(":")
    if name.startswith("needs_") or (name in ("", "not_available") and needs):
        asked = (
            [f"{name[6:].rstrip('s') or 'gpu'}:{amount or 1}"]
            if name.startswith("needs_")
            else needs.split(";")
        )
        return "it needs " + " and ".join(_need(item) for item in asked)
    return (
        _REASONS.get(name)
        or name.replace("_", " ") + (f" ({amount})" if amount else "")
        or "no reason was recorded"
    )


def disturbance(code):
    """Why a number is noisy, short enough for a table."""
    return _DISTURBED.get(code) or metric_name(code or "")


def next_step(text):
    """(a command to type or "", words) of what would decide a claim."""
    text = text or ""
    place, _, needed = text.partition(" with ")
    if place == "run on a machine":
        return "", f"{place} with " + " and ".join(_need(item) for item in needed.split(";"))
    command, on, where = text.partition(" on ")
    return (command, (on + where).strip()) if command.startswith("./") else ("", text)


def metric_name(name):
    return name.replace("_", " ")


def plural(count, word):
    return f"{count} {word}" + ("" if count == 1 else "s")


def memory(bytes_):
    return f"{bytes_ / 2**30:.3g} GiB"


def _unit(value, unit):
    if unit == "ns":
        return time_scale(abs(value) if value else 1)
    if unit == "bytes":
        return byte_scale(abs(value) if value else 0)
    return 1, (
        "×" if unit == "ratio" else "" if unit in ("count", "bool", "share") else UNIT_WORDS.get(unit, unit or "")
    )


def _join(number, word):
    return number + ("" if word in _TIGHT or not word else "\u00a0") + word


def _need(item):
    kind, _, amount = item.strip().partition(":")
    if kind == "mem":
        return f"{amount.upper()} memory that the system names"
    if item.strip() in _NEEDS:
        return _NEEDS[item.strip()][0]
    one, many = _NEEDS.get(kind, (f"{kind} {amount}".strip(), "{} " + kind))
    return one if amount in ("", "1") or kind not in _NEEDS else many.format(amount)

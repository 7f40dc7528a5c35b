"""Names of metrics and units, and the power of ten that suits a time. Shared by charts and report; needs no
matplotlib."""

UNIT_WORDS = {"GBps": "GB/s", "GFLOPS": "GFLOP/s", "MBps": "MB/s", "us": "µs", "pct": "%", "celsius": "°C"}
METRIC_WORDS = {
    "finish": "time per call",
    "submit": "time until the call returned",
    "verified": "time per call, read back",
    "device": "device time per call",
    "proc_cpu": "processor time per call, all threads",
    "bandwidth": "bandwidth",
    "throughput": "arithmetic rate",
}
UNITS = (
    "ns",
    "us",
    "ms",
    "s",
    "bytes",
    "GBps",
    "MBps",
    "GFLOPS",
    "GHz",
    "MHz",
    "count",
    "share",
    "ratio",
    "pct",
    "elements",
    "bits",
)
ABBREVIATIONS = {
    "l1": "L1",
    "l2": "L2",
    "l3": "L3",
    "dram": "DRAM",
    "cpu": "CPU",
    "gpu": "GPU",
    "fma": "multiply-add",
    "nic": "network adapter",
    "h2d": "host to device",
    "d2h": "device to host",
    "p2p": "GPU to GPU",
    "gemm4096": "4096-matrix product",
    "condvar": "condition variable",
}
_TIMES = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))


def time_scale(median_ns):
    """(divisor, unit) for nanoseconds around this size."""
    return next(((size, unit) for size, unit in _TIMES if median_ns >= size), _TIMES[-1])


def byte_scale(size):
    """(divisor, unit) for bytes around this size."""
    powers = ((30, "GiB"), (20, "MiB"), (10, "KiB"))
    return next(((1 << power, unit) for power, unit in powers if size >= 1 << power), (1, "bytes"))


def axis_words(name):
    """("working set", "bytes") for working_set_bytes; no unit is ''."""
    words = [ABBREVIATIONS.get(word, word) for word in name.split("_")]
    if len(words) > 1 and words[-1] in UNITS:
        return " ".join(words[:-1]), UNIT_WORDS.get(words[-1], words[-1])
    return " ".join(words), ("bytes" if name == "bytes" else "")


def metric_words(metric):
    """("time per call", "ns") for finish, ("dram triad", "GBps") for dram_triad_GBps, as axis_words does."""
    return (METRIC_WORDS[metric], "") if metric in METRIC_WORDS else axis_words(metric)


def value_text(value, axis=""):
    """A value as a tick or panel title says it: 32 KiB for bytes, 64 Ki for large powers of two, else the
    plain number; names without underscores."""
    if isinstance(value, str):
        return value.replace("_", " ")
    unit = axis_words(axis)[1]
    if unit == "bytes" or (
        value >= 8192 and float(value).is_integer() and int(value) & (int(value) - 1) == 0
    ):
        for power, prefix in ((30, "Gi"), (20, "Mi"), (10, "Ki")):
            if value >= 1 << power:
                return f"{value / (1 << power):.3g} {prefix}{'B' if unit == 'bytes' else ''}"
        return f"{value:g} B" if unit == "bytes" else f"{value:g}"
    if not float(value).is_integer():
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}".replace(",", "\u2009")
    return f"{value:,.6g}".replace(",", "\u2009") if abs(value) >= 10000 else f"{value:.6g}"

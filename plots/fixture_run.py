"""A constructed run folder for the tests: every file as results/README.md describes it, every number made
from a seed.

Not a measurement, and it says so in its machine line. `build(folder)` writes two labs.
"""

import csv
import hashlib
import io
import json
import random
import statistics

from plots.fixture_claims import RUN_ID, claims
from plots.fixture_schema import CASES, CEILINGS, LEVELS, SAMPLES, SUMMARY, VARIANTS, VERDICTS
from plots.fixture_schema import describe, environment

ORDER = [(4, 0.979, 1, 8), (10, 0.979, 1, 8), (15, 0.965, 3, 11), (20, 0.959, 5, 14), (30, 0.957, 9, 20)]


def build(folder, blocks=20, status="complete", fault=0):
    """Writes a whole run under `folder` and returns it."""
    for lab in ("04_hardware", "90_second"):
        rows = _measure(lab, blocks, fault)
        (folder / lab).mkdir(parents=True, exist_ok=True)
        for name, header in (("samples", SAMPLES), ("cases", CASES), ("summary", SUMMARY)):
            write_csv(folder / lab / f"{name}.csv", header, rows[name])
        write_csv(folder / lab / "verdicts.csv", VERDICTS, claims(lab))
        (folder / lab / "schema.json").write_text(
            json.dumps(describe(lab), indent=2) + "\n", encoding="utf-8"
        )
    write_csv(folder / "verdicts.csv", VERDICTS, claims("04_hardware") + claims("90_second"))
    write_csv(
        folder / "ceilings.csv",
        CEILINGS,
        [
            dict(zip(CEILINGS, (level, pattern, threads, rate * 1.05 * threads, "GBps", RUN_ID)))
            for level, (_, rate) in LEVELS.items()
            for pattern in VARIANTS
            for threads in (1, 2)
        ],
    )
    _write_json(folder / "env.json", environment())
    write_manifest(folder, status, fault)
    return folder


def write_manifest(folder, status="complete", fault=0):
    """The manifest, with size, rows and hash of every CSV as it is now."""
    outputs = []
    for path in sorted(folder.rglob("*.csv")):
        data = path.read_bytes()
        outputs.append(
            {
                "path": path.relative_to(folder).as_posix(),
                "bytes": len(data),
                "rows": data.count(b"\n") - 1,
                "sha256": hashlib.sha256(data).hexdigest(),
            }
        )
    _write_json(
        folder / "manifest.json",
        {
            "schema": 1,
            "run_id": RUN_ID,
            "status": status,
            "exit_code": 0 if status == "complete" else 130,
            "started_utc": "2026-01-02T03:04:05Z",
            "ended_utc": "2026-01-02T03:04:41Z",
            "argv": ["build/perflab", "run", "04", "--profile", "quick", "--out", "mein Ordner"],
            "profile": "quick",
            "seed": 7,
            "fault": fault,
            "suite_version": "0.1.0",
            "machine": "Constructed CPU (a test fixture) · 2 cores · 8 GiB",
            "instrument": {"separates_above_ratio": 1.021},
            "outputs": outputs,
        },
    )


def write_csv(path, header, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([["" if row.get(name) is None else row[name] for name in header] for row in rows])
    path.write_text(text.getvalue(), encoding="utf-8")


def _measure(lab, blocks, fault):
    rng = random.Random(f"{lab}{blocks}")
    rows = {"samples": [], "cases": [], "summary": []}
    for level, (bytes_, rate) in LEVELS.items():
        for threads in (1, 2):
            _point(
                rows,
                rng,
                lab,
                blocks,
                fault,
                "stream",
                {"p_level": level, "p_threads": threads},
                "copy",
                {
                    name: (bytes_ / (rate * threads / (1.15 if level == "DRAM" else 1)) / speed, bytes_)
                    for name, speed in VARIANTS.items()
                },
                level,
                threads,
            )
    for power in range(12, 29, 2):
        size = 1 << power
        ns = 1.3 if size <= 32 << 10 else 4.2 if size <= 1 << 20 else 14 if size <= 16 << 20 else 95
        _point(
            rows,
            rng,
            lab,
            blocks,
            fault,
            "chase",
            {"p_working_set_bytes": size},
            "chase",
            {"chase": (ns, None)},
            "",
            1,
        )
    rows["summary"] += [
        _derived(lab, "dram_triad_all_cores_GBps", "GBps", 21.2, 20.6, 22.9),
        _derived(lab, "random_over_sequential_per_access_ratio", "ratio", 61.0, 58.4, 63.9),
        _derived(
            lab,
            "disk_random_over_sequential_ratio",
            "ratio",
            None,
            None,
            None,
            "not_testable",
            "no_direct_io",
        ),
    ]
    return rows


def _point(rows, rng, lab, blocks, fault, experiment, axes, baseline, work, level, threads):
    case_id = "/".join([experiment] + [f"{name[2:]}={value}" for name, value in axes.items()])
    common = {
        "schema_version": 1,
        "run_id": RUN_ID,
        "lab_id": lab,
        "experiment": experiment,
        "case_id": case_id,
        **axes,
    }
    drift = [1 + 0.03 * rng.random() for _ in range(blocks)]
    times = {}
    for variant in list(work) + ["aa"]:
        ns, bytes_ = work[baseline if variant == "aa" else variant]
        times[variant] = [
            ns * drift[b] * rng.lognormvariate(0, 0.012) * (1.5 if rng.random() < 0.03 else 1)
            for b in range(blocks)
        ]
        first = times[variant][0]
        rows["samples"].append(common | _sample(variant, threads, fault, 0, 3 * first) | {"phase": "warmup"})
        for block, value in enumerate(times[variant]):
            if block == 3:  # a sample that was thrown out and taken again
                thrown = {"valid": 0, "invalid_reason": "cfs_throttled"}
                rows["samples"].append(common | _sample(variant, threads, fault, block, 9 * value) | thrown)
            rows["samples"].append(common | _sample(variant, threads, fault, block, value, int(block == 3)))
        bytes_half = bytes_ / 2 if bytes_ else ""
        rows["cases"].append(
            common
            | {
                "variant": variant,
                "baseline": baseline,
                "invocation": 0,
                "profile": "quick",
                "fault": fault,
                "device": "cpu:0",
                "evidence": "measured",
                "subject": "this_machine",
                "link": "none",
                "cache_state": "hot",
                "bytes_read_per_iter": bytes_half,
                "bytes_written_per_iter": bytes_half,
                "level": level,
                "pattern": variant,
                "threads": threads,
                "gate": "passed",
                "first_call_ns": 90000,
                "warmup_state": "steady",
                "warmup_calls": 9,
                "inner_iters": 100,
                "blocks": blocks,
                "stop_reason": "precision",
                "status": "ok",
            }
        )
    aa = _interval([a / b for a, b in zip(times["aa"], times[baseline])])
    for variant, values in times.items():
        ratio = _interval([a / b for a, b in zip(values, times[baseline])])
        time = _interval(values)
        bytes_ = work[baseline if variant == "aa" else variant][1]
        metrics = [("finish", "ns", time, ratio)]
        if bytes_:
            metrics.append(
                (
                    "bandwidth",
                    "GBps",
                    [bytes_ / t if t else None for t in (time[0], time[2], time[1])],
                    [1 / r if r else None for r in (ratio[0], ratio[2], ratio[1])],
                )
            )
        for metric, unit, (median, lo, hi), (r, r_lo, r_hi) in metrics:
            ceiling = LEVELS[level][1] * 1.4 * threads if metric == "bandwidth" else None
            rows["summary"].append(
                common
                | {
                    "variant": variant,
                    "baseline": baseline,
                    "metric": metric,
                    "unit": unit,
                    "evidence": "measured",
                    "cache_state": "hot",
                    "n_valid": blocks,
                    "n_invalid": 0,
                    "n_invocations": 1,
                    "median": median,
                    "ci_lo": lo,
                    "ci_hi": hi,
                    "ci_level": 0.959,
                    "ci_method": "order_statistic",
                    "ratio": r,
                    "ratio_ci_lo": r_lo,
                    "ratio_ci_hi": r_hi,
                    "mde_ratio": 1.02,
                    "aa_ratio": aa[0],
                    "aa_ci_lo": aa[1],
                    "aa_ci_hi": aa[2],
                    "ceiling": ceiling,
                    "pct_of_ceiling": 100 * median / ceiling if ceiling else None,
                    "first_call_ns": 90000,
                    "warmup_state": "steady",
                    "stop_reason": "precision",
                    "drift_pct": 0.4,
                    "lag1_autocorr": 0.1,
                    "iid_ok": 1,
                    "bimodal": 0,
                    "outliers": 1,
                    "env_fit": 1,
                    "status": "noisy" if level == "DRAM" and threads == 2 else "ok",
                }
            )


def _sample(variant, threads, fault, block, ns, retake=0):
    constant = {"device": "cpu:0", "evidence": "measured", "link": "none", "logical": 0, "phase": "timed"}
    constant |= {
        "invocation": 0,
        "order_in_block": 0,
        "inner_iters": 100,
        "checksum": "00000000deadbeef",
        "valid": 1,
    }
    times = {"t_start_ns": 1000000 * block, "submit_ns": round(ns * 0.98, 3), "finish_ns": round(ns, 3)}
    place = {"variant": variant, "block": block, "sample": retake, "threads_seen": threads, "fault": fault}
    return constant | times | place


def _interval(values):
    ranked = sorted(values)
    fitting = [(lo, hi) for n, _, lo, hi in ORDER if n <= len(ranked)]
    if len(ranked) < 6:
        return statistics.median(ranked), None, None
    lo, hi = fitting[-1] if len(ranked) >= 10 else (0, len(ranked) - 1)
    return statistics.median(ranked), ranked[lo], ranked[hi]


def _derived(lab, metric, unit, value, lo, hi, status="ok", reason=""):
    return {
        "schema_version": 1,
        "run_id": RUN_ID,
        "lab_id": lab,
        "experiment": "stream",
        "metric": metric,
        "unit": unit,
        "evidence": "measured",
        "n_valid": 20,
        "median": value,
        "ci_lo": lo,
        "ci_hi": hi,
        "status": status,
        "status_reason": reason,
    }


def _write_json(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

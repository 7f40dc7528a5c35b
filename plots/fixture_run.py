"""A constructed run folder for the tests: every file as results/README.md describes it, every number made from a seed.

Not a measurement, and it says so in its machine line. `build(folder)` writes two labs; the second has a plot.py of its own
in `project(folder)`, a small tree with labs/ that the tests point plots.draw at.
"""

import csv
import hashlib
import io
import json
import random
import statistics

RUN_ID = "20260102T030405Z-0a1b2c"
LEVELS = {"L1": (32 << 10, 90.0), "L2": (1 << 20, 52.0), "DRAM": (256 << 20, 11.5)}
VARIANTS = {"copy": 1.0, "triad": 1.08, "triad_nt": 1.32}
ORDER = [(4, 0.979, 1, 8), (10, 0.979, 1, 8), (15, 0.965, 3, 11), (20, 0.959, 5, 14), (30, 0.957, 9, 20)]

SAMPLES = ("schema_version run_id lab_id experiment case_id variant p_level p_threads p_working_set_bytes device evidence link "
           "logical fault phase invocation block order_in_block sample inner_iters t_start_ns submit_ns finish_ns verified_ns "
           "device_ns proc_cpu_ns_per_iter threads_seen m_lines_touched_count cpu_mhz temp_c cfs_throttled_delta "
           "core_throttle_delta invol_ctx_switches major_faults checksum valid invalid_reason").split()
CASES = ("schema_version run_id lab_id experiment case_id variant baseline p_level p_threads p_working_set_bytes invocation "
         "profile fault device evidence subject link cache_state flops_per_iter bytes_read_per_iter bytes_written_per_iter level "
         "pattern threads working_set_bytes gate first_call_ns warmup_state warmup_calls inner_iters blocks stop_reason status "
         "status_reason status_text").split()
SUMMARY = ("schema_version run_id lab_id experiment case_id p_level p_threads p_working_set_bytes variant baseline metric unit "
           "evidence cache_state n_valid n_invalid n_invocations median ci_lo ci_hi ci_level ci_method mad q1 q3 min max ratio "
           "ratio_ci_lo ratio_ci_hi mde_ratio aa_ratio aa_ci_lo aa_ci_hi ceiling pct_of_ceiling predicted predicted_lo "
           "predicted_hi first_call_ns warmup_state stop_reason drift_pct lag1_autocorr iid_ok bimodal outliers env_fit status "
           "status_reason").split()
VERDICTS = ("run_id lab_id claim_id part source section statement claim_type experiment quantity claimed claimed_text band_lo "
            "band_hi unit observed ci_lo ci_hi rope_lo rope_hi mde_ratio n_pairs launches evidence verdict reason_code "
            "reader_word subject about needs_hw expert_verdict truth holds_when do_instead next_step surprise_rank text").split()
CEILINGS = "level pattern threads rate unit run_id".split()


def build(folder, blocks=20, status="complete", fault=0):
    """Writes a whole run under `folder` and returns it."""
    for lab in ("04_hardware", "90_second"):
        rows = _measure(lab, blocks, fault)
        (folder / lab).mkdir(parents=True, exist_ok=True)
        for name, header in (("samples", SAMPLES), ("cases", CASES), ("summary", SUMMARY)):
            write_csv(folder / lab / f"{name}.csv", header, rows[name])
        write_csv(folder / lab / "verdicts.csv", VERDICTS, claims(lab))
        (folder / lab / "schema.json").write_text(json.dumps(_describe(lab), indent=2) + "\n", encoding="utf-8")
    write_csv(folder / "verdicts.csv", VERDICTS, claims("04_hardware") + claims("90_second"))
    write_csv(folder / "ceilings.csv", CEILINGS, [dict(zip(CEILINGS, (level, pattern, threads, rate * 1.05 * threads, "GBps", RUN_ID)))
                                                  for level, (_, rate) in LEVELS.items() for pattern in VARIANTS for threads in (1, 2)])
    _write_json(folder / "env.json", _environment())
    write_manifest(folder, status, fault)
    return folder


def write_manifest(folder, status="complete", fault=0):
    """The manifest, with size, rows and hash of every CSV as it is now."""
    outputs = []
    for path in sorted(folder.rglob("*.csv")):
        data = path.read_bytes()
        outputs.append({"path": path.relative_to(folder).as_posix(), "bytes": len(data), "rows": data.count(b"\n") - 1,
                        "sha256": hashlib.sha256(data).hexdigest()})
    _write_json(folder / "manifest.json", {
        "schema": 1, "run_id": RUN_ID, "status": status, "exit_code": 0 if status == "complete" else 130,
        "started_utc": "2026-01-02T03:04:05Z", "ended_utc": "2026-01-02T03:04:41Z",
        "argv": ["build/perflab", "run", "04", "--profile", "quick", "--out", "mein Ordner"], "profile": "quick", "seed": 7,
        "fault": fault, "suite_version": "0.1.0", "machine": "Constructed CPU (a test fixture) · 2 cores · 8 GiB",
        "instrument": {"separates_above_ratio": 1.021}, "outputs": outputs})


def write_csv(path, header, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([["" if row.get(name) is None else row[name] for name in header] for row in rows])
    path.write_text(text.getvalue(), encoding="utf-8")


def project(folder):
    """A tree with labs/NN_name/plot.py: one good plot, for the lab that the fixture calls 90_second."""
    lab = folder / "labs" / "90_second"
    lab.mkdir(parents=True)
    (lab / "plot.py").write_text(PLOT, encoding="utf-8")
    (folder / "labs" / "04_hardware").mkdir()
    (folder / "labs" / "04_hardware" / "plot.py").write_text(PLOT.replace("90_second", "04_hardware"), encoding="utf-8")
    return folder


PLOT = '''"""How fast is memory, level by level? For the tests."""
from plots.style import article_band, ceiling_line, figure, repetitions_and_median

def draw(table, out):
    part = table.where(experiment="stream", threads=1)
    chart, axes = figure(columns=part.unique("level"), title="How fast can one core move bytes at each level?", run=table.run)
    for ax, level in zip(axes, part.unique("level")):
        repetitions_and_median(ax, part.where(level=level), metric="bandwidth")
    article_band(axes[-1], 20, 25, "article: 20-25 GB/s")
    chart.save(out / "90_second.svg", caption="Bandwidth of each access pattern at each memory level on one core.")

    part = table.where(experiment="chase")
    chart, axes = figure(title="How long does one dependent read take?", run=table.run)
    repetitions_and_median(axes[0], part, x="working_set_bytes", metric="finish")
    chart.save(out / "90_chase.svg")

    part = table.where(experiment="stream", level="DRAM")
    chart, axes = figure(title="Do streaming stores help?", run=table.run)
    repetitions_and_median(axes[0], part, x="threads", metric="finish", value="ratio")
    chart.save(out / "90_ratio.svg")
'''


def _measure(lab, blocks, fault):
    rng = random.Random(f"{lab}{blocks}")
    rows = {"samples": [], "cases": [], "summary": []}
    for level, (bytes_, rate) in LEVELS.items():
        for threads in (1, 2):
            _point(rows, rng, lab, blocks, fault, "stream", {"p_level": level, "p_threads": threads}, "copy", {
                name: (bytes_ / (rate * threads / (1.15 if level == "DRAM" else 1)) / speed, bytes_)
                for name, speed in VARIANTS.items()}, level, threads)
    for power in range(12, 29, 2):
        size = 1 << power
        ns = 1.3 if size <= 32 << 10 else 4.2 if size <= 1 << 20 else 14 if size <= 16 << 20 else 95
        _point(rows, rng, lab, blocks, fault, "chase", {"p_working_set_bytes": size}, "chase", {"chase": (ns, None)}, "", 1)
    rows["summary"] += [
        _derived(lab, "dram_triad_all_cores_GBps", "GBps", 21.2, 20.6, 22.9),
        _derived(lab, "random_over_sequential_per_access_ratio", "ratio", 61.0, 58.4, 63.9),
        _derived(lab, "disk_random_over_sequential_ratio", "ratio", None, None, None, "not_testable", "no_direct_io")]
    return rows


def _point(rows, rng, lab, blocks, fault, experiment, axes, baseline, work, level, threads):
    case_id = "/".join([experiment] + [f"{name[2:]}={value}" for name, value in axes.items()])
    common = {"schema_version": 1, "run_id": RUN_ID, "lab_id": lab, "experiment": experiment, "case_id": case_id, **axes}
    drift = [math_walk(rng) for _ in range(blocks)]
    times = {}
    for variant in list(work) + ["aa"]:
        ns, bytes_ = work[baseline if variant == "aa" else variant]
        times[variant] = [ns * drift[b] * rng.lognormvariate(0, 0.012) * (1.5 if rng.random() < 0.03 else 1) for b in range(blocks)]
        for block, value in enumerate(times[variant]):
            rows["samples"].append(common | {
                "variant": variant, "device": "cpu:0", "evidence": "measured", "link": "none", "logical": 0, "fault": fault,
                "phase": "timed", "invocation": 0, "block": block, "order_in_block": 0, "sample": 0, "inner_iters": 100,
                "t_start_ns": 1000000 * block, "submit_ns": round(value * 0.98, 3), "finish_ns": round(value, 3),
                "threads_seen": threads, "checksum": "00000000deadbeef", "valid": int(block != 3 or variant != "aa"),
                "invalid_reason": "" if block != 3 or variant != "aa" else "cfs_throttled"})
        bytes_half = bytes_ / 2 if bytes_ else ""
        rows["cases"].append(common | {
            "variant": variant, "baseline": baseline, "invocation": 0, "profile": "quick", "fault": fault, "device": "cpu:0",
            "evidence": "measured", "subject": "this_machine", "link": "none", "cache_state": "hot",
            "bytes_read_per_iter": bytes_half, "bytes_written_per_iter": bytes_half, "level": level, "pattern": variant,
            "threads": threads, "gate": "passed", "first_call_ns": 90000, "warmup_state": "steady", "warmup_calls": 9,
            "inner_iters": 100, "blocks": blocks, "stop_reason": "precision", "status": "ok"})
    aa = _interval([math_ratio(a, b) for a, b in zip(times["aa"], times[baseline])])
    for variant, values in times.items():
        ratio = _interval([math_ratio(a, b) for a, b in zip(values, times[baseline])])
        time = _interval(values)
        bytes_ = work[baseline if variant == "aa" else variant][1]
        metrics = [("finish", "ns", time, ratio)]
        if bytes_:
            metrics.append(("bandwidth", "GBps", [bytes_ / t if t else None for t in (time[0], time[2], time[1])],
                            [1 / r if r else None for r in (ratio[0], ratio[2], ratio[1])]))
        for metric, unit, (median, lo, hi), (r, r_lo, r_hi) in metrics:
            ceiling = LEVELS[level][1] * 1.4 * threads if metric == "bandwidth" else None
            rows["summary"].append(common | {
                "variant": variant, "baseline": baseline, "metric": metric, "unit": unit, "evidence": "measured",
                "cache_state": "hot", "n_valid": blocks, "n_invalid": 0, "n_invocations": 1, "median": median, "ci_lo": lo,
                "ci_hi": hi, "ci_level": 0.959, "ci_method": "order_statistic", "ratio": r, "ratio_ci_lo": r_lo,
                "ratio_ci_hi": r_hi, "mde_ratio": 1.02, "aa_ratio": aa[0], "aa_ci_lo": aa[1], "aa_ci_hi": aa[2],
                "ceiling": ceiling, "pct_of_ceiling": 100 * median / ceiling if ceiling else None, "first_call_ns": 90000,
                "warmup_state": "steady", "stop_reason": "precision", "drift_pct": 0.4, "lag1_autocorr": 0.1, "iid_ok": 1,
                "bimodal": 0, "outliers": 1, "env_fit": 1, "status": "noisy" if level == "DRAM" and threads == 2 else "ok"})


def math_walk(rng):
    return 1 + 0.03 * rng.random()


def math_ratio(a, b):
    return a / b


def _interval(values):
    ranked = sorted(values)
    fitting = [(lo, hi) for n, _, lo, hi in ORDER if n <= len(ranked)]
    if len(ranked) < 6:
        return statistics.median(ranked), None, None
    lo, hi = fitting[-1] if len(ranked) >= 10 else (0, len(ranked) - 1)
    return statistics.median(ranked), ranked[lo], ranked[hi]


def _derived(lab, metric, unit, value, lo, hi, status="ok", reason=""):
    return {"schema_version": 1, "run_id": RUN_ID, "lab_id": lab, "experiment": "stream", "metric": metric, "unit": unit,
            "evidence": "measured", "n_valid": 20, "median": value, "ci_lo": lo, "ci_hi": hi, "status": status,
            "status_reason": reason}


def _describe(lab):
    return {"lab": lab, "experiments": [
        {"name": "stream", "question": "How fast can this machine move bytes at each level of memory?", "variants": list(VARIANTS),
         "baseline": "copy", "axes": [{"name": "level", "values": {"quick": list(LEVELS)}}, {"name": "threads", "values": {"quick": [1, 2]}}]},
        {"name": "chase", "question": "How long does one dependent read take?", "variants": ["chase"], "baseline": "chase",
         "axes": [{"name": "working_set_bytes", "values": {}}]}]}


def _environment():
    return {"cpu_model": {"value": "Constructed CPU", "source": "/proc/cpuinfo", "status": "PASS"},
            "effective_cpus": {"value": 2, "source": "sched_getaffinity, cgroup", "status": "PASS"},
            "cpufreq_governor": {"value": None, "source": "/sys/devices/system/cpu", "status": "UNKNOWN"},
            "load_average_start": {"value": 1.9, "source": "/proc/loadavg", "status": "WARN"},
            "transparent_huge_pages": {"value": "madvise", "source": "/sys/kernel/mm", "status": "PASS"}}


def claims(lab):
    """Eight claims: every word of the report, band and point, open and closed, with and without numbers."""
    common = {"run_id": RUN_ID, "lab_id": lab, "source": "articles/a", "n_pairs": 20, "launches": 1, "evidence": "measured",
              "subject": "this_machine", "about": "hardware", "rope_lo": 1 / 1.05, "rope_hi": 1.05, "mde_ratio": 1.02,
              "part": "", "experiment": "stream"}
    made = [
        dict(claim_id="memory-20-25", section="5.2 memory", statement="Mainstream DDR4 delivers 20-25 GB/s.", claim_type="absolute",
             quantity="dram_triad_all_cores_GBps", claimed_text="20–25 GB/s", band_lo=20, band_hi=25, unit="GBps", observed=11.4,
             ci_lo=10.9, ci_hi=12.3, verdict="CONTRADICTED", reason_code="", reader_word="does not hold", surprise_rank=1,
             expert_verdict="misleading", needs_hw="mem:ddr4",
             truth="That is one memory channel. A dual-channel desktop has twice as much, an eight-channel server eight times.",
             holds_when="One DDR4 channel.", do_instead="Multiply by populated channels, then measure with all cores.",
             text="CONTRADICTED: 11.4 GB/s [10.9, 12.3], n=20, on this machine."),
        dict(claim_id="scattered-reads", section="5.2 memory", claim_type="direction",
             statement="High bandwidth does not mean low latency; many scattered reads are clearly slower.",
             quantity="random_over_sequential_per_access_ratio", claimed_text="at least 2×", band_lo=2, band_hi=None, unit="ratio",
             observed=61.0, ci_lo=58.4, ci_hi=63.9, verdict="REPRODUCED", reason_code="", reader_word="holds", surprise_rank=3,
             expert_verdict="true", truth="A dependent random read pays the whole DRAM latency, about 100 ns; streaming hides it.",
             holds_when="Working set beyond the last-level cache, dependent accesses.",
             do_instead="Pack data and read it in order; batch random lookups.", text="REPRODUCED: 61 [58.4, 63.9], n=20."),
        dict(claim_id="streaming-stores", section="5.3 CPU", statement="Streaming stores make a triad twice as fast.",
             claim_type="ratio", quantity="triad.finish / triad_nt.finish", claimed=2.0, claimed_text="2×", band_lo=1.6, band_hi=2.4,
             unit="ratio", observed=1.32, ci_lo=1.29, ci_hi=1.36, verdict="DIRECTION HOLDS", reason_code="", surprise_rank=2,
             reader_word="holds only when", expert_verdict="misleading",
             truth="They save the read for ownership: 4 streams of traffic become 3, so 1.33 is the bound.",
             holds_when="Arrays far larger than the last cache.", do_instead="Use them only for data that is not read again soon.",
             text="DIRECTION HOLDS: 1.32 [1.29, 1.36] of 2 claimed, n=20."),
        dict(claim_id="roofline-bounds-all", section="5 hardware", statement="All code is finally limited by the hardware's bounds.",
             claim_type="bound", quantity="max_rate_over_roofline_ratio", claimed_text="(no figure)", band_hi=1.05, unit="ratio",
             observed=0.97, verdict="REPRODUCED", reason_code="", reader_word="holds", surprise_rank=4, expert_verdict="true",
             truth="No kernel beats the lower of peak arithmetic and intensity times bandwidth.", holds_when="Traffic counted correctly.",
             do_instead="Place every kernel on a measured roofline; then ask what is missing.", text="REPRODUCED: every sample, n=120.")]
    for index, (claim, needs, says) in enumerate((
            ("PCIe 4.0 x16 gives about 32 GB/s between CPU and GPU.", "gpu:1;pcie4", "32 GB/s"),
            ("A GPU has thousands of cores built for repeated parallel arithmetic.", "gpu:1", "thousands"),
            ("NVLink between GPUs gives 100-900 GB/s depending on version.", "gpu:2;nvlink", "100–900 GB/s"))):
        made.append(dict(claim_id=f"needs-gpu-{index}", section="5.5 buses", statement=claim, claim_type="absolute", unit="GBps",
                         claimed_text=says, verdict="NOT TESTABLE HERE", reason_code=f"needs_gpus:{needs[4]}", surprise_rank=9 + index,
                         reader_word="cannot tell here", needs_hw=needs, expert_verdict="true", n_pairs=None, launches=None,
                         truth="31.5 GB/s is the raw rate per direction.", holds_when="Pinned buffers, large messages.",
                         do_instead="Read the negotiated link, pin and reuse buffers.", next_step="run on a machine with a GPU",
                         text="NOT TESTABLE HERE: needs a GPU."))
    made.append(dict(claim_id="two-cores-double", section="5.1 overview", statement="Two cores read memory twice as fast as one.",
                     claim_type="ratio", quantity="one.finish / two.finish", claimed=2, claimed_text="2×", band_lo=1.6, band_hi=2.4,
                     unit="ratio", observed=1.5, ci_lo=1.2, ci_hi=1.9, verdict="INCONCLUSIVE", reason_code="interval_too_wide",
                     reader_word="cannot tell here", surprise_rank=8, expert_verdict="false", truth="One core often comes close.",
                     holds_when="Cores on their own channels.", do_instead="Measure 1, 2 and all cores.",
                     next_step="perflab run 04 --profile reproduce", text="INCONCLUSIVE: 1.5 [1.2, 1.9], n=20."))
    return [common | row | {"claim_id": f"{lab[:2]}-{row['claim_id']}"} for row in made]


def _write_json(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

"""A lab under --benchmark_* flags, as a program: `front_end_test.py CASE TINY_LAB SHIM REAL_LAB`, CASE being a function here."""

import csv
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SUFFIX = "/process_time/manual_time"  # the library's own addition to a name
SKIPPED = 77


def want(holds, what):
    if not holds:
        sys.exit(f"want: {what}")


def run(program, *words, code=0, env=None, cwd=None):
    """(stdout, stderr) of a program that must end with that exit code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BENCHMARK_")}
    end = subprocess.run([str(program), *map(str, words)], env=environment | (env or {}), cwd=cwd, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    want(end.returncode == code, f"exit code {code} of {words}, not {end.returncode}:\n{end.stdout}\n{end.stderr}")
    return end.stdout, end.stderr


def strict(text):
    """The JSON value; bare NaN or Infinity and keys that come twice are no JSON."""
    def refuse(token):
        sys.exit(f"want: no {token} in the JSON")

    def unique(pairs):
        want(len(dict(pairs)) == len(pairs), f"each key once in {[key for key, _ in pairs]}")
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def files_below(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def names_in(lab, *words):
    lines = run(lab, *words, "--benchmark_list_tests=true")[0].splitlines()
    want(all(line.endswith(SUFFIX) for line in lines), f"names that end in {SUFFIX}: {lines}")
    return [line[:-len(SUFFIX)] for line in lines]


def cross_product(description, values, hidden=False):
    """All names that the experiments of a description could give, per experiment."""
    names = {}
    for experiment in description["experiments"]:
        if experiment["hidden"] != hidden:
            continue
        axes = [[f"{axis['name']}={value}" for value in axis[values] or axis["quick"]] for axis in experiment["axes"]]
        names[experiment["name"]] = ["/".join([experiment["name"], *point, variant])
                                     for point in itertools.product(*axes) for variant in experiment["variants"]]
    return names


def json_and_files(folder, tiny, _shim, _real):
    """Filter, repetitions and JSON to a file: what it says, and that nothing else is written."""
    out = folder / "out file.json"
    shown, _ = run(tiny, "--profile", "smoke", "--seed", "5", "--benchmark_filter=sum/n=10/", "--benchmark_repetitions=3",
                   "--benchmark_min_time=0.001", "--benchmark_format=json", f"--benchmark_out={out}", cwd=folder)
    want(files_below(folder) == ["out file.json"], f"one file, not {files_below(folder)}")
    documents = [strict(shown), strict(out.read_text(encoding="utf-8"))]
    for document in documents:
        context = document["context"]
        want(context["perflab_lab"] == "99_tiny" and context["perflab_profile"] == "smoke" and context["perflab_seed"] == "5"
             and context["executable"] == tiny
             and re.fullmatch(r"\d+\.\d+\.\d+", context["perflab_version"])
             and re.match(r"\d+\.\d+", context["perflab_google_benchmark"]), f"our entries in {context}")
        for variant, size in [("floats", 4), ("doubles", 8)]:
            rows = [row for row in document["benchmarks"] if row["run_name"] == f"sum/n=10/{variant}{SUFFIX}"]
            single = [row for row in rows if row["run_type"] == "iteration"]
            want(len(single) == 3, f"three repetitions of {variant} in {rows}")
            want({row.get("aggregate_name") for row in rows} >= {"mean", "median", "stddev", "cv"}, "aggregates")
            for row in single:
                want(row["elements_count"] == 10 and row["zero_count"] == 0 and row["threads"] == 1, f"our counters in {row}")
                per_second = row["bytes_per_second"] * row["real_time"] / 1e9
                want(abs(per_second / (10 * size) - 1) < 1e-6, f"bytes over our time in {row}")
        want(len(document["benchmarks"]) == 2 * 7, "no other case")


def list_tests(folder, tiny, _shim, real):
    """The list is the plan: of --describe, of a judged measurement, and of --profile, --experiment and --set."""
    description = strict(run(tiny, "--describe")[0])
    for profile in ("smoke", "quick"):
        expected = [name for names in cross_product(description, profile).values() for name in names]
        want(names_in(tiny, "--profile", profile) == expected, f"the cases of --describe: {expected}")
    run(tiny, "--profile", "smoke", "--out", folder)
    cases = next(folder.glob("*/99_tiny/cases.csv")).read_text(encoding="utf-8").splitlines()
    measured = {f"{row['case_id']}/{row['variant']}" for row in csv.DictReader(cases)}
    want({name for name in measured if not name.endswith("/aa")} == set(names_in(tiny, "--profile", "smoke")),
         f"the cases that were measured: {measured}")
    want(names_in(tiny, "--set", "n=7", "--experiment", "sum") == ["sum/n=7/floats", "sum/n=7/doubles"], "--set and --experiment")
    want(names_in(tiny, "--experiment", "broken") == ["broken/right", "broken/wrong"], "a hidden experiment that is named")

    possible = cross_product(strict(run(real, "--describe")[0]), "smoke")
    listed = names_in(real, "--profile", "smoke")
    want(len(set(listed)) == len(listed) > 0 and set(listed) <= {name for names in possible.values() for name in names},
         f"no name that {real} does not describe: {listed}")
    for experiment, names in possible.items():
        for variant in {name.rsplit("/", 1)[1] for name in names}:
            want(any(name.startswith(experiment + "/") and name.endswith("/" + variant) for name in listed),
                 f"{experiment} {variant} to be listed")


def exit_codes(folder, tiny, _shim, _real):
    """0, 1, 2, 5 and 77, each with its reason, and flags that fit nothing else."""
    quick = ("--profile", "smoke", "--benchmark_min_time=0.001")
    shown, _ = run(tiny, *quick, "--benchmark_format=json")
    rows = {row["name"]: row for row in strict(shown)["benchmarks"]}
    gpu = rows[f"gpu/kernel{SUFFIX}"]
    said = gpu.get("error_message") or gpu.get("skip_message")
    want(len(rows) == 5 and said == "skipped: needs_gpus:1: there is no GPU here", f"five rows, one skipped: {rows}")
    run(tiny, *quick, "--benchmark_filter=gpu", code=77)
    shown, _ = run(tiny, *quick, "--experiment", "broken", "--benchmark_format=json", code=1)
    wrong = [row for row in strict(shown)["benchmarks"] if row.get("error_occurred")]
    want(len(wrong) == 1 and "two is three" in wrong[0]["error_message"], f"one wrong row of {shown}")
    for words, said in [(["--benchmark_fliter=x"], "did you mean --benchmark_filter?"),
                        (["--benchmark_filter", "x"], "x"),
                        (["--benchmark_filter=nothing"], "--benchmark_filter=nothing"),
                        (["--benchmark_min_time=soon"], "want seconds"),
                        (["--benchmark_out=" + str(folder / "none" / "a.json")], "No such file"),
                        (["--benchmark_filter=sum", "--out", str(folder)], "--benchmark_out=FILE"),
                        (["--benchmark_filter=sum", "--describe"], "leave --describe out"),
                        (["--benchmark_filter=sum", "--experiment", "smu"], "sum"),
                        (["--benchmark_filter=sum", "--devices", "cpu:9"], "cpu:0")]:
        _, error = run(tiny, *words, code=2)
        want(said in error, f"'{said}' in what {words} is told: {error}")
    _, error = run(tiny, *quick, "--benchmark_filter=sum", "--benchmark_out=/dev/full", code=5)
    want("/dev/full" in error, f"the file to be named: {error}")
    want(files_below(folder) == [], f"no file, not {files_below(folder)}")
    help_text, _ = run(tiny, "--help")
    want("--benchmark_" in help_text and "docs/google_benchmark.md" in help_text, "--help to mention it")


def formats(folder, tiny, _shim, _real):
    """Console, CSV, interleaving, aggregates and the dry run, where the installed version has one."""
    quick = ("--profile", "smoke", "--benchmark_min_time=0.001", "--benchmark_filter=sum")
    shown, _ = run(tiny, *quick)
    want(f"sum/n=1000/doubles{SUFFIX}" in shown and "elements_count=" in shown, f"a table: {shown}")
    shown, _ = run(tiny, *quick, "--benchmark_repetitions=2")
    want("_cv" in shown and "nan" not in shown, f"a table without the spread of zero: {shown}")
    out = folder / "a.csv"
    run(tiny, *quick, "--benchmark_repetitions=2", "--benchmark_enable_random_interleaving=true", f"--benchmark_out={out}",
        "--benchmark_out_format=csv")
    lines = out.read_text(encoding="utf-8").splitlines()
    want(lines[0].startswith("name,iterations,") and '"launches_count"' in lines[0] and len(lines) == 1 + 4 * (2 + 4),
         f"a header with the columns of all experiments and a line for each row: {lines}")
    want(len({line.count(",") for line in lines}) == 1, f"lines of equal width: {lines}")
    shown, _ = run(tiny, *quick, "--benchmark_format=json", "--benchmark_repetitions=2", "--benchmark_report_aggregates_only=true")
    want({row["run_type"] for row in strict(shown)["benchmarks"]} == {"aggregate"}, f"aggregates only: {shown}")
    dry = subprocess.run([tiny, *quick, "--benchmark_dry_run=true", "--benchmark_format=json"], capture_output=True, text=True,
                         check=False)
    if dry.returncode == 2:
        want("--benchmark_dry_run" in dry.stderr, f"this version's refusal of a dry run to name it: {dry.stderr}")
    else:
        want(dry.returncode == 0 and {row["iterations"] for row in strict(dry.stdout)["benchmarks"]} == {1}, "one iteration each")


def compare_py():
    """The distribution's compare.py with a Python that can run it; ends the test as skipped where there is none."""
    listed = subprocess.run(["dpkg", "-L", "libbenchmark-tools"], capture_output=True, text=True, check=False)
    scripts = [line for line in listed.stdout.splitlines() if line.endswith("/compare.py")]
    if listed.returncode or not scripts:
        print("skipped: the package libbenchmark-tools with compare.py is not installed")
        sys.exit(SKIPPED)
    for python in ("/usr/bin/python3", sys.executable):
        if Path(python).exists() and subprocess.run([python, "-c", "import numpy, scipy"], capture_output=True, check=False).returncode == 0:
            return python, scripts[0]
    print("skipped: compare.py needs Python with scipy (the package python3-scipy), which is not here")
    sys.exit(SKIPPED)


def compare(folder, tiny, _shim, _real):
    """compare.py reads two of our files, compares variants within one, and runs the lab itself."""
    python, script = compare_py()
    quick = ("--profile", "smoke", "--benchmark_min_time=0.001", "--benchmark_repetitions=3", "--benchmark_filter=sum")
    for name in ("a.json", "b.json"):
        run(tiny, *quick, f"--benchmark_out={folder / name}")
    environment = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}
    said, _ = run(python, script, "-d", folder / "difference.json", "benchmarks", folder / "a.json", folder / "b.json", env=environment)
    for name in names_in(tiny, "--profile", "smoke"):
        want((name + SUFFIX in said) == name.startswith("sum/"), f"{name} in what compare.py says: {said}")
    want("_pvalue" in said, f"a test over the repetitions: {said}")
    difference = strict((folder / "difference.json").read_text(encoding="utf-8"))
    rows = {row["name"]: row for row in difference if row["run_type"] == "iteration"}
    want(len(rows) == 4 and all(len(row["measurements"]) == 3 for row in rows.values()), f"four cases with three pairs: {rows}")
    said, _ = run(python, script, "filters", folder / "a.json", "/floats", "/doubles", env=environment)
    want(f"sum/n=10[/floats vs. /doubles]{SUFFIX}" in said, f"variants of one file: {said}")
    said, _ = run(python, script, "filters", tiny, "/floats", "/doubles", "--profile", "smoke", "--benchmark_min_time=0.001",
                  env=environment)
    want(f"sum/n=1000[/floats vs. /doubles]{SUFFIX}" in said, f"the lab as a program that compare.py runs: {said}")


def starts_once(folder, tiny, shim, _real):
    """A personality() call that lies does not make the program start again, whatever the front end."""
    plain = Path(tempfile.mkdtemp(prefix="perflab-shim-")) / "shim.so"  # LD_PRELOAD takes blanks and colons for separators
    shutil.copy(shim, plain)
    try:
        count_starts(folder, tiny, plain)
    finally:
        shutil.rmtree(plain.parent)


def count_starts(folder, tiny, shim):
    for words in (["--profile", "smoke", "--benchmark_filter=sum", "--benchmark_min_time=0.001"], ["--describe"]):
        starts = folder / f"starts{len(words)}"
        run(tiny, *words, env={"LD_PRELOAD": str(shim), "PERFLAB_TEST_STARTS": str(starts)})
        lines = starts.read_text(encoding="utf-8").splitlines()
        want(lines == ["start"], f"one start with {words}, not {len(lines)}")


def real_lab(folder, _tiny, _shim, real):
    """A lab of the suite: filter, repetitions and JSON."""
    out = folder / "real.json"
    run(real, "--profile", "smoke", "--benchmark_filter=^loop/", "--benchmark_repetitions=2", "--benchmark_min_time=0.001",
        f"--benchmark_out={out}", cwd=folder)
    document = strict(out.read_text(encoding="utf-8"))
    listed = {name for name in names_in(real, "--profile", "smoke") if name.startswith("loop/")}
    rows = [row for row in document["benchmarks"] if row["run_type"] == "iteration"]
    want({row["name"][:-len(SUFFIX)] for row in rows} == listed and len(rows) == 2 * len(listed) > 0, f"two rows for each of {listed}")
    want(all(row["real_time"] > 0 for row in rows), "a time in each row")
    want(document["context"]["perflab_lab"] == Path(real).name, "the lab in the context")
    want(files_below(folder) == ["real.json"], f"one file, not {files_below(folder)}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="perflab ü (test) ") as scratch:
        globals()[sys.argv[1]](Path(scratch), *sys.argv[2:])

"""python3 -m plots.draw RUN_FOLDER [LAB] [--check]: runs labs/NN_name/plot.py for every lab of a run.

Charts go to RUN_FOLDER/<lab>/plots/. Measurements are only read. A plot that fails is named on stderr and
in <lab>/plots/FAILED.txt, the others are drawn, and the exit code is 1; 2 usage, 4 a broken data file, 5 a
chart that cannot be written, 6 no usable matplotlib. `--project DIR` takes labs/ from elsewhere.
"""

import argparse
import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))  # so that plot.py finds `plots` whatever the current folder is

from plots import backend  # noqa: E402
from plots.load import DataError, load_lab, load_run  # noqa: E402

FAILED = "FAILED.txt"


def main(arguments=None):
    options = _parse(arguments)
    sys.dont_write_bytecode = True  # a lab's folder is source, not a cache
    try:
        run = load_run(options.run)
        labs = _labs(run, options.lab)
        backend.require()
    except DataError as error:
        return _say(error, 4)
    except backend.Unavailable as error:
        return _say(error, 6)
    except (OSError, ValueError) as error:
        return _say(error, 2)
    codes = [draw_lab(run, lab, Path(options.project), options.check) for lab in labs]
    return next((code for code in (5, 1, 4) if code in codes), 0)


def draw_lab(run, lab, project, check=False):
    """Draws one lab's charts; returns its exit code and leaves the reason of a failure beside them."""
    script, out = project / "labs" / lab / "plot.py", run.folder / lab / "plots"
    if not script.is_file():
        return 0
    try:
        table = load_lab(run, lab)
    except DataError as error:
        return _failed(lab, out, error, 4)
    try:
        out.mkdir(parents=True, exist_ok=True)
        charts = _run_script(script, lab, table, out)
        if not charts and not _partial(table):
            raise RuntimeError("it saved no chart; draw(table, out) must call save()")
        for chart in charts if check else []:
            _check(chart)
        (out / FAILED).unlink(missing_ok=True)
        return 0
    except OSError as error:
        return _failed(lab, out, error, 5)
    except (Exception, SystemExit) as error:  # whatever a plot.py does, the other labs are drawn
        return _failed(lab, out, error, 1)


def _partial(table):
    """Whether some of the lab's experiments left no sample: the others may have no chart."""
    declared = {row["name"] for row in table.schema.get("experiments", []) if not row.get("hidden")}
    return not declared <= {row["experiment"] for row in table.samples}


def _run_script(script, lab, table, out):
    from plots import style

    spec = importlib.util.spec_from_file_location(f"plot_of_{lab}", script)
    module = importlib.util.module_from_spec(spec)
    with style.saved_charts() as charts:
        spec.loader.exec_module(module)
        module.draw(table, out)
    return charts


def _check(chart):
    from plots import check

    problems = check.figure_problems(chart)
    if problems:
        raise RuntimeError("; ".join(problems))


def _labs(run, wanted):
    if not run.manifest and not run.labs():
        raise ValueError(f"{run.folder}: no manifest.json and no lab's files; want the folder of a run")
    labs = run.labs()
    if wanted is None:
        return labs
    chosen = [lab for lab in labs if wanted in (lab, lab.split("_")[0])]
    if not chosen:
        raise ValueError(f"{run.folder}: no lab {wanted!r}; this run has {', '.join(labs) or 'none'}")
    return chosen


def _failed(lab, out, error, code):
    text = " ".join(f"{error}".split()) or "no message"
    where = _where(error)
    line = f"{lab}: {type(error).__name__}{where}: {text}"
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / FAILED).write_text(line + "\n", encoding="utf-8", errors="backslashreplace")
    except OSError:
        code = 5
    return _say(f"plot failed: {line}", code)


def _where(error):
    """' (plot.py line 7)' for an error that passed through a plot.py."""
    trace, found = error.__traceback__, ""
    while trace:
        if Path(trace.tb_frame.f_code.co_filename).name == "plot.py":
            found = f" (plot.py line {trace.tb_lineno})"
        trace = trace.tb_next
    return found


def _say(message, code):
    print(f"plots: {message}", file=sys.stderr)
    return code


def _parse(arguments):
    parser = argparse.ArgumentParser(prog="plots.draw", description="Draws the charts of a run.")
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("lab", nargs="?", help="only this lab: its folder's name or its number")
    parser.add_argument(
        "--check", action="store_true", help="also hold the charts against the rules of check.py"
    )
    parser.add_argument("--project", default=ROOT, help="tree that holds labs/ (default: this one)")
    return parser.parse_intermixed_args(arguments)


if __name__ == "__main__":
    sys.stderr.reconfigure(errors="backslashreplace")
    sys.exit(main())

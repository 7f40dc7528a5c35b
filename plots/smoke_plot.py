"""python3 -m plots.smoke_plot RUNS LAB: draws a lab's newest run below RUNS into a scratch copy and checks
the charts.

Exit 77 (skipped) if the lab has no run there or matplotlib is missing, 1 if plot.py fails or breaks a rule
of check.py.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from plots import backend, draw


def main(runs, lab):
    try:
        backend.require()
    except backend.Unavailable as error:
        print(f"skipped: {error}")
        return 77
    found = sorted(path.parent for path in Path(runs).glob(f"*/{lab}") if (path / "summary.csv").is_file())
    if not found:
        print(f"skipped: no judged run of {lab} below {runs}; the test {lab}.smoke makes one")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "run"
        shutil.copytree(found[-1], copy, ignore=shutil.ignore_patterns("plots", "report.html"))
        code = draw.main([str(copy), lab, "--check"])
        charts = sorted(path.name for path in (copy / lab / "plots").glob("*.png"))
    print(f"{found[-1].name}: {', '.join(charts) or 'no chart'}")
    return code or (0 if charts else 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

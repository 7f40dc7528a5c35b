"""Whoever starts a lab with a standard stream closed loses what it would have shown, and nothing else.

closed_streams.py LAB: without standard input, output and error output in turn, the lab's files are whole."""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path


def problems_without(descriptor, lab, out):
    closed = ["sh", "-c", f'exec "$@" {descriptor}>&-', "sh", lab, "--profile", "smoke", "--out", out]
    done = subprocess.run(closed, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode != 0:
        yield f"without descriptor {descriptor}: exit code {done.returncode}: {done.stderr}"
    files = sorted(Path(out).glob("*/*/*.csv"))
    if len(files) < 3:
        yield f"without descriptor {descriptor}: only {len(files)} CSV files"
    for path in files:
        with open(path, encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        yield from (f"without descriptor {descriptor}: {path.name}: {row}" for row in rows if len(row) != len(header))


def main():
    problems = []
    for descriptor in (0, 1, 2):
        with tempfile.TemporaryDirectory() as out:
            problems += problems_without(descriptor, sys.argv[1], out)
    print("\n".join(problems) or "all files are whole")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

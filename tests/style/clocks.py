"""One clock for durations, one place for wall time, and no test that passes or fails by how fast the machine was."""

import re
import sys

from tree import code_lines, main, read, sources, tests

WALL_TIME_ALLOWED = {"core/base/clock.cpp"}  # utc_text(): names and manifests, never durations

ORDERING = r"\b(?:EXPECT|ASSERT)_(?:LT|LE|GT|GE|NEAR)\s*\(|\b(?:EXPECT|ASSERT)_TRUE\s*\([^;]*[<>]"
PY_ORDERING = r"\bassert(?:Less|LessEqual|Greater|GreaterEqual|AlmostEqual)\s*\(|\bassert\b[^\n]*[<>]"
MEASURED = r"\w*(?:elapsed|took|seconds_since|wall_(?:s|ms|us|ns))\w*|\bseconds\b|\bduration\w*"
UNIT_NAME = r"\b\w+_(?:ns|us|ms|s)\b"
REAL_CLOCK = r"steady_clock|system_clock|clock_gettime|gettimeofday|\bstd::clock\b|perf_counter|time\.(?:time|monotonic)\b"


def statements(text, python):
    """(line number, assertion) with the assertion's continuation lines joined."""
    lines = text.split("\n") if python else [line for _, line in code_lines(text)]
    for number, line in enumerate(lines, 1):
        if re.search(r"\b(EXPECT|ASSERT)_|\bassert", line):
            joined, end = line, number
            while end < len(lines) and end < number + 5 and joined.count("(") > joined.count(")"):
                joined, end = joined + " " + lines[end].strip(), end + 1
            yield number, joined


def compares_time(statement, file_reads_real_clock, python):
    if not re.search(PY_ORDERING if python else ORDERING, statement):
        return False
    if re.search(r",\s*0(\.0*)?f?\s*\)", statement):  # "took part at all" is a count, not a speed
        return False
    return bool(re.search(MEASURED, statement) or (file_reads_real_clock and re.search(UNIT_NAME, statement)))


def check(root):
    problems = []
    names = sources(root)
    for name in names:
        for number, line in code_lines(read(root, name)):
            if "high_resolution_clock" in line:
                problems.append(f"{name}:{number}: high_resolution_clock may be a clock that steps; use base/clock.h")
            if "system_clock" in line and name not in WALL_TIME_ALLOWED:
                problems.append(f"{name}:{number}: system_clock steps; use utc_text() of base/clock.h")
    for name in tests(root):
        text = read(root, name)
        python = name.endswith(".py")
        for number, statement in statements(text, python):
            if compares_time(statement, bool(re.search(REAL_CLOCK, text)), python):
                problems.append(f"{name}:{number}: asserts a measured time; assert counts, bytes, order or a fake clock")
    return problems, len(names)


if __name__ == "__main__":
    sys.exit(main(check))

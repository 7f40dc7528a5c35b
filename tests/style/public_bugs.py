"""`public_bugs.py ROOT BUILD`: docs/public_bugs.md is whole, and every test that it names exists in the build folder.

A row is `| B001 | [report](url) | what went wrong | what perflab does | `test`, `test` |`; in the last column of a row whose lab does
not exist yet stands "comes with its lab". A name may end in `*`, which then stands for at least one test.
"""

import fnmatch
import re
import sys
from pathlib import Path

from ctest_list import tests_of

LATER = "comes with its lab"


def rows_of(text):
    """[(line number, cells)] of the table's rows that begin with an id."""
    return [(number, [cell.strip() for cell in line.strip().strip("|").split("|")])
            for number, line in enumerate(text.split("\n"), 1) if re.match(r"\|\s*B\d", line)]


def gaps(text):
    """The ids that the document says were never given: `There is no B004, B005 ...`."""
    said = re.search(r"There is no ((?:B\d{3}[\s,]*(?:and|or)?\s*)+)", text)
    return re.findall(r"B\d{3}", said.group(1)) if said else []


def row_problems(where, cells, names):
    if len(cells) != 5:
        yield f"{where}: {len(cells)} cells; want id, report, what went wrong, what perflab does, tests"
        return
    if not re.fullmatch(r"\[[^\]]+\]\(https://\S+\)", cells[1]):
        yield f"{where}: '{cells[1]}' is no link to the report"
    if not cells[2] or not cells[3]:
        yield f"{where}: an empty cell"
    tests = re.findall(r"`([^`]+)`", cells[4])
    if not tests and cells[4] != LATER:
        yield f"{where}: names no test and does not say '{LATER}'"
    for test in tests:
        if not fnmatch.filter(names, test.replace("[", "[[]")):
            yield f"{where}: ctest knows no test {test}"


def check(text, names):
    problems, seen = [], []
    for number, cells in rows_of(text):
        where = f"docs/public_bugs.md:{number}: {cells[0]}"
        if cells[0] in seen:
            problems.append(f"{where}: stands twice")
        seen.append(cells[0])
        problems += row_problems(where, cells, names)
    now = [cells[0] for _, cells in rows_of(text) if cells[-1] != LATER]
    later = [cells[0] for _, cells in rows_of(text) if cells[-1] == LATER]
    if now + later != seen or now != sorted(now) or later != sorted(later):
        problems.append("docs/public_bugs.md: want the rows by id, those of later labs at the end")
    known = set(seen) | set(gaps(text))
    problems += [f"docs/public_bugs.md: B{n:03d} is missing" for n in range(1, 112) if f"B{n:03d}" not in known]
    return problems, len(seen)


def main():
    text = (Path(sys.argv[1]) / "docs" / "public_bugs.md").read_text(encoding="utf-8")
    problems, seen = check(text, [test["name"] for test in tests_of(sys.argv[2])])
    for problem in problems:
        print(problem)
    print(f"{seen} looked at, {len(problems)} problems")
    return 1 if problems or not seen else 0


if __name__ == "__main__":
    sys.exit(main())

"""`measuring.py BUILD`: whatever measures runs alone. A test that times real work while others run beside it measures them too.

Every ctest entry with the label measure is RUN_SERIAL, every entry that runs a lab's program has the label, and `ctest -L unit`
(which people run with -j) selects none of them.
"""

import re
import sys
from pathlib import Path

from ctest_list import tests_of

LAB_PROGRAM = r"\d\d_\w+(?<!_test)"
MEASURING_PROGRAMS = {"driver_real_test"}  # programs of tests that start labs themselves


def measures(test):
    program = Path(test["command"][0]).name if test["command"] else ""
    return bool(re.fullmatch(LAB_PROGRAM, program)) or program in MEASURING_PROGRAMS


def check(tests):
    problems = []
    for test in tests:
        labelled = "measure" in test["labels"]
        if labelled and not test["serial"]:
            problems.append(f"{test['name']}: has the label measure and may run beside others; set RUN_SERIAL")
        if measures(test) and not labelled:
            problems.append(f"{test['name']}: runs a lab; give it the label measure")
        if labelled and "unit" in test["labels"]:
            problems.append(f"{test['name']}: unit and measure; `ctest -L unit -j` would run it beside others")
    if not any(map(measures, tests)):
        problems.append("no test runs a lab: looked at the wrong build folder?")
    return problems


def main():
    tests = tests_of(sys.argv[1])
    problems = check(tests)
    for problem in problems:
        print(problem)
    print(f"{len(tests)} looked at, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

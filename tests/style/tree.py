"""What the style checks share: walking the sources, reporting problems, exit codes.

A check is a function root -> (problems, number of things looked at). Nothing looked at is a problem: a check that reads
no file passes for the wrong reason.
"""

import re
import sys
from pathlib import Path

CPP = (".cpp", ".h", ".cu", ".cuh")


def files(root, folders, suffixes):
    """Files below root/FOLDER with one of the suffixes, sorted; paths relative to root, as text with '/'."""
    found = []
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file() and "__pycache__" not in path.parts:
                found.append(path.relative_to(root).as_posix())
    return found


def sources(root):
    return files(root, ("core", "labs"), CPP)


def tests(root):
    """All test sources but tests/style, whose made-up trees are wrong on purpose."""
    return [name for name in files(root, ("core", "labs", "tests", "plots", "experiments"), (".cpp", ".py"))
            if (name.rsplit(".", 1)[0].endswith("_test") or name.rsplit("/", 1)[-1].startswith("test_"))
            and not name.startswith("tests/style/")]


def read(root, name):
    return (root / name).read_text(encoding="utf-8")


def code_lines(text):
    """(line number, line) of C++ text with comments and the insides of string literals blanked out."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    pattern = r'//[^\n]*|/\*.*?\*/|(?<!include )"(?:\\.|[^"\\\n])*"'
    return list(enumerate(re.sub(pattern, blank, text, flags=re.DOTALL).split("\n"), 1))


def main(check):
    problems, seen = check(Path(sys.argv[1]))
    if not seen:
        problems = problems + ["nothing to look at under " + sys.argv[1]]
    for problem in problems:
        print(problem)
    print(f"{seen} looked at, {len(problems)} problems")
    return 1 if problems else 0

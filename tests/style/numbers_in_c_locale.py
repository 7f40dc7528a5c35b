"""Numbers are read whole, by from_chars (base/units.h), and nothing sets a locale: streams and printf then write as in C."""

import re
import sys

from tree import code_lines, main, read, sources

FORBIDDEN = r"\b(sto|strto)(d|f|ld)\s*\(|\batof\s*\(|\bsscanf\s*\(|\bsetlocale\b|\bstd::locale\b"


def check(root):
    problems, names = [], [name for name in sources(root) if not re.search(r"_test\.(cpp|h)$", name)]
    for name in names:
        for number, line in code_lines(read(root, name)):
            found = re.search(FORBIDDEN, line)
            if found:
                word = found.group().strip("( ")
                problems.append(f"{name}:{number}: {word} asks the locale or takes half a number; use base/units.h")
    return problems, len(names)


if __name__ == "__main__":
    sys.exit(main(check))

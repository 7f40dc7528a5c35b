"""Numbers are written with {fmt} and to_chars and read with from_chars (base/units.h), never in the locale of the user."""

import re
import sys

from tree import code_lines, main, read, sources

FORBIDDEN = (r"\b(sto|strto)(d|f|ld)\s*\(|\batof\s*\(|\bsscanf\s*\(|\bf?printf\s*\(|\b[io]?stringstream\b"
             r"|\bsetlocale\b|\bstd::locale\b")
ALLOWED = {
    "core/device/topology.cpp",  # a stream that holds a file's text, never a number
    "core/base/failure.cpp",  # prints texts where there may be no memory left
}


def check(root):
    problems, names = [], [name for name in sources(root) if not re.search(r"_test\.(cpp|h)$", name)]
    for name in names:
        for number, line in code_lines(read(root, name)):
            found = re.search(FORBIDDEN, line.replace("fmt::print", ""))
            if found and name not in ALLOWED:
                problems.append(f"{name}:{number}: {found.group().strip('( ')} asks the locale; use base/units.h or {{fmt}}")
    return problems, len(names)


if __name__ == "__main__":
    sys.exit(main(check))

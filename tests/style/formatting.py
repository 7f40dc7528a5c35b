"""Formatting as .clang-format says. Versions of clang-format disagree in details, so only one major version judges."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tree import CPP, files

MAJOR = "14"  # Debian 12's
SKIPPED = 77


def main():
    root = Path(sys.argv[1])
    tool = shutil.which("clang-format-" + MAJOR) or shutil.which("clang-format")
    if not tool:
        print("skipped: clang-format is not installed")
        return SKIPPED
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    if not re.search(rf"version {MAJOR}\.", version):
        print(f"skipped: clang-format {MAJOR} judges, here is: {version.strip()}")
        return SKIPPED
    names = files(root, ("core", "labs", "tests", "experiments"), CPP)
    if not names:
        print("nothing to look at under", root)
        return 1
    return 1 if subprocess.run([tool, "--dry-run", "-Werror", *names], cwd=root).returncode else 0


if __name__ == "__main__":
    sys.exit(main())

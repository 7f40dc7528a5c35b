"""No program needs a GPU's libraries to start: ldd of every one that was built.

no_gpu_stack.py BUILD_FOLDER. 77 where there is no ldd."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

FORBIDDEN = re.compile(r"^\s*(libcuda\.so|libnvidia-ml|libnccl)")


def programs(build):
    for path in sorted(build.rglob("*")):
        if path.is_file() and os.access(path, os.X_OK) and "CMakeFiles" not in path.parts and "cuda_fakes" not in path.parts:
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def main():
    build = Path(sys.argv[1])
    if not shutil.which("ldd"):
        print("skipped: there is no ldd")
        return 77
    problems, seen = [], 0
    for program in programs(build):
        seen += 1
        text = subprocess.run(["ldd", program], capture_output=True, text=True, timeout=50).stdout
        problems += [f"{program} needs {line.strip()}" for line in text.split("\n") if FORBIDDEN.match(line)]
    if not seen:
        problems.append(f"no program below {build}")
    print("\n".join(problems + [f"{seen} programs looked at, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""must_not_compile.py COMPILER INCLUDE_FOLDER GOOD BAD WORD: GOOD compiles, BAD does not, and the error is about WORD.

Without GOOD, a broken header would look like a success.
"""

import os
import subprocess
import sys


def compile_only(compiler, include, source):
    return subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", include, source],
                          capture_output=True, text=True, errors="replace", env=os.environ | {"LC_ALL": "C"})


def main():
    compiler, include, good, bad, word = sys.argv[1:]
    result = compile_only(compiler, include, good)
    if result.returncode != 0:
        print(f"{good} must compile and does not:\n{result.stderr}")
        return 1
    result = compile_only(compiler, include, bad)
    errors = [line for line in result.stderr.splitlines() if "error:" in line]
    if result.returncode == 0 or not errors:
        print(f"{bad} must not compile and does")
        return 1
    if len(errors) != 1 or word not in result.stderr:
        print(f"{bad} fails for another reason than '{word}':\n{result.stderr}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A built suite needs no network: a program in a network namespace that has none.

offline.py PROGRAM ARGUMENTS...: ends with the program's exit code. Without the right to make such a namespace it is skipped
(77). The package index is an address where nobody listens, so that an installation at run time would fail instead of being
served from a cache. Results go to a folder that is removed again: OUT among the arguments stands for it.
"""

import os
import subprocess
import sys
import tempfile

ALONE = ["unshare", "-rn"]
ENVIRONMENT = dict(os.environ, PIP_INDEX_URL="http://127.0.0.1:9/", PIP_NO_CACHE_DIR="1")


def run(words):
    done = subprocess.run([*ALONE, *words], capture_output=True, text=True, env=ENVIRONMENT)
    return done.returncode, done.stdout + done.stderr


def main():
    try:
        allowed, why = run(["true"])
    except OSError as error:
        allowed, why = 1, str(error)
    if allowed != 0:
        print("skipped: no network namespace may be made here:", why.strip())
        return 77
    interfaces = [line.split(":")[0].strip() for line in run(["cat", "/proc/self/net/dev"])[1].split("\n") if ":" in line]
    if interfaces != ["lo"]:
        print(f"the namespace has {interfaces}; want lo alone")
        return 1
    with tempfile.TemporaryDirectory(prefix="perflab offline (ü) ") as out:
        code, text = run([out if word == "OUT" else word for word in sys.argv[1:]])
    print(text)
    return code


if __name__ == "__main__":
    sys.exit(main())

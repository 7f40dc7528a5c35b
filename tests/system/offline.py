"""A built suite needs no network: list, doctor and every lab's smoke run in a network namespace that has none.

offline.py BUILD_FOLDER. Without the right to make such a namespace it is skipped (77). The package index is an address
where nobody listens, so that an installation at run time would fail instead of being served from a cache.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ALONE = ["unshare", "-rn"]
ENVIRONMENT = dict(os.environ, PIP_INDEX_URL="http://127.0.0.1:9/", PIP_NO_CACHE_DIR="1")


def run(words, limit_s=55):
    done = subprocess.run([*ALONE, *map(str, words)], capture_output=True, text=True, timeout=limit_s, env=ENVIRONMENT)
    return done.returncode, done.stdout + done.stderr


def main():
    build = Path(sys.argv[1])
    try:
        allowed, why = run(["true"])
    except OSError as error:
        allowed, why = 1, str(error)
    if allowed != 0:
        print("skipped: no network namespace may be made here:", why.strip())
        return 77
    links = run(["cat", "/proc/net/dev"])[1]
    interfaces = [line.split(":")[0].strip() for line in links.split("\n") if ":" in line]
    assert interfaces == ["lo"], f"the namespace has {interfaces}; want lo alone"
    problems, seen = [], 0
    with tempfile.TemporaryDirectory(prefix="perflab offline (ü) ") as out:
        labs = sorted(path for path in (build / "labs").glob("[0-9][0-9]_*") if path.suffix == "" and "_test" not in path.name)
        wanted = [([build / "perflab", "list"], {0}), ([build / "perflab", "doctor", "--out", out], {0})]
        wanted += [([lab, "--profile", "smoke", "--out", out], {0, 77}) for lab in labs if os.access(lab, os.X_OK)]
        for words, good in wanted:
            code, text = run(words)
            seen += 1
            if code not in good:
                problems.append(f"{words[0].name} {words[1]} ended with {code}:\n{text}")
            if words[1] == "doctor" and ">= " not in text:
                problems.append("doctor names no expected version:\n" + text)
    print("\n".join(problems + [f"{seen} programs ran without a network, {len(problems)} problems"]))
    return 1 if problems or seen < 3 else 0


if __name__ == "__main__":
    sys.exit(main())

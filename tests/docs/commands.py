"""`commands.py ROOT BUILD DOCUMENT`: every command of DOCUMENT that calls perflab or a lab works as it stands there.

Runs measure with the profile smoke, into a folder that is thrown away, and may take CAP_S each. What cannot be executed is in
NOT_EXECUTED with the reason; a command with a name to fill in (RUN, FILE) is a form and no command.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "style"))
from readmes import commands  # noqa: E402

CAP_S = 60  # per lab that a command measures
NOT_EXECUTED = [
    (r"\./perflab (--yes )?(test|build|clean)\b", "it would test or build from within a test"),
    (r"\./perflab run .*--resume\b", "it needs a run that was interrupted; driver_real interrupts one and resumes it"),
    (r"\./perflab (run|predict) example\b", "build.new_lab does it in a copy of the tree that has this lab"),
]
WITH_OUT = ("run", "plot", "report", "predict", "tour", "compare", "import", "doctor")
WITH_PROFILE = ("run", "predict")


def reason_to_skip(line):
    if re.search(r"(?<![\w/=-])[A-Z][A-Z_]+\b|\.\.\.", line):
        return "a form with a name to fill in"
    return next((why for pattern, why in NOT_EXECUTED if re.match(pattern, line)), "")


def smoke(words):
    """The words with the profile smoke in place of whichever they name."""
    if "--profile" in words:
        at = words.index("--profile")
        words = words[:at] + words[at + 2:]
    return words + ["--profile", "smoke"]


def as_executed(line, build, out):
    program, *words = shlex.split(line)
    if program.startswith("build/labs/"):
        return [str(build / program.removeprefix("build/")), *smoke(words), "--out", out]
    verb = words[0] if words else "tour"
    words = smoke(words) if verb in WITH_PROFILE else words
    return [str(build / "perflab"), *(words or [verb]), *(["--out", out] if verb in WITH_OUT else [])]


def allowed_exits(line):
    # 77: a lab alone had nothing to measure here. A planted fault is there to be caught, and a doctor may find one.
    return {0, 1} if "--fault" in line else {0, 77} if line.startswith("build/labs/") else {0}


def labs_measured(line, root):
    every = line.startswith("./perflab run") and not re.match(r"\./perflab run [^-\s]", line)
    return len(list((root / "labs").glob("[0-9][0-9]_*"))) if every else 1


def problem_of(line, root, build, out):
    """"" or what went wrong."""
    try:
        done = subprocess.run(as_executed(line, build, out), cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, encoding="utf-8", errors="replace",
                              timeout=CAP_S * labs_measured(line, root))
    except subprocess.TimeoutExpired:
        return f"took longer than {CAP_S} s per lab"
    if done.returncode in allowed_exits(line):
        return ""
    return f"exit code {done.returncode}:\n{done.stdout[-2000:]}"


def main():
    root, build = Path(sys.argv[1]), Path(sys.argv[2])
    found = commands((root / sys.argv[3]).read_text(encoding="utf-8"))
    problems = 0
    with tempfile.TemporaryDirectory(prefix="perflab-docs-") as out:
        for number, line in found:
            why = reason_to_skip(line)
            problem = "" if why else problem_of(line, root, build, out)
            problems += bool(problem)
            print(f"{sys.argv[3]}:{number}: {line}: {problem or ('not executed: ' + why if why else 'works')}", flush=True)
    return 1 if problems or not found else 0


if __name__ == "__main__":
    sys.exit(main())

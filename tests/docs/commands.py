"""`commands.py ROOT BUILD DOCUMENT`: every command of DOCUMENT that calls perflab or a lab works as it stands there.

Runs measure with the profile smoke, in and into a folder that is thrown away, and may take CAP_S each; of a line with shell
operators the first command counts. What cannot be executed is in NOT_EXECUTED with the reason; a command with a name to fill in
(RUN, A, an example's run id) is a form and no command.
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
    (r"\./perflab predict (?!.*--(set|no-predict)\b)", "it asks on a terminal; the tests of PredictVerb answer there"),
    (r"\./perflab import\b", "it reads what another program wrote; the tests of ImportVerb have such files"),
    (r"\./perflab (run|predict) example\b", "build.new_lab does it in a copy of the tree that has this lab"),
]
WITH_OUT = ("run", "plot", "report", "predict", "tour", "compare", "import", "doctor")
WITH_PROFILE = ("run", "predict")
FORM = r"(?:^|\s)\[?[A-Z][A-Z_]*(?=[\s\]]|$)|\.\.\.(?!\d)|\d{8}T\d{6}Z"


def reason_to_skip(line):
    if re.search(FORM, line):
        return "a form with a name to fill in"
    return next((why for pattern, why in NOT_EXECUTED if re.match(pattern, line)), "")


def smoke(words):
    """The words with the profile smoke in place of whichever they name."""
    if "--profile" in words:
        at = words.index("--profile")
        words = words[:at] + words[at + 2:]
    return words + ["--profile", "smoke"]


def first_command(line):
    words = shlex.split(line)
    return words[:next((at for at, word in enumerate(words) if word in ("&&", "||", "|", ";")), len(words))]


def as_executed(line, build, out):
    program, *words = first_command(line)
    own, for_lab = (words[:words.index("--")], words[words.index("--"):]) if "--" in words else (words, [])
    # Google Benchmark's front end stores nothing and takes no --out.
    stored = ["--out", out] if not any(word.startswith("--benchmark_") for word in words) else []
    if program.startswith("build/labs/"):
        return [str(build / program.removeprefix("build/")), *smoke(own), *stored]
    verb = own[0] if own else "tour"
    own = smoke(own) if verb in WITH_PROFILE else own or [verb]
    if verb == "run" and "--no-plots" not in own:
        own = [*own, "--no-plots"]  # charts are drawn where plot and report are shown
    return [str(build / "perflab"), *own, *(stored if verb in WITH_OUT else []), *for_lab]


def allowed_exits(line):
    # 77: a lab alone had nothing to measure here. A planted fault is there to be caught, and a doctor may find one.
    return {0, 1} if "--fault" in line else {0, 77} if line.startswith("build/labs/") else {0}


def labs_measured(line, root):
    every = line.startswith("./perflab run") and not re.match(r"\./perflab run [^-\s]", line)
    return len(list((root / "labs").glob("[0-9][0-9]_*"))) if every else 1


def problem_of(line, root, build, out):
    """"" or what went wrong."""
    try:
        done = subprocess.run(as_executed(line, build, out), cwd=out, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
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

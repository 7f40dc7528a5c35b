"""A peer: does the works of one library, one request line at a time, and times them itself.

python3 peer.py KIND, KIND one of python, numpy, torch. Its first line on stdout is a JSON object that says who it is; then
every line "run WORK key=value ..." on stdin is answered by one: {"seconds", "correct", "numbers"} or {"error"}. It
ends with its input. README.md beside this file lists the works."""

import importlib
import json
import os
import platform
import sys
import time

MODULES = {"python": ["python_work"], "numpy": ["numpy_work", "python_work"], "torch": ["torch_work"]}


def load(kind):
    """(who this is, its works by name); the first module of a kind gives the name."""
    modules = [importlib.import_module(name) for name in MODULES[kind]]
    who = {"runtime": f"Python {platform.python_version()}", "pid": os.getpid(), **modules[0].identity()}
    works = {name: work for module in modules for name, work in module.WORKS.items()}
    return who, works


def settings_of(words):
    settings = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key in settings:
            raise ValueError(f"setting '{word}'; want key=value, each key once")
        settings[key] = value
    return settings


def answer(line, works):
    words = line.split()
    try:
        if len(words) < 2 or words[0] != "run":
            raise ValueError(f"request '{line.strip()}'; want: run WORK key=value ...")
        if words[1] not in works:
            raise ValueError(f"work '{words[1]}'; want one of {', '.join(sorted(works))}")
        return works[words[1]](**settings_of(words[2:]))
    except Exception as error:  # whatever a library throws is the other side's to judge
        return {"error": f"{type(error).__name__}: {error}"}


def settle(slice_s=0.002, most_slices=150):
    """Waits until this process uses next to no CPU. The idle threads of a pool go on spinning after the last operation, up
    to a tenth of a second on a whole processor, and would disturb whoever is measured next."""
    quiet = 0
    for _ in range(most_slices):
        before = time.process_time()
        time.sleep(slice_s)
        quiet = quiet + 1 if time.process_time() - before < slice_s / 10 else 0
        if quiet == 2:
            break


def serve(kind, requests, answers):
    def say(message):
        answers.write(json.dumps(message, allow_nan=False) + "\n")
        answers.flush()

    try:
        who, works = load(kind)
    except Exception as error:
        say({"error": f"{type(error).__name__}: {error}"})
        return 1
    say(who)
    for line in requests:
        reply = answer(line, works)
        settle()
        try:
            say(reply)
        except ValueError as error:  # a NaN has no JSON
            say({"error": f"the answer {reply}: {error}"})
    return 0


def private_ends():
    """stdin and stdout for the protocol alone: what a library prints goes to stderr, and its children read nothing."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in MODULES:
        print(f"usage: peer.py {'|'.join(MODULES)}", file=sys.stderr)
        return 2
    return serve(sys.argv[1], *private_ends())


if __name__ == "__main__":
    sys.exit(main())

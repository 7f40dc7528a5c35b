"""Builds that differ from the usual one: `build_test.py CASE SOURCE`, CASE being a function of this file. Slow; label build."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*command, cwd=None, env=None):
    """The command's output; ends the test with everything it said if it fails."""
    result = subprocess.run([str(word) for word in command], cwd=cwd, env=os.environ | (env or {}), stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, encoding="utf-8",
                            errors="replace", check=False)
    if result.returncode:
        sys.exit(f"{command} exited {result.returncode}:\n{result.stdout}")
    return result.stdout


def want(holds, what):
    if not holds:
        sys.exit(f"want: {what}")


def configure(source, build, *options):
    """What cmake printed. In CI with its preset, so that ccache, where it is installed, has most objects already."""
    preset = "ci" if os.environ.get("CI") == "true" else "release"
    return run("cmake", "--preset", preset, "-S", source, "-B", build, *options, cwd=source)


def build_and_run(source, build, program, *options):
    """What cmake printed while configuring; PROGRAM (a GoogleTest) has then been built and has passed."""
    output = configure(source, build, *options)
    run("ninja", "-C", build, "-j2", program)
    tests = run(next(build.glob(f"**/{program}")))
    want("[  PASSED  ]" in tests and "[  PASSED  ] 0 tests" not in tests, f"{program} to pass at least one test")
    return output


def compile_commands(build):
    return [entry["command"] for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))]


def copy_tree(source, target):
    """The files that git knows or would add; all but build/ and results/ where there is no git."""
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, check=False)
    if listed.returncode:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("build", "results", "__pycache__"))
        return
    for name in listed.stdout.decode("utf-8").split("\0"):
        if name and (source / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target / name)


def run_lab(build, out, cwd):
    """The run's folder of lab 04, built in BUILD and measured with the profile smoke."""
    run("ninja", "-C", build, "-j2", "04_hardware")
    run(build / "labs" / "04_hardware", "--profile", "smoke", "--out", out, cwd=cwd)
    found = [manifest.parent for manifest in (cwd / out).glob("*/manifest.json")]
    want(len(found) == 1 and (found[0] / "04_hardware" / "summary.csv").is_file(), f"one whole run in {out}, not {found}")
    return found[0]


def odd_folder(source, scratch):
    """Spaces, parentheses and a letter outside ASCII in the path; the launcher through a link, from elsewhere, in the C locale."""
    tree = scratch / "a b" / "ü (1)"
    copy_tree(source, tree)
    (scratch / "link to perflab").symlink_to(tree / "perflab")
    for option, expected in [("--version", "perflab "), ("--help", "./perflab run [LAB ...]")]:
        said = run(scratch / "link to perflab", option, cwd="/", env={"LC_ALL": "C"})
        want(expected in said, f"{option} to print '{expected}'")
    want(not (tree / "build").exists(), "help and version to build nothing")
    build_and_run(tree, tree / "build", "base_test")
    want(any("-march=native" in command for command in compile_commands(tree / "build")), "a native build")
    run_lab(tree / "build", "my results (ü)", tree)


def no_openmp(source, scratch):
    """A compiler that takes -fopenmp and cannot link it: the thread teams run on std::thread."""
    real = shutil.which("g++") or shutil.which("c++")
    wrapper = scratch / "c++"
    wrapper.write_text('#!/bin/sh\ncase " $* " in *" -c "*) ;; *" -fopenmp "* | *gomp*) echo "no OpenMP runtime" >&2; exit 1 ;;'
                       f' esac\nexec "{real}" "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    output = build_and_run(source, scratch / "build", "device_test", f"-DCMAKE_CXX_COMPILER={wrapper}",
                           "-DCMAKE_BUILD_TYPE=Debug")
    want("thread teams on threads" in output, "the configure step to say: thread teams on threads")
    compiled = " ".join(compile_commands(scratch / "build"))
    want("team_threads.cpp" in compiled and "team_openmp.cpp" not in compiled, "that one of the two team sources")


def portable(source, scratch):
    """PERFLAB_NATIVE=OFF: no file is compiled for this machine only."""
    build_and_run(source, scratch / "build", "base_test", "-DPERFLAB_NATIVE=OFF")
    want(not any("-march=native" in command for command in compile_commands(scratch / "build")), "no -march=native")


def hashes(tree):
    """{path: hash} of the tree's files, but for what is built or measured there."""
    return {path.relative_to(tree): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(tree.rglob("*"))
            if path.is_file() and path.relative_to(tree).parts[0] not in ("build", "results")}


def files_of_recipe(source):
    """{path: text} of the blocks whose first line, a comment, names a file."""
    text = (source / "docs" / "adding_a_lab.md").read_text(encoding="utf-8")
    block = r"^```\w+\n(?://|#|<!--) (labs/\S+)(?: -->)?\n(.*?)^```$"
    return dict(re.findall(block, text, re.MULTILINE | re.DOTALL))


def new_lab(source, scratch):
    """docs/adding_a_lab.md, done as it says in a copy of the tree: the lab is found, measured, drawn, caught, and leaves no trace."""
    tree, build = scratch / "tree", scratch / "tree" / "build"
    copy_tree(source, tree)
    configure(tree, build)
    run("ninja", "-C", build, "-j2", "perflab")
    before = hashes(tree)
    files = files_of_recipe(source)
    want(sorted(Path(name).name for name in files) == ["README.md", "claims.csv", "lab.cpp", "plot.py"], "four files")
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")

    lab = Path(next(iter(files))).parent.name
    run("ninja", "-C", build, "-j2", "perflab", lab)
    want(f"{lab}.smoke" in run("ctest", "--test-dir", build, "-N", "-L", "lab"), "a smoke test")
    want(lab in run(build / "perflab", "list"), "perflab list to show the lab")
    program, out = build / "labs" / lab, scratch / "results"
    run(build / "perflab", "run", lab[:2], "--profile", "smoke", "--out", out)
    measured = out / (out / "latest").read_text(encoding="utf-8").strip()
    for wanted in (f"{lab}/plots/{lab}.svg", f"{lab}/verdicts.csv", "report.html"):
        want((measured / wanted).is_file(), f"{wanted} from perflab run")
    want(lab in (measured / "report.html").read_text(encoding="utf-8"), "the report to show the lab")
    want({path: text for path, text in hashes(tree).items() if path.parts[:2] != ("labs", lab)} == before,
         "no other file to be touched")
    caught = subprocess.run([program, "--profile", "smoke", "--out", out, "--fault", "1"], capture_output=True, check=False)
    want(caught.returncode == 1, f"exit code 1 for the planted fault, not {caught.returncode}")
    run(sys.executable, "-B", "tests/style/labs_table.py", ".", "--write", cwd=tree)
    for check in ("readmes", "labs_table"):
        run(sys.executable, "-B", f"tests/style/{check}.py", tree, cwd=tree)

    shutil.rmtree(tree / "labs" / lab)
    run("ninja", "-C", build, "-j2", "perflab")
    want(lab not in run("ctest", "--test-dir", build, "-N"), "no trace of the removed lab")


def apply_edits(text, tree):
    """Does what the diff blocks of a recipe say: FILE, then lines that are there and lines that are added. The files edited."""
    edited = []
    for name, body in re.findall(r"^```diff\n(\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        lines = body.splitlines(keepends=True)
        want(all(line[0] in " +" for line in lines), f"only additions in the block of {name}")
        before = "".join(line[1:] for line in lines if line[0] == " ")
        content = (tree / name).read_text(encoding="utf-8")
        want(content.count(before) == 1, f"{name} to have these lines once:\n{before}")
        (tree / name).write_text(content.replace(before, "".join(line[1:] for line in lines)), encoding="utf-8")
        edited.append(name)
    return edited


def new_op(source, scratch):
    """docs/adding_an_op.md, done as it says in a copy of the tree: the op's case and gradient pass, and a wrong one is caught."""
    tree, build = scratch / "tree", scratch / "tree" / "build"
    copy_tree(source, tree)
    edited = apply_edits((source / "docs" / "adding_an_op.md").read_text(encoding="utf-8"), tree)
    want(2 <= len(edited) <= 4 and len(set(edited)) == len(edited), f"two to four files, each once, not {edited}")
    run(sys.executable, "-B", "tests/style/includes.py", tree, cwd=tree)
    configure(tree, build)
    run("ninja", "-C", build, "-j2", "ops_test")
    tests = [build / "core" / "ops_test", "--gtest_filter=*OpCase*:Gradients.*:Elementwise.*"]
    want("[  PASSED  ]" in run(*tests), "the tests of the recipe to pass")

    functors = tree / "core" / "ops" / "functors.h"
    right = functors.read_text(encoding="utf-8")
    wrong = right.replace("at_least(x, 0) + log{}", "at_least(x, 0.125f) + log{}")
    want(wrong != right, "the recipe's function to be where this test breaks it")
    functors.write_text(wrong, encoding="utf-8")
    run("ninja", "-C", build, "-j2", "ops_test")
    caught = subprocess.run([*map(str, tests)], capture_output=True, text=True, check=False)
    want(caught.returncode == 1 and "softplus" in caught.stdout, "the op's case to catch a wrong function")


def main():
    cases = {case.__name__: case for case in (odd_folder, no_openmp, portable, new_lab, new_op)}
    with tempfile.TemporaryDirectory(prefix="perflab-build-") as scratch:
        cases[sys.argv[1]](Path(sys.argv[2]).resolve(), Path(scratch).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())

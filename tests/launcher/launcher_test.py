"""The launcher against fake system tools: what it asks, what it runs, what it hands on, and its exit codes.

Every test makes a folder with a copy of ./perflab and a bin/ folder that is the whole PATH: the fakes note their arguments in
calls.txt, and beside them are links to the few real tools that the launcher uses.
"""

import os
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve()
REAL_TOOLS = ["sh", "sed", "tail", "tr", "wc", "mkdir", "rm", "cat", "env", "grep", "readlink", "sleep", "flock", "nproc",
              "touch", "chmod"]
PACKAGES = ["cmake", "ninja-build", "libfmt-dev", "libssl-dev", "python3-matplotlib", "libopenblas0-pthread"]

NOTE = 'printf "%s" "${0##*/}" >>"$CALLS"; for a in "$@"; do printf " [%s]" "$a" >>"$CALLS"; done; echo >>"$CALLS"\n'
DPKG = ('if [ -e "$CALLS.installed" ]; then shift 3; for p in "$@"; do echo "ii $p "; done\n'
        'else echo "ii g++ "; exit 1; fi\n')
APT = ('case "$*" in *assume-no*) echo "0 upgraded, 7 newly installed, 0 to remove and 0 not upgraded."\n'
       'echo "Need to get 12.5 MB of archives."\n'
       'echo "After this operation, 80 MB of additional disk space will be used."; exit 1 ;;\n'
       '*install*) touch "$CALLS.installed" ;; esac\n')
CMAKE = 'mkdir -p build; touch build/build.ninja build/CMakeCache.txt\n'
NINJA = ('printf "#!/bin/sh\\nfor a in \\"\\$@\\"; do printf \\"<%%s>\\" \\"\\$a\\"; done; exit 3\\n" >"$2/perflab"\n'
         'chmod +x "$2/perflab"\n')
FAKES = {"dpkg-query": DPKG, "apt-get": APT, "cmake": CMAKE, "ninja": NINJA, "id": "echo 1000\n"}


class Launcher(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="perflab launcher (ü) ")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.bin, self.calls_file = self.root / "bin", self.root / "calls.txt"
        self.bin.mkdir()
        shutil.copy(SOURCE / "perflab", self.root)
        (self.root / "CMakeLists.txt").write_text("project(perflab VERSION 4.5.6 LANGUAGES CXX)\n", encoding="utf-8")
        for tool in REAL_TOOLS:
            if real := shutil.which(tool):
                (self.bin / tool).symlink_to(real)
        for name, body in FAKES.items():
            self.fake(name, body)
        self.env = {"PATH": str(self.bin), "CALLS": str(self.calls_file), "LC_ALL": "C"}

    def fake(self, name, body=""):
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + ("" if name == "id" else NOTE) + body, encoding="utf-8")
        path.chmod(0o755)

    def remove(self, *names):
        for name in names:
            (self.bin / name).unlink()

    def run_it(self, *arguments, cwd=None, program=None, **variables):
        return subprocess.run([program or self.root / "perflab", *arguments], cwd=cwd or self.root,
                              env=self.env | variables, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              encoding="utf-8", check=False)

    def calls(self, name):
        text = self.calls_file.read_text(encoding="utf-8") if self.calls_file.exists() else ""
        return [line for line in text.splitlines() if line.split(" ")[0] == name]

    def installs(self):
        return [call for call in self.calls("apt-get") if "[install]" in call and "assume-no" not in call]


class WithoutAWayToInstall(Launcher):
    def test_prints_the_list_and_the_command_and_runs_nothing(self):
        self.remove("cmake", "ninja")
        result = self.run_it("run")
        self.assertEqual(result.returncode, 6)
        for package in PACKAGES:
            self.assertIn(package, result.stderr)
        self.assertIn("sudo apt-get install -y --no-install-recommends cmake ninja-build", result.stderr)
        self.assertEqual(self.calls("apt-get"), [])
        self.assertFalse((self.root / "build" / "perflab").exists())

    def test_builds_with_what_is_there_if_that_is_enough(self):
        result = self.run_it("run")
        self.assertEqual((result.returncode, result.stdout), (3, "<run>"))
        self.assertIn("built without: cmake", result.stderr)
        self.assertEqual(self.calls("apt-get"), [])

    def test_a_system_without_dpkg_builds_too(self):
        self.remove("dpkg-query", "apt-get")
        self.assertEqual(self.run_it("run").returncode, 3)

    def test_a_system_without_dpkg_and_with_a_failing_configure_gets_the_list(self):
        self.remove("dpkg-query", "apt-get")
        self.fake("cmake", "echo no fmt here; exit 1\n")
        result = self.run_it("build")
        self.assertEqual(result.returncode, 6)
        self.assertIn("no fmt here", result.stderr)
        self.assertIn("libfmt-dev", result.stderr)

    def test_offline_prints_what_apt_said(self):
        self.fake("id", "echo 0\n")
        self.fake("apt-get", "echo Could not resolve; exit 100\n")
        self.remove("cmake", "ninja")
        result = self.run_it("build", CI="true")
        self.assertEqual(result.returncode, 6)
        self.assertIn("Could not resolve", result.stderr)
        self.assertIn("sudo apt-get update && sudo apt-get install", result.stderr)


class Installing(Launcher):
    def setUp(self):
        super().setUp()
        self.fake("id", "echo 0\n")

    def test_goes_on_without_a_terminal_and_tells_the_cost(self):
        for variables, arguments in [({"CI": "true"}, ["build"]), ({}, ["--yes", "build"]), ({}, ["build", "--yes"])]:
            with self.subTest(arguments=arguments, variables=variables):
                Path(str(self.calls_file) + ".installed").unlink(missing_ok=True)
                self.calls_file.unlink(missing_ok=True)
                shutil.rmtree(self.root / "build", ignore_errors=True)
                result = self.run_it(*arguments, **variables)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(len(self.installs()), 1)
                self.assertIn("[-y] [--no-install-recommends] [cmake]", self.installs()[0])
                self.assertNotIn("[g++]", self.installs()[0])
                self.assertIn("7 packages with what they depend on, 12.5 MB to download, 80 MB on disk", result.stderr)

    def test_a_plain_user_installs_through_sudo_that_never_asks(self):
        self.fake("id", "echo 1000\n")
        self.fake("sudo", '[ "$1" = -n ] || exit 9; shift; [ "$1" = true ] || exec "$@"\n')
        self.assertEqual(self.run_it("build").returncode, 0)
        self.assertEqual(len(self.installs()), 1)

    def test_empty_lists_are_fetched_first(self):
        self.fake("apt-get", 'case "$*" in *update*) touch "$CALLS.updated"; exit ;; esac\n'
                             f'[ -e "$CALLS.updated" ] || exit 100\n{APT}')
        self.assertEqual(self.run_it("build").returncode, 0)
        self.assertEqual(len(self.installs()), 1)

    def test_ci_takes_the_preset_with_warnings_as_errors(self):
        self.run_it("build", CI="true")
        self.assertEqual(self.calls("cmake"), ["cmake [--preset] [ci]"])
        self.run_it("build")
        self.assertEqual(self.calls("cmake")[1:], ["cmake [--preset] [release]"])

    def on_a_terminal(self, answer, *arguments):
        """Exit code and screen of perflab with ANSWER typed."""
        pid, screen = pty.fork()
        if pid == 0:
            os.chdir(self.root)
            os.execve(self.root / "perflab", ["perflab", *arguments], self.env)
        os.write(screen, answer)
        shown = b""
        try:
            while chunk := os.read(screen, 4096):
                shown += chunk
        except OSError:  # Linux: the other end is closed
            pass
        os.close(screen)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode("utf-8", "replace")

    def test_no_on_a_terminal_installs_nothing(self):
        code, shown = self.on_a_terminal(b"n\n", "build")
        self.assertEqual(code, 6, shown)
        self.assertIn("12.5 MB to download", shown)
        self.assertIn("sudo apt-get install", shown)
        self.assertEqual(self.installs(), [])
        self.assertEqual(self.calls("cmake"), [])

    def test_a_terminal_asks_once_unless_told_yes(self):
        code, shown = self.on_a_terminal(b"\n", "build")
        self.assertEqual((code, shown.count("[Y/n]"), len(self.installs())), (0, 1, 1), shown)
        Path(str(self.calls_file) + ".installed").unlink()
        shutil.rmtree(self.root / "build")
        code, shown = self.on_a_terminal(b"", "build", "--yes")
        self.assertEqual((code, shown.count("[Y/n]"), len(self.installs())), (0, 0, 2), shown)


class Building(Launcher):
    def setUp(self):
        super().setUp()
        Path(str(self.calls_file) + ".installed").touch()

    def test_the_second_call_asks_neither_dpkg_nor_cmake(self):
        self.assertEqual(self.run_it("run").returncode, 3)
        self.assertEqual(self.run_it("run").returncode, 3)
        self.assertEqual([len(self.calls(tool)) for tool in ("dpkg-query", "cmake", "ninja")], [1, 1, 2])
        self.assertEqual(self.run_it("list").returncode, 3)
        self.assertEqual(len(self.calls("ninja")), 2)

    def test_only_build_and_test_compile_the_tests(self):
        self.fake("ctest", "exit 0\n")
        for verb, target in [("run", "suite"), ("predict", "suite"), ("build", "all"), ("test", "all")]:
            self.run_it(verb)
            self.assertEqual(self.calls("ninja")[-1].split()[-1], f"[{target}]", verb)

    def test_without_a_verb_it_builds_and_takes_the_tour(self):
        for arguments, handed_on in [
            ([], "<tour>"),
            (["--no-predict"], "<tour><--no-predict>"),
            (["--yes", "--out", "a b"], "<tour><--out><a b>"),
            (["--out=x"], "<tour><--out=x>"),
            (["tour", "--no-plots"], "<tour><--no-plots>"),
            (["predict", "04", "--set", "a=1..2"], "<predict><04><--set><a=1..2>"),
        ]:
            self.calls_file.unlink(missing_ok=True)
            result = self.run_it(*arguments)
            self.assertEqual((result.returncode, result.stdout), (3, handed_on), result.stderr)
            self.assertEqual(len(self.calls("ninja")), 1, arguments)

    def test_arguments_arrive_unchanged_from_another_folder_through_a_link(self):
        with tempfile.TemporaryDirectory() as other:
            (Path(other) / "pl").symlink_to(os.path.relpath(self.root / "perflab", other))
            result = self.run_it("run", "a b", "", "*", "--yes", "--out", "ü/x", cwd=other, program="./pl")
        self.assertEqual((result.returncode, result.stdout), (3, "<run><a b><><*><--yes><--out><ü/x>"), result.stderr)

    def test_a_moved_tree_is_configured_again(self):
        self.run_it("list")
        moved = self.root / "moved"
        moved.mkdir()
        for name in ("perflab", "CMakeLists.txt", "build"):
            (self.root / name).rename(moved / name)
        result = self.run_it("list", program=moved / "perflab")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(len(self.calls("cmake")), 2)

    def test_a_broken_cache_is_replaced(self):
        self.fake("cmake", f'case "$*" in *fresh*) ;; *) [ ! -e build/CMakeCache.txt ] || exit 1 ;; esac\n{CMAKE}')
        self.run_it("run")
        (self.root / "build" / "build.ninja").unlink()
        self.assertEqual(self.run_it("run").returncode, 3)
        self.assertIn("cmake [--fresh] [--preset] [release]", self.calls("cmake"))

    def test_a_failed_build_shows_its_end_and_its_log(self):
        self.fake("ninja", "echo lab.cpp:3: error: no such thing; exit 1\n")
        result = self.run_it("run")
        self.assertEqual(result.returncode, 1)
        self.assertIn("lab.cpp:3: error: no such thing", result.stderr)
        self.assertIn("build/build.log", result.stderr)

    def test_a_configure_that_fails_with_all_packages_there_is_not_the_systems_fault(self):
        self.fake("cmake", "echo CMake Error; exit 1\n")
        result = self.run_it("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("CMake Error", result.stderr)

    def test_failing_tests_exit_1_and_their_lines_are_seen(self):
        self.fake("ctest", 'echo "50% tests passed"; exit 8\n')
        result = self.run_it("test", "-R", "a b")
        self.assertEqual(result.returncode, 1)
        self.assertIn("50% tests passed", result.stdout)
        self.assertIn("[-LE] [^build$] [-R] [a b]", self.calls("ctest")[0])
        self.run_it("test", "--all")
        self.assertNotIn("[-LE]", self.calls("ctest")[1])

    def test_clean_removes_the_build_and_nothing_else(self):
        self.run_it("build")
        (self.root / "results").mkdir()
        (self.root / "results" / "kept.csv").touch()
        self.assertEqual(self.run_it("clean").returncode, 0)
        self.assertFalse((self.root / "build").exists())
        self.assertTrue((self.root / "results" / "kept.csv").exists())

    def test_two_at_once_build_one_after_the_other(self):
        if not shutil.which("flock"):
            self.skipTest("no flock")
        self.fake("ninja", 'echo in >>"$CALLS.order"; sleep 0.3; echo out >>"$CALLS.order"\n' + NINJA)
        both = [subprocess.Popen([self.root / "perflab", "build"], env=self.env, stderr=subprocess.DEVNULL)
                for _ in range(2)]
        self.assertEqual([process.wait() for process in both], [0, 0])
        order = Path(str(self.calls_file) + ".order").read_text(encoding="utf-8").split()
        self.assertEqual(order, ["in", "out", "in", "out"])


class Helping(Launcher):
    def test_the_help_lists_every_verb_of_the_driver(self):
        text = self.run_it("--help").stdout
        verbs = [path.name.removesuffix("_verb.cpp") for path in (SOURCE / "core" / "driver").glob("*_verb.cpp")]
        self.assertGreater(len(verbs), 7)
        for verb in [*verbs, "plot"]:  # plot stands beside report
            self.assertRegex(text, rf"(?m)^  \./perflab {verb}\b")

    def test_help_and_version_touch_nothing(self):
        self.assertEqual(self.run_it("--version").stdout, "perflab 4.5.6\n")
        for arguments in (["--help"], ["-h"], ["help"], ["--yes", "--help"]):
            result = self.run_it(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("./perflab run [LAB ...]", result.stdout)
            self.assertIn("./perflab predict LAB", result.stdout)
        result = self.run_it("--hlep")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("unknown option '--hlep'", result.stderr)
        self.assertFalse(self.calls_file.exists())
        self.assertFalse((self.root / "build").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

"""The checks of tests and documents can fail: each is given one fault, and the same without it."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.append(str(Path(__file__).resolve().parent.parent / "docs"))
import commands
import measuring
import public_bugs
from style_test import InATree


class Measuring(unittest.TestCase):
    SMOKE = {"name": "04_x.smoke", "labels": ["lab", "measure"], "serial": True, "command": ["/b/labs/04_x", "--profile"]}
    UNIT = {"name": "Csv.A", "labels": ["unit"], "serial": False, "command": ["/b/labs/04_x_test", "--gtest"]}

    def test_each_breach_is_named(self):
        self.assertEqual(measuring.check([self.SMOKE, self.UNIT]), [])
        for change, because in [({"serial": False}, "set RUN_SERIAL"), ({"labels": ["lab"]}, "give it the label measure"),
                                ({"labels": ["unit", "measure"]}, "unit and measure")]:
            problems = measuring.check([self.SMOKE | change, self.UNIT])
            self.assertEqual(len(problems), 1, problems)
            self.assertIn(because, problems[0])
        self.assertIn("no test runs a lab", measuring.check([self.UNIT])[0])

    def test_ctests_own_words_are_read(self):
        from ctest_list import entry

        shown = {"name": "a", "command": ["/b/a"], "properties": [{"name": "LABELS", "value": ["lab"]}, {"name": "RUN_SERIAL", "value": True}]}
        self.assertEqual(entry(shown), {"name": "a", "labels": ["lab"], "serial": True, "command": ["/b/a"]})


class PublicBugs(unittest.TestCase):
    def text(self, *rows):
        """A document whose first and last rows are given, and that says of the others that they were never given."""
        ids = {row.split("|")[1].strip() for row in rows}
        return "There is no " + ", ".join(f"B{n:03d}" for n in range(1, 112) if f"B{n:03d}" not in ids) + ".\n" + "\n".join(rows)

    def row(self, name="B001", tests="`A.B`, `c.*`"):
        return f"| {name} | [x](https://example.org/1) | went wrong | does this | {tests} |"

    def problems(self, text):
        return public_bugs.check(text, ["A.B", "c.d", "Half/P.X/f16"])[0]

    def test_a_good_table_passes_and_each_breach_is_named(self):
        later = self.row("B006", public_bugs.LATER)
        self.assertEqual(self.problems(self.text(self.row(), self.row("B009"), later)), [])
        for rows, because in [((self.row(tests="`A.C`"),), "ctest knows no test A.C"), ((self.row(), self.row()), "stands twice"),
                              ((self.row(tests="soon"),), "names no test"), ((self.row("B009"), self.row()), "want the rows by id"),
                              ((later, self.row("B009")), "want the rows by id"),
                              ((self.row().replace("https", "ftp"),), "is no link"), ((self.row().replace("went wrong", ""),), "an empty cell"),
                              ((self.row() + " |",), "6 cells")]:
            self.assertIn(because, "\n".join(self.problems(self.text(*rows))), rows)
        self.assertEqual(self.problems(self.text(self.row()).replace("B050, ", "")), ["docs/public_bugs.md: B050 is missing"])


class DocumentedCommands(unittest.TestCase):
    def test_are_executed_with_the_profile_smoke_somewhere_else(self):
        build = Path("/b")
        for line, words in [
            ("./perflab run 02 --profile article", ["/b/perflab", "run", "02", "--profile", "smoke", "--no-plots", "--out", "o"]),
            ("./perflab run 02 -- --experiment x", ["/b/perflab", "run", "02", "--profile", "smoke", "--no-plots", "--out", "o", "--", "--experiment", "x"]),
            ("./perflab", ["/b/perflab", "tour", "--out", "o"]), ("./perflab list", ["/b/perflab", "list"]),
            ("./perflab report latest && echo good", ["/b/perflab", "report", "latest", "--out", "o"]),
            ("build/labs/04_x --set 'a=b c'", ["/b/labs/04_x", "--set", "a=b c", "--profile", "smoke", "--out", "o"]),
            ("build/labs/04_x --benchmark_filter=c", ["/b/labs/04_x", "--benchmark_filter=c", "--profile", "smoke"])]:
            self.assertEqual(commands.as_executed(line, build, "o"), words)

    def test_forms_and_the_few_exceptions_are_not_executed(self):
        for line in ["./perflab report RUN", "./perflab run [LAB ...]", "./perflab test -R x", "./perflab run --resume latest",
                     "./perflab compare A B", "./perflab compare 20260301T120000Z-1a2b3c latest", "./perflab predict 04", "./perflab import a.json"]:
            self.assertNotEqual(commands.reason_to_skip(line), "", line)
        for line in ["./perflab run 04 --set level=DRAM", "./perflab", "./perflab tour", "./perflab predict 04 --set a=1..2"]:
            self.assertEqual(commands.reason_to_skip(line), "", line)

    def test_a_command_that_fails_or_hangs_is_a_problem(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "perflab"
            for script, because in [("exit 0", ""), ("echo bad axis; exit 2", "exit code 2:\nbad axis"), ("sleep 9", "longer than")]:
                program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
                program.chmod(0o755)
                with mock.patch.object(commands, "CAP_S", 1):
                    said = commands.problem_of("./perflab list", Path(folder), Path(folder), folder)
                self.assertIn(because, said) if because else self.assertEqual(said, "")


class RunModule(InATree):
    def code_of(self, text, *needed):
        self.put("some_test.py", "import unittest\n\n\nclass Some(unittest.TestCase):\n    " + text + "\n")
        self.put("picky.py", "def require():\n    raise RuntimeError('too old')\n")
        with tempfile.TemporaryDirectory() as library:
            (Path(library) / "foreign.py").write_text("def require(a):\n    pass\n", encoding="utf-8")
            command = [sys.executable, "-B", Path(__file__).parent.parent / "run_module.py", self.root, "some_test", *needed]
            environment = os.environ | {"PYTHONPATH": library}
            return subprocess.run(command, env=environment, capture_output=True, check=False).returncode

    def test_passes_fails_and_skips(self):
        good, bad = "def test(self):\n        pass", "def test(self):\n        self.fail()"
        self.assertEqual(self.code_of(good, "json"), 0)
        self.assertEqual(self.code_of(bad), 1)
        self.assertEqual(self.code_of("pass"), 1, "no test at all is no success")
        self.assertEqual(self.code_of(good, "no_such_module"), 77)
        self.assertEqual(self.code_of(good, "picky"), 77)
        self.assertEqual(self.code_of(bad, "foreign"), 1, "a library's own require() is not asked")


if __name__ == "__main__":
    unittest.main()

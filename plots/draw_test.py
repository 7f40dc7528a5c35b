"""plots.draw as the driver runs it: a child process, a folder with a space and an umlaut, hostile
environments."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock
from pathlib import Path

from plots import backend, fixture_project, fixture_run

ROOT = Path(__file__).resolve().parent.parent


def child(module, *arguments, cwd=ROOT, **environment):
    """Runs `python -m module`; the finished process with text output."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("MPLBACKEND", "DISPLAY", "PYTHONPATH")
    }
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=120,
        env=kept | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)} | environment,
    )


class Draw(unittest.TestCase):
    def setUp(self):
        self.base = Path(self.enterContext(tempfile.TemporaryDirectory())) / "mein Ordner ü"
        self.run_folder = fixture_run.build(self.base / "run", blocks=6)
        self.project = fixture_project.project(self.base / "project")

    def draw(self, *more, **environment):
        return child("plots.draw", self.run_folder, "--project", self.project, *more, **environment)

    def charts(self, lab):
        return sorted(path.name for path in (self.run_folder / lab / "plots").glob("*"))

    def test_writes_svg_and_png_of_every_lab_and_touches_no_measurement(self):
        before = {path: path.read_bytes() for path in self.run_folder.rglob("*.csv")}
        self.project = fixture_project.project(self.base / "all", fixture_project.PLOT)
        done = self.draw("--check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for lab in ("04_hardware", "90_second"):
            stems = (lab, f"{lab}_chase", f"{lab}_ratio")
            written = [stem + suffix for stem in stems for suffix in (".svg", ".png", ".narrow.svg")]
            self.assertEqual(self.charts(lab), sorted(written))
        self.assertEqual(before, {path: path.read_bytes() for path in self.run_folder.rglob("*.csv")})
        self.assertFalse(list(self.project.rglob("__pycache__")))

    def test_drawing_twice_gives_the_same_bytes(self):
        self.project = fixture_project.project(self.base / "all", fixture_project.PLOT)
        self.draw("90")
        first = {path.name: path.read_bytes() for path in (self.run_folder / "90_second" / "plots").iterdir()}
        self.draw("90", PYTHONHASHSEED="5", TZ="Asia/Tokyo")
        self.assertEqual(
            first,
            {path.name: path.read_bytes() for path in (self.run_folder / "90_second" / "plots").iterdir()},
        )
        self.assertEqual(len(first), 9)

    def test_a_failing_plot_is_named_and_the_others_are_drawn(self):
        script = self.project / "labs" / "04_hardware" / "plot.py"
        for text, expected, labs in (
            ("raise ValueError('no such axis ü')", "ValueError (plot.py line 4): no such axis ü", ()),
            ("raise SystemExit(0)", "SystemExit", ("04",)),
            ("pass", "saved no chart", ("04",)),
        ):
            script.write_text(f'"""Broken."""\n\ndef draw(table, out):\n    {text}\n', encoding="utf-8")
            done = self.draw(*labs)
            self.assertEqual(done.returncode, 1)
            self.assertIn("04_hardware: ", done.stderr)
            self.assertIn(expected, done.stderr)
            self.assertIn(
                expected,
                (self.run_folder / "04_hardware" / "plots" / "FAILED.txt").read_text(encoding="utf-8"),
            )
        self.assertEqual(len(self.charts("90_second")), 3)
        fixture_project.project(self.base / "again")
        self.project = self.base / "again"
        self.assertEqual(self.draw("04").returncode, 0)
        self.assertNotIn("FAILED.txt", self.charts("04_hardware"))

    def test_no_chart_is_no_failure_where_only_some_experiments_ran(self):
        (self.project / "labs" / "04_hardware" / "plot.py").write_text("def draw(table, out):\n    pass\n", encoding="utf-8")
        schema = self.run_folder / "04_hardware" / "schema.json"
        lab = json.loads(schema.read_text(encoding="utf-8"))
        lab["experiments"].append({"name": "not_run", "hidden": False})
        schema.write_text(json.dumps(lab), encoding="utf-8")
        self.assertEqual(self.draw("04").returncode, 0)
        lab["experiments"][-1]["hidden"] = True
        schema.write_text(json.dumps(lab), encoding="utf-8")
        self.assertEqual(self.draw("04").returncode, 1)

    def test_a_syntax_error_in_one_plot_stops_no_other(self):
        (self.project / "labs" / "04_hardware" / "plot.py").write_text("def draw(:\n", encoding="utf-8")
        done = self.draw()
        self.assertEqual(done.returncode, 1)
        self.assertIn("SyntaxError", done.stderr)
        self.assertEqual(len(self.charts("90_second")), 3)

    def test_a_broken_file_is_refused_by_name_and_the_other_lab_is_drawn(self):
        path = self.run_folder / "04_hardware" / "samples.csv"
        path.write_bytes(path.read_bytes().replace(b"\n", b"\nbroken\n", 1))
        done = self.draw()
        self.assertEqual(done.returncode, 4)
        self.assertIn("04_hardware/samples.csv:2: 1 fields", done.stderr)
        self.assertEqual(len(self.charts("90_second")), 3)

    def test_no_display_no_toolkit_and_no_locale_are_needed(self):
        blocked = self.base / "blocked"
        for toolkit in ("tkinter", "PyQt5", "PySide2", "gi", "wx"):
            (blocked / toolkit).mkdir(parents=True)
            (blocked / toolkit / "__init__.py").write_text(
                "raise ImportError('blocked by a test')\n", encoding="utf-8"
            )
        (blocked / "matplotlibrc").write_text(
            "backend: TkAgg\naxes.facecolor: red\naxes.titlepad: 40\n", encoding="utf-8"
        )
        self.draw("90")
        clean = (self.run_folder / "90_second" / "plots" / "90_second.svg").read_bytes()
        done = self.draw(
            "90",
            DISPLAY="bad:7",
            MPLBACKEND="no such backend",
            LC_ALL="C",
            MPLCONFIGDIR="/nonexistent",
            MATPLOTLIBRC=str(blocked),
            PYTHONPATH=f"{blocked}{os.pathsep}{ROOT}",
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.run_folder / "90_second" / "plots" / "90_second.svg").read_bytes(), clean)

    def test_an_ascii_console_and_a_name_outside_it_go_together(self):
        """LC_ALL=C alone is not enough to meet ASCII: Python then takes UTF-8, unless both escapes are closed."""
        ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
        for module in ("plots.draw", "plots.report"):
            more = ("--project", self.project) if module == "plots.draw" else ()
            done = child(module, self.run_folder, *more, **ascii_only)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.charts("04_hardware")), 3)
        self.assertTrue((self.run_folder / "report.html").is_file())
        script = self.project / "labs" / "04_hardware" / "plot.py"
        script.write_text('"""Broken."""\n\ndef draw(table, out):\n    raise ValueError("kein \u00fc")\n', encoding="utf-8")
        done = self.draw(**ascii_only)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("ValueError", done.stderr)
        failed = (self.run_folder / "04_hardware" / "plots" / "FAILED.txt").read_text(encoding="utf-8")
        self.assertIn("kein ü", failed)

    def test_a_missing_or_old_matplotlib_is_one_sentence_and_exit_6(self):
        for text, expected in (
            ("raise ImportError('gone')", "gone"),
            ("__version__ = '3.1.0'", "cannot be imported"),
        ):
            blocked = self.base / f"without {expected[0]}"
            (blocked / "matplotlib").mkdir(parents=True)
            (blocked / "matplotlib" / "__init__.py").write_text(text + "\n", encoding="utf-8")
            done = self.draw(PYTHONPATH=f"{blocked}{os.pathsep}{ROOT}")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (6, 1), done.stderr)
            self.assertIn("python3-matplotlib", done.stderr)
            self.assertIn(expected, done.stderr)
            report = child("plots.report", self.run_folder, PYTHONPATH=f"{blocked}{os.pathsep}{ROOT}")
            self.assertEqual((report.returncode, report.stderr), (0, ""))

    def test_an_old_matplotlib_is_named_with_its_version(self):
        with mock.patch("matplotlib.__version__", "3.1.9"):
            with self.assertRaisesRegex(
                backend.Unavailable, "3.6 or newer, this is 3.1.9: install python3-matplotlib"
            ):
                backend.require()

    def test_usage_errors_name_what_exists(self):
        self.assertEqual(self.draw("17").returncode, 2)
        self.assertIn("04_hardware, 90_second", self.draw("17").stderr)
        empty = self.base / "empty"
        empty.mkdir()
        for folder in (empty, self.base / "missing"):
            for module in ("plots.draw", "plots.report"):
                self.assertEqual(child(module, folder).returncode, 2)

    def test_works_from_any_current_folder_and_as_a_script(self):
        done = subprocess.run(
            [sys.executable, str(ROOT / "plots" / "draw.py"), "run", "90", "--project", str(self.project)],
            cwd=self.base,
            capture_output=True,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            timeout=120,
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_an_unwritable_folder_is_exit_5(self):
        (self.run_folder / "90_second" / "plots").write_text("in the way", encoding="utf-8")
        self.assertEqual(self.draw("90").returncode, 5)


if __name__ == "__main__":
    unittest.main()

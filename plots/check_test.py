"""The rules of check.py: each can fail, and every plot script of this tree keeps them."""

import tempfile
import unittest
from pathlib import Path

from plots import axes, check, fixture_project, fixture_run
from plots.load import load_lab, load_run

ROOT = Path(__file__).resolve().parent.parent
GOOD = fixture_project.PLOT


class Scripts(unittest.TestCase):
    def test_every_file_of_plots_and_every_labs_plot_keeps_the_rules(self):
        for path in sorted((ROOT / "plots").glob("*.py")):
            self.assertEqual(check.source_problems(path.read_text(encoding="utf-8"), path.name), [])
        for path in sorted((ROOT / "labs").glob("[0-9][0-9]_*/plot.py")):
            self.assertEqual(
                check.lab_script_problems(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))), []
            )

    def test_every_lab_has_a_plot(self):
        for lab in sorted((ROOT / "labs").glob("[0-9][0-9]_*")):
            self.assertTrue((lab / "plot.py").is_file(), f"{lab.name}/plot.py is missing")

    def test_a_good_script_passes_and_each_breach_is_named(self):
        self.assertEqual(check.lab_script_problems(GOOD, "plot.py"), [])
        breaches = {
            "imports matplotlib.pyplot": "import matplotlib.pyplot as plt\n" + GOOD,
            "imports matplotlib.pylab": "from matplotlib import pylab\n" + GOOD,
            "is not a question": GOOD.replace("move bytes?", "move bytes."),
            "without title": GOOD.replace('title="How long does one dependent read take?", ', ""),
            "never calls save": GOOD.replace(".save(", ".keep("),
            "never calls repetitions_and_median": GOOD.replace("repetitions_and_median(", "bars("),
            "no function draw": GOOD.replace("def draw(", "def paint("),
            "no docstring": GOOD.split("\n", 1)[1],
            "chooses a backend": GOOD + "matplotlib.use('TkAgg')\n",
        }
        for expected, text in breaches.items():
            with self.subTest(expected):
                self.assertIn(expected, " ".join(check.lab_script_problems(text, "plot.py")))


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name) / "a b" / "ü"
        cls.table = load_lab(load_run(fixture_run.build(cls.folder, blocks=10)), "04_hardware")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def chart(self, title="How fast is it?", metric="bandwidth", part=None, x="threads"):
        from plots import style

        chart, panels = style.figure(title=title, run=self.table.run)
        part = part or self.table.where(experiment="stream", level="L1")
        style.repetitions_and_median(panels[0], part, x=x, metric=metric)
        return chart, panels[0]

    def problems(self, chart):
        for ax in chart.panels:
            axes.finish(ax)
        return " ".join(check.figure_problems(chart))

    def test_a_chart_as_the_style_draws_it_passes(self):
        chart, _ = self.chart()
        chart.save(Path(self.temporary.name) / "out" / "good.svg")
        self.assertEqual(check.figure_problems(chart), [])

    def test_a_title_that_is_no_question_fails(self):
        self.assertIn("is not a question", self.problems(self.chart("Bandwidth")[0]))

    def test_a_y_label_without_unit_fails(self):
        chart, ax = self.chart()
        ax.set_ylabel("bandwidth")
        self.assertIn("has no unit", self.problems(chart))

    def test_missing_intervals_and_repetitions_fail(self):
        chart, ax = self.chart()
        for container in list(ax.containers):
            container.remove()
        for cloud in list(ax.collections):
            cloud.remove()
        self.assertIn("no interval is drawn", self.problems(chart))
        self.assertIn("repetitions are not drawn", self.problems(chart))

    def test_rates_without_the_measured_ceiling_fail(self):
        chart, ax = self.chart()
        for line in [line for line in ax.lines if getattr(line, "perflab_role", "") == "ceiling"]:
            line.remove()
        self.assertIn("without the measured ceiling", self.problems(chart))

    def test_a_line_over_words_fails(self):
        chart, ax = self.chart(x=None, part=self.table.where(experiment="stream", level="L1", threads=1))
        self.assertEqual(self.problems(chart), "")
        ax.plot([0, 1, 2], [80, 90, 100])
        self.assertIn("no order", self.problems(chart))

    def test_an_empty_panel_fails_and_no_valid_samples_is_said_in_words(self):
        from plots import style

        chart, panels = style.figure(columns=2, title="Is anything here?", run=self.table.run)
        style.repetitions_and_median(panels[0], self.table.where(level="L7"), x="threads")
        self.assertEqual([text.get_text() for text in panels[0].texts], ["no valid samples"])
        self.assertIn("panel 2", self.problems(chart))
        self.assertNotIn("panel 1", self.problems(chart))

    def test_a_case_whose_samples_were_all_invalid_says_why(self):
        from plots import style

        own = load_lab(load_run(self.folder), "04_hardware")  # its rows are changed
        part = own.where(experiment="stream", level="L1", threads=1)
        for row in part.samples:
            row.update(valid=0, invalid_reason="throttled_gpu")
        for row in part.summary:
            row.update(median=None, ci_lo=None, ci_hi=None, ratio=None, status="failed", status_reason="always_throttled_gpu")
        chart, panels = style.figure(title="How fast is it?", run=self.table.run)
        style.repetitions_and_median(panels[0], part, x="threads", metric="bandwidth")
        said = [text.get_text() for text in panels[0].texts]
        self.assertEqual(said, ["no valid samples\n(always throttled gpu)"])
        self.assertEqual(self.problems(chart), "")


if __name__ == "__main__":
    unittest.main()
